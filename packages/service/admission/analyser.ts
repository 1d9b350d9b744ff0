/**
 * Messages to worker threads and Analyses back: at most one message on each worker, the others
 * in the queue.
 *
 * Two limits hold the CPU time of one message. The worker looks at its own clock between stages
 * and judges what it has read by then. Should it never look again, because something in it runs
 * without end, the worker is ended from outside and a new one judges the header alone.
 */
import { hash } from 'node:crypto'
import type { EmbeddingTables } from '../../mail/embedding/static-embedding.ts'
import { TamisError } from '../../mail/errors.ts'
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

/** Largest body that a worker gets a copy of, in bytes: the first room for one of unknown length. */
const COPIED_BYTES_MAX = 64 * 1024

/** Messages remembered over which a worker has ended: 100 bytes each. */
const DEADLY_MAX = 1_000

/** Judged by each worker before the first real message, so that all of it is loaded by then. */
const WARM_UP_MESSAGE = 'From: tamis@localhost\r\nSubject: warm up\r\n\r\nHello\r\n'

export interface AnalyserSettings {
  readonly models: Models
  /** Absent where another thread embeds. */
  readonly embedding?: EmbeddingTables | undefined
  readonly workers: number
  readonly queueDepth: number
  readonly queueTimeoutMs: number
  /** CPU time for one message, in milliseconds; what was read by then is judged. */
  readonly cpuMsMax: number
  /** Time after which a worker that has not answered is ended, in milliseconds. */
  readonly workerKillMs: number
  /** Another worker module, for tests. */
  readonly workerModule?: URL
}

/** When and for whom a message has its turn. */
export interface Turn {
  /** Gives what the tenant's corrections have taught models of this version, in shared memory; asked when a worker begins. */
  readonly leaseDeltas?: ((version: string) => DeltasLease | undefined) | undefined
  /** Where the answer goes: closed when nobody waits for it any more. */
  readonly outlet?: Outlet
}

export interface Analysed {
  readonly analysis: Analysis
  /** Wait in the queue, in milliseconds. */
  readonly queueMs: number
  /** From the hand-over to a worker to its answer, in milliseconds. */
  readonly workerMs: number
  /** Why a worker ended over this message, so that the header alone was judged; undefined when none did. */
  readonly workerEnd: Error | undefined
}

/** What came of a task: an Analysis, or the end of the worker that had it. */
type Outcome =
  | { readonly analysis: Analysis; readonly workerEnd: undefined }
  | { readonly analysis: undefined; readonly workerEnd: Error }

export class Analyser {
  readonly #settings: AnalyserSettings
  readonly #queue: AdmissionQueue
  /** Those that have nothing to do; as many as may run at once, together with those that have. */
  readonly #idle: AnalysisThread[]
  readonly #threads: readonly AnalysisThread[]
  /** Names of messages over which a worker has ended; the longest known first. */
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

  /** An analyser whose workers are all up. */
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

  /** How many wait. */
  get queueDepth(): number {
    return this.#queue.depth
  }

  /** True while messages are taken and a worker is there to read them. */
  get ready(): boolean {
    return !this.#closing && this.#threads.some(({ isUp }) => isUp)
  }

  /** Throws what `analyse` would throw at once: to be asked before a body is received. */
  refuseIfFull(): void {
    this.#queue.refuseIfFull()
  }

  /** The same, given and not thrown; undefined while there is room. */
  refusal(): TamisError | undefined {
    return this.#queue.refusal()
  }

  /**
   * The Analysis of `body`, whose bytes, when they are many, are handed over and gone from this thread.
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

  /** Takes answers that have come, so that the next messages get their turns: to be called again and again by what keeps this thread busy. */
  poll(): void {
    for (const thread of this.#threads) thread.poll()
  }

  /** Takes nothing new, gives what is queued `graceMs` to end, and ends the workers. */
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
    // Kept in case a worker ends over the message: bytes that are handed over are gone.
    const kept = isHandedOver(body) ? headerOf(body) : body
    const length = lengthOf(body)
    const isDeadly = this.#deadly.size > 0 && this.#deadly.has(nameOf(length, headerOf(kept)))
    const whole = isDeadly
      ? { analysis: undefined, workerEnd: new Error('A worker has ended over this message before') }
      : await this.#run({ ...task, body, headerOnly: false })
    if (whole.analysis !== undefined) return whole
    const header = headerOf(kept)
    this.#rememberDeadly(nameOf(length, header))

    const headerTask = { ...task, body: header, headerOnly: true }
    const { analysis, workerEnd } = await this.#run(headerTask)
    if (analysis === undefined) {
      throw new TamisError('INTERNAL', 'The header of a message took a worker down', {
        cause: workerEnd,
      })
    }
    const limitsReached = [...new Set([...analysis.limitsReached, 'CPU' as const])]
    return { analysis: { ...analysis, limitsReached }, workerEnd: whole.workerEnd }
  }

  /** The same message sent again and again shall not keep the workers busy with starting. */
  #rememberDeadly(name: string): void {
    this.#deadly.delete(name)
    this.#deadly.add(name)
    if (this.#deadly.size > DEADLY_MAX) this.#deadly.delete(this.#deadly.values().next().value!)
  }

  /** Runs `task` on a worker that has nothing to do: the queue lets no more in than there are. */
  async #run(task: AnalyseTask, limitMs?: number): Promise<Outcome> {
    const thread = this.#idle.pop()
    if (thread === undefined)
      throw new RangeError('More messages are let in than there are workers')
    const { body } = task
    try {
      const result = await thread.run(task, isHandedOver(body) ? [body.bytes.buffer] : [], limitMs)
      return { analysis: analysisOf(result), workerEnd: undefined }
    } catch (error) {
      // A worker returns its errors. What is thrown else is its end: by the limit, or out of memory.
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
    throw new TamisError('NOT_READY', `A worker does not start: ${workerEnd.message}`, {
      cause: workerEnd,
    })
  }
}

function openThreads(settings: AnalyserSettings): AnalysisThread[] {
  const { models, embedding, workers, workerKillMs } = settings
  const module = settings.workerModule ?? workerModule(import.meta.url, 'worker')
  const workerData: WorkerData = { models, ...(embedding && { embedding }) }
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

/** Smaller ones are copied: that costs less than to keep their header in case the worker ends. */
function isHandedOver(body: MessageBody): body is MessageBody & { readonly kind: 'memory' } {
  return body.kind === 'memory' && body.bytes.buffer.byteLength > COPIED_BYTES_MAX
}

/** The same for the same message; one that differs from it in the body alone is as suspect. */
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

/** A copy alone in its ArrayBuffer, as a hand-over needs it. */
function ownBytes(bytes: Uint8Array): Uint8Array<ArrayBuffer> {
  const copy = new Uint8Array(bytes.length)
  copy.set(bytes)
  return copy
}
