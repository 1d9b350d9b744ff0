/**
 * Sends messages to worker threads and returns their Analyses: each worker has at most one message, the
 * others wait in the queue.
 *
 * Two limits bound the CPU time of one message. The worker looks at its own clock between stages and
 * judges by what it has read so far. If it never looks again, because something in it runs endlessly,
 * the worker is ended from outside and a new one judges the header alone.
 */
import { hash } from 'node:crypto'
import type { EmbeddingTables } from '../../mail/embedding/static-embedding.ts'
import { TamisError } from '../../mail/errors.ts'
import type { Knowledge } from '../../mail/knowledge/knowledge.ts'
import type { DeltasLease } from '../../mail/learning/delta-buffers.ts'
import type { Deltas } from '../../mail/learning/deltas.ts'
import { HEADER_BYTES_MAX } from '../../mail/message/limits.ts'
import type { Models } from '../../mail/models/models.ts'
import type { Analysis } from '../../mail/verdict/analysis.ts'
import { workerModule } from '../../mail/worker-module.ts'
import type { AnalyseRequest, AnalyseResult, AnalyseTask, WorkerData } from './analyse-task.ts'
import { AnalysisThread, START_MS } from './analysis-thread.ts'
import { fileOctets } from './file-octets.ts'
import type { MessageBody } from './message-body.ts'
import { AdmissionQueue, type Outlet } from './queue.ts'

/** Largest body that a worker gets a copy of, in bytes. */
const COPIED_BYTES_MAX = 64 * 1024

/** How many messages that ended a worker are remembered, at 100 bytes each. */
const DEADLY_MAX = 1_000

/** A message that each worker judges before the first real one, so that all code is loaded by then. */
const WARM_UP_MESSAGE = 'From: tamis@localhost\r\nSubject: warm up\r\n\r\nHello\r\n'

export interface AnalyserSettings {
  readonly models: Models
  /** What is known of senders and hosts. */
  readonly knowledge?: Knowledge
  /** Absent when another thread embeds. */
  readonly embedding?: EmbeddingTables | undefined
  readonly workers: number
  readonly queueDepth: number
  readonly queueTimeoutMs: number
  /** CPU time for one message, in milliseconds; then it is judged by what has been read. */
  readonly cpuMsMax: number
  /** Time in milliseconds after which a worker that has not answered is ended. */
  readonly workerKillMs: number
  /** Another worker module, for tests. */
  readonly workerModule?: URL
}

/** On whose behalf a message is analysed. */
export interface Turn {
  /** Gives what the tenant's corrections have taught models of this version, in shared memory; asked when a worker begins. */
  readonly leaseDeltas?: ((version: string) => DeltasLease | undefined) | undefined
  /** Where the answer goes: closed when nobody waits for it any more. */
  readonly outlet?: Outlet
}

export interface Analysed {
  readonly analysis: Analysis
  /** Time in the queue, in milliseconds. */
  readonly queueMs: number
  /** Time from the hand-over to a worker to its answer, in milliseconds. */
  readonly workerMs: number
  /** Why a worker ended over this message, so that the header alone was judged; undefined when none did. */
  readonly workerEnd: Error | undefined
}

/** The outcome of a task: an Analysis, or the end of the worker that had it. */
type Outcome =
  | { readonly analysis: Analysis; readonly workerEnd: undefined }
  | { readonly analysis: undefined; readonly workerEnd: Error }

export class Analyser {
  readonly #settings: AnalyserSettings
  readonly #queue: AdmissionQueue
  /** The idle workers; together with the busy ones they are as many as may run at once. */
  readonly #idle: AnalysisThread[]
  readonly #threads: readonly AnalysisThread[]
  /** Names of messages that ended a worker; the oldest first. */
  readonly #deadly = new Set<string>()
  #closing = false

  private constructor(settings: AnalyserSettings) {
    this.#settings = settings
    this.#queue = new AdmissionQueue({
      concurrency: settings.workers,
      depthMax: settings.queueDepth,
      timeoutMs: settings.queueTimeoutMs,
    })
    this.#threads = openThreads(settings)
    this.#idle = [...this.#threads]
  }

  /** Opens an analyser whose workers have all started. */
  static async open(settings: AnalyserSettings): Promise<Analyser> {
    const analyser = new Analyser(settings)
    try {
      await Promise.all(Array.from({ length: settings.workers }, () => analyser.#warmUp()))
      return analyser
    } catch (error) {
      await analyser.close(0)
      throw error
    }
  }

  /** How many messages wait. */
  get queueDepth(): number {
    return this.#queue.depth
  }

  /** True while messages are accepted and a worker is up to read them. */
  get ready(): boolean {
    return !this.#closing && this.#threads.some(({ isUp }) => isUp)
  }

  /** Throws what `analyse` would throw at once: to be called before a body is received. */
  refuseIfFull(): void {
    this.#queue.refuseIfFull()
  }

  /** The same error, returned rather than thrown; undefined while there is room. */
  refusal(): TamisError | undefined {
    return this.#queue.refusal()
  }

  /**
   * The Analysis of `body`. The bytes of a large body are handed over and can no longer be used on this thread.
   *
   * @throws TamisError NOT_A_MESSAGE, and what AdmissionQueue.run throws.
   */
  async analyse(
    body: MessageBody,
    request: AnalyseRequest,
    { leaseDeltas, outlet }: Turn = {},
  ): Promise<Analysed> {
    const queued = performance.now()
    return await this.#queue.run(async () => {
      const started = performance.now()
      using lease = leaseDeltas?.(this.#settings.models.version)
      const judged = await this.#analyseOnWorker(body, request, lease?.deltas)
      return { ...judged, queueMs: started - queued, workerMs: performance.now() - started }
    }, outlet)
  }

  /** Takes answers that have arrived, so that the next messages can start. Code that keeps this thread busy has to call it regularly. */
  poll(): void {
    for (const thread of this.#threads) thread.poll()
  }

  /** Accepts nothing new, gives what is queued `graceMs` to finish, and ends the workers. */
  async close(graceMs: number): Promise<void> {
    this.#closing = true
    await this.#queue.close(graceMs)
    await Promise.all(this.#threads.map((thread) => thread.close()))
  }

  async #analyseOnWorker(
    body: MessageBody,
    request: AnalyseRequest,
    deltas: Deltas | undefined,
  ): Promise<Pick<Analysed, 'analysis' | 'workerEnd'>> {
    const { cpuMsMax } = this.#settings
    const task = { ...request, cpuMsMax, ...(deltas && { deltas }) }
    // Kept in case the message ends a worker: bytes that are handed over cannot be read again.
    const kept = isHandedOver(body) ? headerOf(body) : body
    const length = lengthOf(body)
    const isDeadly = this.#deadly.size > 0 && this.#deadly.has(nameOf(length, headerOf(kept)))
    const whole = isDeadly
      ? { analysis: undefined, workerEnd: new Error('A worker has ended on this message before') }
      : await this.#run({ ...task, body, headerOnly: false })
    if (whole.analysis !== undefined) return whole
    const header = headerOf(kept)
    this.#rememberDeadly(nameOf(length, header))

    const headerTask = { ...task, body: header, headerOnly: true }
    const { analysis, workerEnd } = await this.#run(headerTask)
    if (analysis === undefined) {
      throw new TamisError('INTERNAL', 'The header of a message made a worker end', {
        cause: workerEnd,
      })
    }
    const limitsReached = [...new Set([...analysis.limitsReached, 'CPU' as const])]
    return { analysis: { ...analysis, limitsReached }, workerEnd: whole.workerEnd }
  }

  /** Remembers a message that ended a worker, so that sending it again and again does not keep restarting workers. */
  #rememberDeadly(name: string): void {
    this.#deadly.delete(name)
    this.#deadly.add(name)
    if (this.#deadly.size > DEADLY_MAX) this.#deadly.delete(this.#deadly.values().next().value!)
  }

  /** Runs `task` on an idle worker; the queue admits no more tasks than there are workers. */
  async #run(task: AnalyseTask, limitMs?: number): Promise<Outcome> {
    const thread = this.#idle.pop()
    if (thread === undefined)
      throw new RangeError('More messages are let in than there are workers')
    const { body } = task
    try {
      const result = await thread.run(task, isHandedOver(body) ? [body.bytes.buffer] : [], limitMs)
      return { analysis: analysisOf(result), workerEnd: undefined }
    } catch (error) {
      // A worker returns its errors. Anything thrown means that it ended: by the limit, or out of memory.
      if (error instanceof TamisError) throw error
      if (this.#closing) throw new TamisError('SHUTTING_DOWN', 'The service is shutting down')
      return { analysis: undefined, workerEnd: error as Error }
    } finally {
      this.#idle.push(thread)
    }
  }

  async #warmUp(): Promise<void> {
    const body = { kind: 'memory', bytes: ownBytes(Buffer.from(WARM_UP_MESSAGE)) } as const
    const { cpuMsMax } = this.#settings
    const request: AnalyseRequest = { facts: { now: new Date() }, personal: true, teach: true }
    const task = { ...request, body, cpuMsMax, headerOnly: false }
    // The first message has code to load and to compile.
    const { workerEnd } = await this.#run(task, START_MS)
    if (workerEnd === undefined) return
    throw new TamisError('NOT_READY', `A worker cannot start: ${workerEnd.message}`, {
      cause: workerEnd,
    })
  }
}

function openThreads(settings: AnalyserSettings): AnalysisThread[] {
  const { models, knowledge, embedding, workers, workerKillMs } = settings
  const module = settings.workerModule ?? workerModule(import.meta.url, 'worker')
  const workerData: WorkerData = {
    models,
    ...(knowledge && { knowledge }),
    ...(embedding && { embedding }),
  }
  return Array.from({ length: workers }, () => new AnalysisThread(module, workerData, workerKillMs))
}

function analysisOf(result: AnalyseResult): Analysis {
  switch (result.kind) {
    case 'analysis':
      return result.analysis
    case 'refusal':
      throw new TamisError(result.code, result.message, { details: { ...result.details } })
    case 'failure':
      throw new TamisError('INTERNAL', 'A message could not be analysed', { cause: result.error })
  }
}

/** Whether the bytes are handed over. Small bodies are copied: that costs less than keeping their header in case the worker ends. */
function isHandedOver(body: MessageBody): body is MessageBody & { readonly kind: 'memory' } {
  return body.kind === 'memory' && body.bytes.buffer.byteLength > COPIED_BYTES_MAX
}

/** A name that is the same for the same message. A message that differs only in its body is as suspect. */
function nameOf(length: number, header: MessageBody & { readonly kind: 'memory' }): string {
  return `${length} ${hash('sha256', header.bytes, 'base64')}`
}

function lengthOf(body: MessageBody): number {
  return body.kind === 'memory' ? body.bytes.length : body.length
}

/** A copy of the header of `body`, blank line included. */
function headerOf(body: MessageBody): MessageBody & { readonly kind: 'memory' } {
  const head =
    body.kind === 'memory'
      ? body.bytes.subarray(0, HEADER_BYTES_MAX)
      : fileOctets(body.descriptor, body.length).slice(0, HEADER_BYTES_MAX)
  return { kind: 'memory', bytes: ownBytes(head.subarray(0, headerLength(head))) }
}

function headerLength(head: Uint8Array): number {
  const buffer = Buffer.from(head.buffer, head.byteOffset, head.byteLength)
  const blankLines = ['\r\n\r\n', '\n\n'].map((blankLine) => {
    const start = buffer.indexOf(blankLine, 0, 'latin1')
    return start < 0 ? buffer.length : start + blankLine.length
  })
  return Math.min(...blankLines)
}

/** A copy in an ArrayBuffer of its own, as a hand-over needs it. */
function ownBytes(bytes: Uint8Array): Uint8Array<ArrayBuffer> {
  const copy = new Uint8Array(bytes.length)
  copy.set(bytes)
  return copy
}
