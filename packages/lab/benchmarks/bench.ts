/**
 * Measures speed: `npm run bench NAME -- --corpora DIR [--base DIR] [--OPTION N] [--report]`. Without a name it
 * lists the benchmarks. --base is another checkout to measure beside this one. --report writes packages/lab/reports/speed. Linux.
 */
import { writeFileSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import type { Given } from './benchmark.ts'

interface Benchmark {
  readonly about: string
  /** Options that are numbers above 0, with their defaults. */
  readonly numbers: Readonly<Record<string, number>>
  readonly measure: (given: Given) => Promise<string>
}

const CORES = availableParallelism()

const BENCHMARKS: Readonly<Record<string, Benchmark>> = {
  classify: {
    about: 'CPU time per message, by stage',
    numbers: { rounds: 5 },
    measure: async (given) => (await import('./classify.ts')).measureClassify(given),
  },
  overload: {
    about: 'several times as many messages as the service can judge',
    numbers: { seconds: 60, times: 5, workers: CORES },
    measure: async (given) => (await import('./overload.ts')).measureOverload(given),
  },
  resources: {
    about: 'memory, start, rest, embed-text under load and replacements of the service',
    numbers: { idle: 60, messages: 20_000, seconds: 20, gap: 6 },
    measure: async (given) => (await import('./resources.ts')).measureResources(given),
  },
  peers: {
    about: 'Tamis beside Rspamd and spamd; two cores',
    numbers: { rounds: 3, seconds: 10 },
    measure: async (given) => (await import('./peers.ts')).measurePeers(given),
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
  const { values } = parseArgs({
    args,
    options: {
      report: { type: 'boolean', default: false },
      corpora: { type: 'string' },
      base: { type: 'string' },
      ...Object.fromEntries(
        Object.keys(benchmark.numbers).map((key) => [key, { type: 'string' as const }]),
      ),
    },
  }) as { values: Readonly<Record<string, string | boolean | undefined>> }
  const numbers = Object.entries(benchmark.numbers).map(([key, fallback]) => {
    const number = Number(values[key] ?? fallback)
    if (!(number > 0)) throw new RangeError(`--${key} has to be a number above 0`)
    return [key, number] as const
  })
  const [corpora, base] = [values['corpora'], values['base']] as (string | undefined)[]
  const shown = args.map((arg) => (arg === corpora || arg === base ? 'DIR' : arg)).join(' ')
  const command = `npm run bench ${name} -- ${shown}`
  const text = await benchmark.measure({
    corpora,
    base,
    numbers: Object.fromEntries(numbers),
    command,
  })
  process.stdout.write(`${text}\n`)
  if (values['report']) {
    writeFileSync(join(import.meta.dirname, `../reports/speed/${name}.md`), text)
  }
}
