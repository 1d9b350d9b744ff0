/**
 * Measures speed: `npm run bench NAME -- --corpora DIR [--base DIR] [--OPTION N] [--report]`. Without a name it
 * lists the benchmarks. --base is another checkout to measure beside this one. --report writes packages/lab/reports/speed. Linux.
 */
import { execFileSync } from 'node:child_process'
import { availableParallelism, cpus, loadavg } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { report, type Values } from '../evaluation/report.ts'

/** What every benchmark is given. */
export interface Given {
  /** Folder with one folder per set. */
  readonly corpora: string | undefined
  /** Another checkout of this repository, to compare this one with. */
  readonly base: string | undefined
  readonly numbers: Readonly<Record<string, number>>
}

interface Benchmark {
  readonly about: string
  /** Options that are numbers above 0, with their defaults. */
  readonly numbers: Readonly<Record<string, number>>
  readonly measure: (given: Given) => Promise<Values>
}

const BENCHMARKS: Readonly<Record<string, Benchmark>> = {
  peers: {
    about: 'Tamis beside Rspamd and spamd, and what the process takes; two cores',
    numbers: { rounds: 3, seconds: 10 },
    measure: async (given) => (await import('./peers.ts')).measurePeers(given),
  },
  overload: {
    about: 'several times as many messages as the service can judge',
    numbers: { seconds: 60, times: 5, workers: availableParallelism() },
    measure: async (given) => (await import('./overload.ts')).measureOverload(given),
  },
}

await main(process.argv.slice(2))

async function main([name = '', ...args]: readonly string[]): Promise<void> {
  const benchmark = BENCHMARKS[name]
  if (benchmark === undefined) {
    for (const [each, { about, numbers }] of Object.entries(BENCHMARKS)) {
      const options = Object.entries(numbers).map(([option, value]) => ` [--${option} ${value}]`)
      process.stderr.write(`${each.padEnd(10)}${about}:${options.join('')}\n`)
    }
    process.exitCode = 64
    return
  }
  const names = ['corpora', 'base', ...Object.keys(benchmark.numbers)]
  const { values } = parseArgs({
    args,
    options: {
      report: { type: 'boolean', default: false },
      ...Object.fromEntries(names.map((key) => [key, { type: 'string' as const }])),
    },
  }) as { values: Readonly<Record<string, string | boolean | undefined>> }
  const numbers = Object.fromEntries(
    Object.entries(benchmark.numbers).map(([key, fallback]) => {
      const number = Number(values[key] ?? fallback)
      if (!(number > 0)) throw new RangeError(`--${key} has to be a number above 0`)
      return [key, number]
    }),
  )
  const [corpora, base] = [values['corpora'], values['base']] as (string | undefined)[]
  const shown = args.map((arg) => (arg === corpora || arg === base ? 'DIR' : arg)).join(' ')
  const commit = execFileSync('git', ['rev-parse', '--short', 'HEAD'], { encoding: 'utf8' }).trim()
  const machine = `${cpus().length} × ${cpus()[0]?.model}, Node ${process.version}, load average before the start ${loadavg()[0]!.toFixed(2)}`
  const measured = await benchmark.measure({ corpora, base, numbers })
  const command = `npm run bench ${name} -- ${shown}`
  const figures = { ...numbers, command, commit, machine, ...measured }
  const file = join(import.meta.dirname, `../reports/speed/${name}`)
  const files = values['report'] ? { json: `${file}.json`, page: `${file}.md` } : undefined
  process.stdout.write(report(name, figures, files))
}
