/**
 * Everything that measures speed:
 *
 *   npm run bench NAME -- [--OPTION N] [--corpora DIR] [--report]
 *
 * Without a name it lists the measurements. --report writes what a report or its plots are made of;
 * the exit status is 1 where a limit is missed. Linux.
 */
import { mkdirSync, writeFileSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import { dirname, join } from 'node:path'
import { parseArgs } from 'node:util'
import type { Given, Measured } from './benchmark.ts'

interface Benchmark<Numbers> {
  readonly about: string
  /** Options that are numbers above 0, with what they are when they are not given. */
  readonly numbers: Numbers
  readonly corpora?: 'needed' | 'optional'
  measure(options: Numbers & Given): Promise<Measured>
}

const CORES = availableParallelism()

const BENCHMARKS: Readonly<Record<string, Benchmark<Readonly<Record<string, number>>>>> = {
  classify: benchmark({
    about: 'CPU time of a message, by stage',
    numbers: { rounds: 5 },
    corpora: 'needed',
    measure: async (options) => (await import('./classify.ts')).measureClassify(options),
  }),
  http: benchmark({
    about: 'embeddings over HTTP, a second and how late',
    numbers: { seconds: 10 },
    measure: async (options) => (await import('./http.ts')).measureHttp(options),
  }),
  overload: benchmark({
    about: 'several times as many messages as the service can judge',
    numbers: { seconds: 60, times: 5, workers: CORES },
    corpora: 'optional',
    measure: async (options) => (await import('./overload.ts')).measureOverload(options),
  }),
  corrections: benchmark({
    about: 'corrections while all server processes are busy classifying',
    numbers: { rate: 500, seconds: 30, workers: CORES },
    measure: async (options) => (await import('./corrections.ts')).measureCorrections(options),
  }),
  waits: benchmark({
    about: 'how long a request waits behind those of others',
    numbers: { seconds: 20, workers: CORES },
    measure: async (options) => (await import('./waits.ts')).measureWaits(options),
  }),
  restart: benchmark({
    about: 'a service that is restarted under load, on PostgreSQL for one of two ways',
    numbers: { rate: 300, seconds: 25, workers: CORES },
    measure: async (options) => (await import('./restart.ts')).measureRestart(options),
  }),
  bulk: benchmark({
    about:
      'a message reported at one of two services on one PostgreSQL, and its next copy at the other',
    numbers: { campaigns: 50 },
    measure: async (options) => (await import('./bulk.ts')).measureBulk(options),
  }),
  scaling: benchmark({
    about: 'one server process and two, measured; up to 64, calculated',
    numbers: { rounds: 5, seconds: 5 },
    corpora: 'optional',
    measure: async (options) => (await import('./scaling.ts')).measureScaling(options),
  }),
  fleet: benchmark({
    about: 'what requests cost on PostgreSQL, measured; fleets of services, calculated',
    numbers: { seconds: 10 },
    measure: async (options) => (await import('./fleet.ts')).measureFleet(options),
  }),
  memory: benchmark({
    about: 'memory of each process on the way to 20,000 messages',
    numbers: { workers: 2 },
    corpora: 'needed',
    measure: async (options) => (await import('./memory.ts')).measureMemory(options),
  }),
  milter: benchmark({
    about: 'what the milter costs Postfix',
    numbers: {},
    measure: async () => (await import('./milter.ts')).measureMilter(),
  }),
  feeds: benchmark({
    about: 'URL feeds of a million URLs in each form',
    numbers: {},
    measure: async () => (await import('./feeds.ts')).measureFeeds(),
  }),
  peers: benchmark({
    about: 'Tamis beside Rspamd, spamd and bogofilter; two cores or more',
    numbers: { rounds: 3, seconds: 4 },
    corpora: 'needed',
    measure: async (options) => (await import('./peers.ts')).measurePeers(options),
  }),
  soak: benchmark({
    about: 'mixed traffic for a long time: whether anything piles up',
    numbers: { minutes: 2, rate: 40, workers: 2 },
    corpora: 'optional',
    measure: async (options) => (await import('./soak.ts')).measureSoak(options),
  }),
}

const [name = '', ...args] = process.argv.slice(2)
const chosen = BENCHMARKS[name]
if (chosen === undefined) {
  const lines = Object.entries(BENCHMARKS).map(([each, of]) => `  ${usageOf(each, of)}\n`)
  process.stderr.write(`npm run bench NAME -- [OPTIONS]\n\n${lines.join('')}`)
  process.exitCode = 64
} else await run(chosen)

function benchmark<Numbers extends Readonly<Record<string, number>>>(
  of: Benchmark<Numbers>,
): Benchmark<Readonly<Record<string, number>>> {
  return of
}

function usageOf(each: string, { about, numbers, corpora }: Benchmark<object>): string {
  const mail = { needed: ' --corpora DIR', optional: ' [--corpora DIR]', none: '' }
  const options = Object.entries(numbers).map(([option, value]) => ` [--${option} ${value}]`)
  return `${each.padEnd(12)} ${about}\n${' '.repeat(13)}${options.join('')}${mail[corpora ?? 'none']}`
}

async function run({ numbers, corpora: mail, measure }: Benchmark<Record<string, number>>) {
  const { values } = parseArgs({
    args,
    options: {
      report: { type: 'boolean', default: false },
      ...(mail && { corpora: { type: 'string' as const } }),
      ...Object.fromEntries(Object.keys(numbers).map((key) => [key, { type: 'string' as const }])),
    },
  }) as { values: Readonly<Record<string, string | boolean | undefined>> }
  const corpora = values['corpora'] as string | undefined
  if (mail === 'needed' && corpora === undefined) throw new TypeError('--corpora DIR is missing')
  const given = Object.entries(numbers).map(([key, value]) => [
    key,
    numberOf(key, values[key] ?? value),
  ])
  const command = [
    `npm run bench ${name} --`,
    ...given.map(([key, value]) => `--${key} ${value}`),
    ...(corpora === undefined ? [] : ['--corpora DIR']),
    '--report',
  ].join(' ')
  const measured = await measure({ ...Object.fromEntries(given), corpora, command })
  process.stdout.write(`${measured.text}\n`)
  if (values['report']) {
    for (const [path, content] of Object.entries(measured.files ?? {})) {
      const file = join(import.meta.dirname, '..', path)
      mkdirSync(dirname(file), { recursive: true })
      writeFileSync(file, content)
    }
  }
  process.exitCode = measured.passed === false ? 1 : 0
}

function numberOf(key: string, text: unknown): number {
  const number = Number(text)
  if (number > 0) return number
  throw new RangeError(`--${key} is "${text}"; it has to be a number above 0`)
}
