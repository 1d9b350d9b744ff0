/**
 * What the service takes of a machine: memory, a start, time at rest; and what stays quick while it works. With --base DIR beside
 * another checkout, phase by phase.
 */
import { mkdtempSync, rmSync } from 'node:fs'
import { Agent } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { page, table } from '../evaluation/markdown.ts'
import { type Given, measuredOn } from './benchmark.ts'
import { answered, load, loadAtRate, post, quantile, shopMessages } from './load.ts'
import { readMailAsItComes } from './message-sets.ts'
import { atRest, threadCpuMs, treeCpuMs, treeMemoryMiB } from './processes.ts'
import { checkouts, startTamis, type Tamis } from './tamis.ts'

const USERS = 100
/** One message in so many is corrected by its user. */
const CORRECTED_EVERY = 40
const IN_FLIGHT = 16

const REPLACEMENTS = 10
const REPLACING_RATE = 300

/** Connections that a milter or a few spamc keep. */
const FEW_CONNECTIONS = [2, 4, 8]
const SPREAD_ROUNDS = 5
const SPREAD_SECONDS = 2

/** By name, in the order of the table. */
type Figures = Record<string, string>

type Phase = (start: (threads: number) => Promise<Tamis>, given: Given) => Promise<Figures>

const PHASES: readonly Phase[] = [started, atRestWithOne, atRestWithTwo, used, replaced]

export async function measureResources(given: Given): Promise<string> {
  const scratch = mkdtempSync(join(tmpdir(), 'tamis-resources-'))
  const columns = checkouts(given.base).map((checkout) => ({ checkout, figures: {} as Figures }))
  try {
    for (const phase of PHASES) {
      for (const { checkout, figures } of columns) {
        const started: Tamis[] = []
        const start = async (threads: number) => {
          const tamis = await startTamis(checkout, join(scratch, checkout.name), {
            TAMIS_WORKERS: `${threads}`,
            TAMIS_LOG_LEVEL: 'warn',
          })
          started.push(tamis)
          return tamis
        }
        try {
          Object.assign(figures, await phase(start, given))
        } finally {
          for (const { stop } of started) await stop()
        }
      }
    }
  } finally {
    rmSync(scratch, { recursive: true, force: true })
  }
  const names = Object.keys(columns[0]!.figures)
  const rows = names.map((name) => [name, ...columns.map(({ figures }) => figures[name]!)])
  const head = ['', ...columns.map(({ checkout }) => checkout.name)]
  const values = { ...measuredOn(given), figures: table(head, rows) }
  return page('resources', values)
}

/** The first start writes what V8 keeps compiled. */
async function started(start: Parameters<Phase>[0]): Promise<Figures> {
  const starts: { wall: number; cpu: number }[] = []
  for (let i = 0; i < 6; i++) {
    const from = performance.now()
    const { pid, stop } = await start(2)
    starts.push({ wall: performance.now() - from, cpu: treeCpuMs(pid) })
    await stop()
  }
  const median = (of: 'wall' | 'cpu') =>
    starts
      .slice(1)
      .map((each) => each[of])
      .sort((a, b) => a - b)[2]! / 1_000
  return {
    'start to ready, s': median('wall').toFixed(2),
    'CPU of a start, s': median('cpu').toFixed(2),
  }
}

async function atRestWithOne(start: Parameters<Phase>[0]): Promise<Figures> {
  const { pid } = await start(1)
  await atRest(pid)
  return { 'memory at rest, one serving thread, MiB': treeMemoryMiB(pid).toFixed(0) }
}

async function atRestWithTwo(start: Parameters<Phase>[0], { numbers }: Given): Promise<Figures> {
  const { pid } = await start(2)
  await atRest(pid)
  const before = treeCpuMs(pid)
  await sleep(1_000 * numbers['idle']!)
  const idle = (treeCpuMs(pid) - before) / numbers['idle']! / 10
  return {
    'memory at rest, two serving threads, MiB': treeMemoryMiB(pid).toFixed(0),
    'CPU at rest, of a core': `${idle.toFixed(2)} %`,
  }
}

async function used(start: Parameters<Phase>[0], { corpora, numbers }: Given): Promise<Figures> {
  const { pid, url } = await start(2)
  const { messages, paths } = readMailAsItComes(corpora!)
  const agent = new Agent()
  const asked = Array.from({ length: numbers['messages']! }, (_, i) => i).values()
  const ask = async (): Promise<void> => {
    for (const i of asked) {
      const at = i % messages.length
      const user = { 'x-user-id': `user-${i % USERS}` }
      await post(`${url}/classify-stream`, messages[at]!, agent, user)
      if (i % CORRECTED_EVERY > 0) continue
      const spam = { ...user, 'x-is-spam': `${paths[at]!.includes('/spam')}` }
      await post(`${url}/feedback-stream`, messages[at]!, agent, spam)
    }
  }
  await Promise.all(Array.from({ length: IN_FLIGHT }, ask))
  const embedding = await embedWhileJudging(url, numbers['seconds']!)
  const spread: Figures = {}
  for (const connections of FEW_CONNECTIONS) {
    spread[`spread of ${connections} connections: median, lowest`] = await spreadOf({
      pid,
      url,
      connections,
    })
  }
  await atRest(pid)
  return {
    'memory after the messages, encoder loaded, MiB': treeMemoryMiB(pid).toFixed(0),
    ...embedding,
    ...spread,
  }
}

async function embedWhileJudging(url: string, seconds: number): Promise<Figures> {
  const judging = load({
    url: `${url}/classify-stream`,
    messages: shopMessages(200),
    connections: IN_FLIGHT,
    seconds,
  })
  const agent = new Agent()
  const times: number[] = []
  const json = { 'content-type': 'application/json' }
  for (
    const until = performance.now() + 1_000 * seconds;
    performance.now() < until;
    await sleep(20)
  ) {
    const text =
      `Your order ${times.length} is on its way and will be there on Friday before noon. `.repeat(4)
    const from = performance.now()
    await post(`${url}/classify/embed-text`, Buffer.from(JSON.stringify({ text })), agent, json)
    times.push(performance.now() - from)
  }
  const { seconds: took, ...result } = await judging
  // The first loads the encoder.
  const ms = Float64Array.from(times.slice(1)).sort()
  return {
    'embed-text while all threads judge: p50 / p99, ms': `${quantile(ms, 0.5).toFixed(0)} / ${quantile(ms, 0.99).toFixed(0)}`,
    'embed-text meanwhile, and verdicts, per second': `${(times.length / took).toFixed(0)}, ${(answered(result) / took).toFixed(0)}`,
  }
}

/** CPU time of the second busiest thread as a share of the busiest one's: 1 where both serve equally, near 0 where one serves all. */
async function spreadOf({
  pid,
  url,
  connections,
}: {
  pid: number
  url: string
  connections: number
}): Promise<string> {
  const shares: number[] = []
  for (let round = 0; round < SPREAD_ROUNDS; round++) {
    const before = threadCpuMs(pid)
    await load({
      url: `${url}/classify-stream`,
      messages: shopMessages(200),
      connections,
      seconds: SPREAD_SECONDS,
    })
    const [first = 0, second = 0] = [...threadCpuMs(pid)]
      .map(([thread, ms]) => ms - (before.get(thread) ?? 0))
      .sort((a, b) => b - a)
    shares.push(second / first)
  }
  shares.sort((a, b) => a - b)
  return `${shares[SPREAD_ROUNDS >> 1]!.toFixed(2)}, ${shares[0]!.toFixed(2)}`
}

async function replaced(start: Parameters<Phase>[0], { numbers }: Given): Promise<Figures> {
  const { pid, url } = await start(2)
  const to = { url: `${url}/classify-stream`, messages: shopMessages(200) }
  await load({ ...to, connections: IN_FLIGHT, seconds: 10 })
  const before = await verdictsAt(url)
  const seconds = REPLACEMENTS * numbers['gap']!
  const asking = loadAtRate(to, REPLACING_RATE, seconds)
  for (let i = 0; i < REPLACEMENTS; i++) {
    await sleep(1_000 * numbers['gap']!)
    process.kill(pid, 'SIGHUP')
  }
  const result = await asking
  await atRest(pid)
  const judged = (await verdictsAt(url)) - before
  const verdicts = answered(result)
  return {
    'ten replacements at 300/s: sent, refused, broken off': `${result.sent}, ${result.sent - verdicts - result.failed}, ${result.failed}`,
    'judged more often than answered': String(Math.max(0, judged - verdicts)),
    'p99 / latest meanwhile, ms': [0.99, 1]
      .map((share) => quantile(result.latencies.get(200)!, share).toFixed(0))
      .join(' / '),
    'memory after ten replacements, MiB': treeMemoryMiB(pid).toFixed(0),
  }
}

async function verdictsAt(url: string): Promise<number> {
  const metrics = await (await fetch(`${url}/metrics`)).text()
  return [...metrics.matchAll(/^tamis_verdicts_total\{.*\} (\d+)/gm)].reduce(
    (sum, [, count]) => sum + Number(count),
    0,
  )
}
