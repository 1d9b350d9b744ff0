/** What measurements of speed have in common: what they are given, what they give, and what they ran on. */
import { execFileSync } from 'node:child_process'
import { cpus, loadavg, release, totalmem } from 'node:os'
import { join } from 'node:path'
import { page } from '../evaluation/markdown.ts'

export const ROOT = join(import.meta.dirname, '../../..')

const GIB = 1024 ** 3

/** What every measurement is given besides its numbers. */
export interface Given {
  /** Folder with one folder per set; absent where it was not named. */
  readonly corpora?: string | undefined
  /** The command line that was given. */
  readonly command: string
}

export interface Measured {
  readonly text: string
  /** What `--report` writes, by path in packages/lab. */
  readonly files?: Readonly<Record<string, string>>
  /** False where a limit is missed. */
  readonly passed?: boolean
}

/** Load average over one minute, before the start. */
export const LOAD_BEFORE: number = loadavg()[0]!

const PROCESSOR = `${cpus().length} × ${cpus()[0]?.model ?? 'unknown processor'}`

/** Processors, memory and system. */
export const MACHINE: string = `${PROCESSOR}, ${Math.round(totalmem() / GIB)} GiB, Linux ${release()}, Node ${process.version}`

/** The line of a report that says what it was measured on. */
const MEASURED_ON = `${PROCESSOR}, Node ${process.version}; load average before the start ${LOAD_BEFORE.toFixed(2)}.`

export function commit(): string {
  const args = ['rev-parse', '--short', 'HEAD']
  return execFileSync('git', args, { cwd: ROOT, encoding: 'utf8' }).trim()
}

/** The page `name` of reports/speed, which is also what is printed; it has a place for what it was measured on. */
export function reportOf(name: string, values: object, passed: boolean): Measured {
  const text = page(name, { ...values, commit: commit(), MEASURED_ON })
  return { text, files: { [`reports/speed/${name}.md`]: text }, passed }
}
