/**
 * `tamis bench`: how fast this machine classifies the mail that it is given. By itself it measures
 * the analysis on one thread; with `--url` a running service, as clients see it.
 */
import { readModels } from '../../artifact-files/artifact-files.ts'
import { type TamisClient, TamisClientError } from '../../client/client.ts'
import { TamisError } from '../../errors/errors.ts'
import { analyse } from '../../mail/analyse.ts'
import type { Knowledge } from '../../mail/knowledge/knowledge.ts'
import { memoryOctets } from '../../mail/message/octets.ts'
import type { Models } from '../../mail/models/models.ts'
import type { Analysis } from '../../mail/verdict/analysis.ts'
import { decide } from '../../mail/verdict/decide.ts'
import { NO_EVIDENCE } from '../../mail/verdict/evidence.ts'
import { type Policy, policyFor } from '../../mail/verdict/policy.ts'
import type { Command } from '../../terminal/command.ts'
import { printJson, printRow } from '../../terminal/output.ts'
import { type Progress, startProgress } from '../../terminal/progress.ts'
import { policySettings, readOwnConfig } from '../config.ts'
import { openKnowledge } from '../known-domains.ts'
import { factsHere } from './delivery-options.ts'
import { readMailbox } from './mailbox.ts'
import {
  ANSWER_MS_MAX,
  numberBetween,
  readServiceUrl,
  type ServiceOptions,
  serviceClient,
} from './service-options.ts'

/** A round goes through fewer messages several times: a shorter one is over before the compiler is. */
const ROUND_MESSAGES_MIN = 2_000

/** Rounds of which the median counts; one more before them warms the compiler up. */
const ROUNDS = 5

interface BenchOptions {
  readonly json?: boolean
  readonly rounds: number
  readonly url?: string
  readonly keyFile?: string
  readonly connections: number
}

export function addBenchCommand(program: Command): void {
  program
    .command('bench')
    .description('measure how fast this machine classifies mail')
    .argument('<paths...>', 'messages, folders of messages, Maildirs, mbox files')
    .option('--rounds <n>', 'number of rounds; the median counts', numberBetween(1, 1_000), ROUNDS)
    .option('--url <url>', 'measure a running service instead', readServiceUrl)
    .option('--key-file <file>', 'file with the API key of that service')
    .option('--connections <n>', 'requests to it at the same time', numberBetween(1, 1_000), 8)
    .option('--json', 'print one JSON object')
    .notes(`
Without --url it measures the processor time per message on one thread, from bytes to verdict, and for each
stage. A service with n server processes judges about n times as many messages. With --url it measures whole requests;
the processor time of this command is included. The mail is first read into memory. Use your own mail, because
message sizes differ.

Examples:
  tamis bench examples/
  tamis bench ~/Maildir --url http://127.0.0.1:8025 --connections 16 --json`)
    .action(bench)
}

async function bench(paths: readonly string[], options: BenchOptions): Promise<void> {
  const given = await readMessages(paths)
  const messages = repeated(given, ROUND_MESSAGES_MIN)
  const { url } = options
  const figures =
    url === undefined
      ? await measureHere(messages, options.rounds)
      : await measureService(messages, { ...options, url })
  const bytes = given.reduce((sum, message) => sum + message.length, 0)
  const about = { messages: given.length, meanBytes: Math.round(bytes / given.length) }
  if (options.json) printJson({ ...about, ...figures })
  else for (const [name, value] of Object.entries({ ...about, ...figures })) printRow(name, value)
}

async function readMessages(paths: readonly string[]): Promise<Uint8Array[]> {
  const messages: Uint8Array[] = []
  for (const path of paths) {
    for await (const { bytes } of readMailbox(path)) messages.push(bytes)
  }
  if (messages.length === 0)
    throw new TamisError('NOT_A_MESSAGE', `There is no message in ${paths.join(', ')}`)
  return messages
}

/** All of `messages`, and as often as it takes to be `atLeast`. */
function repeated<T>(messages: readonly T[], atLeast: number): T[] {
  return Array.from({ length: Math.ceil(atLeast / messages.length) }, () => messages).flat()
}

type Figures = Readonly<Record<string, number | string>>

async function measureHere(messages: readonly Uint8Array[], rounds: number): Promise<Figures> {
  const config = readOwnConfig()
  const models = await readModels(config.models)
  const knowledge = await openKnowledge(config.knownDomains)
  const policy = policyFor(models, policySettings(config))
  const progress = startProgress('bench', (rounds + 1) * messages.length)
  const measure = () => measureRound(messages, models, knowledge, policy, () => progress.advance())
  measure()
  const measured = Array.from({ length: rounds }, measure)
  progress.end()
  const { cpuMs, stages } = medianRound(measured)
  const perMessage = (ms: number) => Number((ms / messages.length).toFixed(4))
  const byStage = Object.entries(stages).map(([stage, ms]) => [`${stage}Ms`, perMessage(ms)])
  return {
    cpuMsPerMessage: perMessage(cpuMs),
    messagesPerSecond: Math.round((1_000 * messages.length) / cpuMs),
    ...Object.fromEntries(byStage),
  }
}

function medianRound(rounds: readonly Round[]): Round {
  return rounds.toSorted((a, b) => a.cpuMs - b.cpuMs)[Math.floor(rounds.length / 2)]!
}

async function measureService(
  messages: readonly Uint8Array[],
  { rounds, connections, ...service }: BenchOptions & ServiceOptions,
): Promise<Figures> {
  const tamis = serviceClient(service, ANSWER_MS_MAX, false)
  const progress = startProgress('bench', (rounds + 1) * messages.length)
  await sendAll(tamis, messages, connections, progress)
  const latencies: number[] = []
  let refused = 0
  const started = performance.now()
  for (let round = 0; round < rounds; round++) {
    const sent = await sendAll(tamis, messages, connections, progress)
    latencies.push(...sent.latencies)
    refused += sent.refused
  }
  const seconds = (performance.now() - started) / 1_000
  progress.end()
  const sorted = latencies.toSorted((a, b) => a - b)
  const quantile = (share: number) =>
    Number((sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))] ?? 0).toFixed(2))
  return {
    connections,
    messagesPerSecond: Math.round(latencies.length / seconds),
    p50Ms: quantile(0.5),
    p99Ms: quantile(0.99),
    refused,
  }
}

/** Sends each message once, `connections` at a time. */
async function sendAll(
  tamis: TamisClient,
  messages: readonly Uint8Array[],
  connections: number,
  progress: Progress,
): Promise<{ latencies: number[]; refused: number }> {
  const latencies: number[] = []
  let refused = 0
  let next = 0
  const sendInTurn = async () => {
    for (let message = messages[next++]; message !== undefined; message = messages[next++]) {
      const started = performance.now()
      if (await isAnswered(tamis, message)) latencies.push(performance.now() - started)
      else refused++
      progress.advance()
    }
  }
  await Promise.all(Array.from({ length: connections }, sendInTurn))
  return { latencies, refused }
}

/** False where the service says that it has too much to do. */
async function isAnswered(tamis: TamisClient, message: Uint8Array): Promise<boolean> {
  try {
    await tamis.classifyStream(message)
    return true
  } catch (error) {
    if (error instanceof TamisClientError && error.status === 503) return false
    throw error
  }
}

export interface Round {
  /** User and system time of the process, compiler and garbage collector included, in milliseconds. */
  readonly cpuMs: number
  /** Wall-clock time by stage, in milliseconds. */
  readonly stages: Record<keyof Analysis['timing'] | 'decide', number>
}

/** Analyses and decides each of `messages`, with `afterEach` between them, whose time counts too. */
export function measureRound(
  messages: readonly Uint8Array[],
  models: Models,
  knowledge: Knowledge,
  policy: Policy,
  afterEach: () => void = () => {},
): Round {
  const stages = { parse: 0, signals: 0, features: 0, models: 0, decide: 0 }
  const facts = factsHere()
  const now = () => performance.now()
  const before = process.cpuUsage()
  for (const bytes of messages) {
    const analysis = analyse(memoryOctets(bytes), facts, models, { now, knowledge })
    const analysed = now()
    decide(analysis, NO_EVIDENCE, policy)
    stages.decide += now() - analysed
    for (const [stage, ms] of Object.entries(analysis.timing))
      stages[stage as keyof typeof stages] += ms
    afterEach()
  }
  const { user, system } = process.cpuUsage(before)
  return { cpuMs: (user + system) / 1_000, stages }
}
