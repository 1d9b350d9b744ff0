/**
 * A service of several processes under mixed traffic for a long time: whether memory, descriptors,
 * threads and files of all of them stay where they are, and every request is answered as it ought to be.
 */
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { type ServiceProcess, startService } from '../../service/test/helpers/service-process.ts'
import { commit, type Given, type Measured, ROOT } from './benchmark.ts'
import { readMessageSets } from './message-sets.ts'
import { sendAsk, soakAgent } from './soak/asking.ts'
import { flatnessOf, type Reading } from './soak/flatness.ts'
import { type Gauge, gaugesFor, readMetrics, storeMiB } from './soak/readings.ts'
import { courseTable, isPassed, memoryPlot, type SoakFigures, soakReport } from './soak/report.ts'
import { askOf, Mail } from './soak/traffic.ts'
import { quantile } from './spread.ts'

const MS_PER_SECOND = 1_000
const MS_PER_MINUTE = 60 * MS_PER_SECOND

/** Readings of a run, and the least time between two: a reading costs the service some milliseconds. */
const READINGS = 600
const READING_MS_MIN = 500

/** Reloads of a run of any length, and the least time between two. */
const RELOADS = 60
const RELOAD_MS_MIN = 8_000

/** Unanswered requests beyond which the service counts as gone. */
const IN_FLIGHT_MAX = 2_000

/** Share of the requests that may be refused, 503, on a machine that others keep busy: it is an answer. */
const REFUSED_SHARE_MAX = 0.02

/** After the last request: what is not given back by then is kept. */
const REST_MS = 3_000

const SEED = 20_261_121
const ERRORS_SHOWN = 20
const ERROR_LEVEL = 50

interface Options extends Given {
  readonly minutes: number
  /** Requests a second. */
  readonly rate: number
  readonly workers: number
}

/** What changes with each reload. */
class Settings {
  readonly #folder: string
  readonly file: string
  #changes = 0

  constructor(folder: string) {
    this.#folder = folder
    this.file = join(folder, 'tamis.json')
    for (const version of [0, 1]) this.#copyModels(version)
    for (const feed of [0, 1]) {
      writeFileSync(join(folder, `feed-${feed}.txt`), `http://evil-${feed}.example.net/\n`)
    }
    this.change()
  }

  change(): void {
    const turn = this.#changes++ % 2
    const settings = {
      threshold: turn === 0 ? 'balanced' : 'cautious',
      models: join(this.#folder, `models-${turn}`),
      feeds: `file:${join(this.#folder, `feed-${turn}.txt`)}`,
    }
    writeFileSync(this.file, JSON.stringify(settings))
  }

  /** The shipped models under another version, so that they are opened anew. */
  #copyModels(version: number): void {
    const folder = join(this.#folder, `models-${version}`)
    cpSync(join(ROOT, 'artifacts'), folder, { recursive: true })
    for (const model of ['text', 'meta', 'tabs', 'fusion']) {
      const path = join(folder, model, 'manifest.json')
      const manifest = JSON.parse(readFileSync(path, 'utf8'))
      writeFileSync(path, JSON.stringify({ ...manifest, version: `2099.1.${version}` }))
    }
  }
}

/** What is counted on the way. */
class Tally {
  readonly answers = new Map<string, number>()
  readonly errors: string[] = []
  readonly latencies: number[] = []
  refused = 0
  inFlight = 0

  error(text: string): void {
    this.errors.push(text)
    if (this.errors.length <= ERRORS_SHOWN) console.error(text)
  }
}

export async function measureSoak(options: Options): Promise<Measured> {
  const figures = await soak(options)
  const { courses, answers, errors, refused, reloads, p50, p99, logged } = figures
  const requests = [...answers.values()].reduce((sum, count) => sum + count, 0)
  const lines = [
    courseTable(courses),
    `${requests} requests, ${errors.length} errors, ${refused} refused, ${reloads} reloads, p50 ${p50.toFixed(1)} ms, p99 ${p99.toFixed(0)} ms`,
    ...[...logged].map(([text, count]) => `logged ${count} times: ${text}`),
  ]
  const plot = memoryPlot(`Memory under mixed traffic, ${options.minutes} minutes`, courses)
  const files = { 'reports/soak/README.md': soakReport(figures), 'reports/soak/memory.svg': plot }
  return { text: lines.join('\n'), files, passed: isPassed(figures) }
}

async function soak(options: Options): Promise<SoakFigures> {
  const folder = mkdtempSync(join(tmpdir(), 'tamis-soak-'))
  const settings = new Settings(folder)
  const service = await startService({
    environment: {
      TAMIS_CONFIG: settings.file,
      TAMIS_WORKERS: `${options.workers}`,
      TAMIS_LOG_LEVEL: 'warn',
      TAMIS_USER_CACHE_BYTES: `${4 * 1024 * 1024}`,
      TAMIS_SHUTDOWN_MS: '10000',
    },
  })
  try {
    return await soakService(service, settings, options)
  } finally {
    await service.stop()
    rmSync(folder, { recursive: true, force: true })
  }
}

async function soakService(
  service: ServiceProcess,
  settings: Settings,
  options: Options,
): Promise<SoakFigures> {
  const { minutes, rate, workers, command } = options
  const gauges = gaugesFor(minutes, workers)
  const tally = new Tally()
  const runMs = minutes * MS_PER_MINUTE
  const begun = performance.now()
  const end = begun + runMs
  const readings = new Map<Gauge, Reading[]>(gauges.map((gauge) => [gauge, []]))
  let reloads = 0
  const reading = every(end, Math.max(READING_MS_MIN, runMs / READINGS), async () => {
    await readAll(service, readings, (performance.now() - begun) / MS_PER_SECOND)
  })
  const reloading = every(end, Math.max(RELOAD_MS_MIN, runMs / RELOADS), async () => {
    settings.change()
    service.signal('SIGHUP')
    reloads++
  })
  await Promise.all([sendTraffic(service, tally, end, options), reading, reloading])
  await sleep(REST_MS)
  const left = await service.temporaryFiles()
  if (left.length > 0) tally.error(`${left.length} temporary files are left`)
  const logged = loggedBy(service, tally)
  const asked = [...tally.answers.values()].reduce((sum, count) => sum + count, 0)
  if (tally.refused > REFUSED_SHARE_MAX * asked) tally.error(`${tally.refused} were refused`)
  return {
    command,
    commit: commit(),
    minutes,
    rate,
    workers,
    courses: gauges.map((gauge) => {
      const own = readings.get(gauge) ?? []
      return { gauge, readings: own, flatness: flatnessOf(own, gauge.allowance) }
    }),
    answers: tally.answers,
    errors: tally.errors,
    refused: tally.refused,
    reloads,
    p50: quantile(tally.latencies, 0.5),
    p99: quantile(tally.latencies, 0.99),
    logged,
    storeMiB: storeMiB(service),
  }
}

/** `what`, again and again until `end`, at least `pauseMs` apart. */
async function every(end: number, pauseMs: number, what: () => Promise<void>): Promise<void> {
  while (performance.now() + pauseMs < end) {
    await sleep(pauseMs)
    await what()
  }
}

async function readAll(
  service: ServiceProcess,
  readings: ReadonlyMap<Gauge, Reading[]>,
  at: number,
): Promise<void> {
  const metrics = await readMetrics(service)
  for (const [gauge, own] of readings) own.push({ at, value: await gauge.read(service, metrics) })
}

/** At the rate, whether or not earlier requests are answered. */
async function sendTraffic(
  { url }: ServiceProcess,
  tally: Tally,
  end: number,
  { corpora, rate }: Options,
): Promise<void> {
  const sets = corpora === undefined ? [] : readMessageSets(corpora)
  const mail = new Mail(sets.flatMap(({ messages }) => messages))
  const agent = soakAgent()
  const sent = new Set<Promise<void>>()
  const started = performance.now()
  for (let number = 0; performance.now() < end; number++) {
    const waitMs = started + (number * MS_PER_SECOND) / rate - performance.now()
    if (waitMs > 0) await sleep(waitMs)
    if (sent.size > IN_FLIGHT_MAX) throw new Error(`${sent.size} requests are not answered`)
    const one = send(number)
    sent.add(one)
    void one.finally(() => sent.delete(one))
  }
  await Promise.all(sent)
  agent.destroy()

  async function send(number: number): Promise<void> {
    const ask = askOf(SEED, number, mail)
    const name = `${ask.method} ${ask.path.split('?')[0]}`
    const asked = performance.now()
    try {
      const status = await sendAsk(agent, url, ask)
      if (ask.path === '/classify-stream') tally.latencies.push(performance.now() - asked)
      const what = `${name}, ${status}`
      tally.answers.set(what, (tally.answers.get(what) ?? 0) + 1)
      if (status === 503) tally.refused++
      else if (status !== 'left' && !ask.expected.includes(status)) {
        tally.error(`Request ${number}: ${what}`)
      }
    } catch (error) {
      tally.error(`Request ${number}: ${name}: ${(error as Error).message}`)
    }
  }
}

/** Warnings by their text; errors are errors of the run. */
function loggedBy(service: ServiceProcess, tally: Tally): Map<string, number> {
  const logged = new Map<string, number>()
  for (const line of service.output().split('\n')) {
    if (!line.startsWith('{') || !line.endsWith('}')) continue
    const { level, msg } = JSON.parse(line) as { level: number; msg: string }
    logged.set(msg, (logged.get(msg) ?? 0) + 1)
    if (level >= ERROR_LEVEL) tally.error(`Logged: ${line.slice(0, 1_000)}`)
  }
  return logged
}
