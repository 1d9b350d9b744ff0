/** What benchmarks have in common: what they are given, and what they ran on. Each gives the text of its report. */
import { execFileSync } from 'node:child_process'
import { cpus, loadavg } from 'node:os'

/** What every benchmark is given. */
export interface Given {
  /** Folder with one folder per set. */
  readonly corpora: string | undefined
  /** Another checkout of this repository, to compare this one with. */
  readonly base: string | undefined
  readonly numbers: Readonly<Record<string, number>>
  /** The command line that was given. */
  readonly command: string
}

/** Over one minute. */
const LOAD_BEFORE = loadavg()[0]!

/** What a report says of how it was made. */
export function measuredOn({ command, numbers }: Given) {
  const commit = execFileSync('git', ['rev-parse', '--short', 'HEAD'], { encoding: 'utf8' }).trim()
  const machine = `${cpus().length} × ${cpus()[0]?.model}, Node ${process.version}, load average before the start ${LOAD_BEFORE.toFixed(2)}`
  return { ...numbers, command, commit, machine }
}
