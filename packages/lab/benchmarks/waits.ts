/**
 * How long a request waits behind those of others: embeddings while all worker processes judge as fast as they can,
 * and small messages while one client keeps a hundred large ones in flight.
 *
 *   npm run bench:waits -- [--seconds 20] [--workers N] [--report]
 *
 * Service and generators share the cores, one process for each generator. How long the service's main threads waited
 * for a processor is reported: on a busy machine that is most of what is measured. There is a worker process for each
 * core unless --workers says otherwise. --report writes packages/lab/reports/speed/waits.md. Exit status 1 where a
 * limit is missed. Linux.
 */
import { execFileSync } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync, writeFileSync } from 'node:fs'
import { connect } from 'node:net'
import { availableParallelism, cpus, loadavg } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { type ServiceProcess, startService } from '../../service/test/helpers/service-process.ts'
import { percent, table } from '../evaluation/markdown.ts'
import { shopMessage, shopMessages } from './overload/messages.ts'
import { type LoopResult, requestOf } from './overload/open-loop.ts'
import { generate } from './overload/overload-run.ts'

const REPORT = join(import.meta.dirname, '../reports/speed/waits.md')

const WARM_UP_SECONDS = 6

/** How long the others ask before the first request that is measured, and after the last. */
const MARGIN_SECONDS = 2

/** Requests measured in a second: too few to be a load. */
const RATE = 20

/** An address of this machine that is not the generators': to a service without keys, another client. */
const OTHER_CLIENT = '127.0.0.2'

const LARGE_BYTES = 1_900_000
const LARGE_IN_FLIGHT = 100

const EMBED_BODY = JSON.stringify({ text: 'your parcel from the garden shop is on its way' })
const EMBED = Buffer.from(
  `POST /classify/embed-text HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: ${EMBED_BODY.length}\r\n\r\n${EMBED_BODY}`,
)
const SMALL = requestOf('/classify-stream', Buffer.from(shopMessage(0)))

const { values } = parseArgs({
  options: {
    seconds: { type: 'string', default: '20' },
    workers: { type: 'string', default: `${availableParallelism()}` },
    report: { type: 'boolean', default: false },
  },
})
const [seconds, workers] = [values.seconds, values.workers].map(Number) as [number, number]

interface Case {
  readonly name: string
  readonly request: Buffer
  /** What the others send, and how many of their requests are in flight. */
  readonly others: readonly Buffer[]
  readonly inFlight: number
  readonly p99MsMax: number
}

interface Waited {
  readonly of: Case
  /** From the start of a new connection to the answer, in milliseconds, ascending. */
  readonly latencies: readonly number[]
  /** How many had another answer than 200. */
  readonly refused: number
  readonly others: LoopResult
  /** How long a main thread of the service waited for a processor, as a share of the time. */
  readonly waitedForCore: number
}

const CASES: readonly Case[] = [
  {
    name: 'embedding; others send 5 KB, 32 in flight for each process',
    request: EMBED,
    others: shopMessages(200),
    inFlight: 32 * workers,
    p99MsMax: 50,
  },
  {
    name: 'embedding; others send 5 KB, 500 in flight for each process',
    request: EMBED,
    others: shopMessages(200),
    inFlight: 500 * workers,
    p99MsMax: 100,
  },
  {
    name: `message of 5 KB; another client sends 1.9 MB, ${LARGE_IN_FLIGHT} in flight`,
    request: SMALL,
    others: largeMessages(10),
    inFlight: LARGE_IN_FLIGHT,
    p99MsMax: 1_000,
  },
]

const loadBefore = loadavg()[0]!
const waited: Waited[] = []
for (const each of CASES) waited.push(await measure(each))
const text = report()
console.log(text)
if (values.report) writeFileSync(REPORT, text)
process.exitCode = waited.every(isWithinLimit) ? 0 : 1

function largeMessages(count: number): Buffer[] {
  return Array.from({ length: count }, (_, i) => {
    const message = shopMessage(i)
    const [, body] = message.split('\r\n\r\n')
    return Buffer.from(message + `\r\n${body}`.repeat(LARGE_BYTES / body!.length))
  })
}

async function measure(of: Case): Promise<Waited> {
  const service = await startService({
    environment: { TAMIS_WORKERS: `${workers}`, TAMIS_LOG_LEVEL: 'info' },
  })
  try {
    const ask = (messages: readonly Buffer[], connections: number, length: number) =>
      generate({
        path: '/classify-stream',
        messages: messages.map((message) => message.toString('base64')),
        closed: { port: service.port, connections, seconds: length },
      })
    await ask(shopMessages(200), 32 * workers, WARM_UP_SECONDS)
    const asking = ask(of.others, of.inFlight, seconds + 2 * MARGIN_SECONDS)
    await sleep(MARGIN_SECONDS * 1_000)
    const [started, before] = [performance.now(), await waitedMs(service)]
    const answers = await atRate(service.port, of.request)
    const waitedForCore =
      ((await waitedMs(service)) - before) / (performance.now() - started) / workers
    return {
      of,
      latencies: answers.map(({ ms }) => ms).sort((a, b) => a - b),
      refused: answers.filter(({ status }) => status !== '200').length,
      others: await asking,
      waitedForCore,
    }
  } finally {
    await service.stop()
  }
}

/** Milliseconds that the main threads of the worker processes have waited for a processor (proc_pid_schedstat). */
async function waitedMs(service: ServiceProcess): Promise<number> {
  const pids = await service.workerPids()
  const ns = pids.map((pid) => Number(readFileSync(`/proc/${pid}/schedstat`, 'utf8').split(' ')[1]))
  return ns.reduce((sum, each) => sum + each) / 1e6
}

async function atRate(port: number, request: Buffer) {
  const started = performance.now()
  const answers: Promise<{ readonly ms: number; readonly status: string }>[] = []
  for (let i = 0; i < RATE * seconds; i++) {
    const waitMs = started + (i * 1_000) / RATE - performance.now()
    if (waitMs > 0) await sleep(waitMs)
    answers.push(onNewConnection(port, request))
  }
  return await Promise.all(answers)
}

async function onNewConnection(port: number, request: Buffer) {
  const started = performance.now()
  const socket = connect({ port, host: '127.0.0.1', localAddress: OTHER_CLIENT }).setNoDelay()
  socket.write(request)
  const [answer] = (await once(socket, 'data')) as [Buffer]
  const ms = performance.now() - started
  socket.destroy()
  return { ms, status: answer.toString('latin1', 9, 12) }
}

function at({ latencies }: Waited, share: number): number {
  return latencies[Math.min(latencies.length - 1, Math.floor(share * latencies.length))]!
}

function isWithinLimit(one: Waited): boolean {
  return one.refused === 0 && at(one, 0.99) <= one.of.p99MsMax
}

function report(): string {
  const commit = execFileSync('git', ['rev-parse', '--short', 'HEAD']).toString().trim()
  return `# What waits behind what

Made by \`npm run bench:waits -- --seconds ${seconds} --workers ${workers} --report\` at ${commit}: ${RATE} requests a second, each on a new connection of its own
from an address of its own, while others send messages as fast as they are answered.
${cpus().length} × ${cpus()[0]?.model}, Node ${process.version}; load average before the start ${loadBefore.toFixed(2)}.

${table(
  [
    'request',
    'p50 / p99 / latest',
    'limit for p99',
    'refused',
    'of others: verdicts a second',
    'refused',
    'main threads waited for a core',
  ],
  waited.map((one) => {
    const { of, refused, others, waitedForCore } = one
    const verdicts = others.outcomes['200']?.count ?? 0
    return [
      of.name,
      [at(one, 0.5), at(one, 0.99), at(one, 1)].map((ms) => ms.toFixed(1)).join(' / '),
      `${of.p99MsMax}`,
      `${refused}`,
      (verdicts / others.seconds).toFixed(0),
      `${others.sent - verdicts}`,
      percent(waitedForCore),
    ]
  }),
)}

Times in milliseconds from the start of the connection to the answer. The generators share the cores with the service:
what its main threads waited for a core is part of the times.
`
}
