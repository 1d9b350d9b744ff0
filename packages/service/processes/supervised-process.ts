/**
 * A process of the service as its supervisor has it: it starts it, hears from it every second, and ends it when
 * it is held up.
 */
import { type ChildProcess, fork } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { TamisError } from '../../errors/errors.ts'
import { moduleBeside } from '../../mail/module-beside.ts'
import type { Change } from '../store/context.ts'
import { type Answer, type Call, Calls, type CallTable } from '../threads/calls.ts'
import { HEAP_FLAGS, OFFICE_HEAP_FLAGS } from '../v8-flags.ts'
import { BEAT_MS } from './beat.ts'
import type { ProcessCallTable, Started, StartOrder } from './under-supervisor.ts'

/** Time for a process to start, in milliseconds. It takes two seconds; on a machine that has just booted with everything else on it, it may take many times as long. */
const START_MS_MAX = 120_000

/** A process that has been silent for so long is held up, in milliseconds. No message takes a third of it. */
const HELD_UP_MS_MAX = 10_000

/** The same while it starts and others serve: its code is in the memory of the system by then. */
const HELD_UP_IN_START_MS_MAX = 30_000

/** Changes within this time are told together, in milliseconds: a message takes both processes a twentieth of one. */
const TOGETHER_MS = 2

/** How often those who wait until it knows what has changed see whether it is silent, in milliseconds. */
const TELL_MS = 100

/** A process that has been silent for so long is no longer waited for, in milliseconds. */
const SILENT_MS_MAX = 2 * BEAT_MS

const NS_PER_MS = 1_000_000

export class SupervisedProcess {
  readonly calls: Calls<ProcessCallTable>
  /** Resolves to how the process has ended. */
  readonly ended: Promise<string>
  readonly #child: ChildProcess
  #isUp = false
  #hasEnded = false
  #lastBeat = performance.now()
  #waitedMs = 0
  readonly #untold: Change[] = []
  /** Resolves when it knows what is untold. */
  #telling: Promise<void> | undefined
  #isLate = false

  /**
   * Forks the process.
   *
   * @param sockets descriptors that a server process inherits, from FIRST_SOCKET_FD on (worker-process.ts).
   * @param functions what it may call.
   */
  constructor(
    module: 'server-process' | 'office-process',
    sockets: readonly number[],
    functions: (process: SupervisedProcess) => CallTable,
  ) {
    this.#child = fork(fileURLToPath(moduleBeside(import.meta.url, module)), {
      execArgv: [...(module === 'server-process' ? HEAP_FLAGS : OFFICE_HEAP_FLAGS)],
      // Dates and bytes go from process to process.
      serialization: 'advanced',
      stdio: ['inherit', 'inherit', 'inherit', 'ipc', ...sockets],
    })
    this.calls = new Calls((message) => this.#send(message), functions(this))
    this.#child.on('message', (message: Call | Answer) => this.calls.receive(message))
    this.ended = new Promise((resolve) => {
      const end = (how: string) => {
        this.#isUp = false
        this.#hasEnded = true
        this.calls.end(new TamisError('NOT_READY', `A server process has ended: ${how}`))
        resolve(how)
      }
      this.#child.on('exit', (code, signal) => end(signal ?? `status ${code}`))
      // A process that cannot be forked has no end.
      this.#child.on('error', (error) => this.pid === undefined && end(error.message))
    })
  }

  get pid(): number | undefined {
    return this.#child.pid
  }

  /** Whether it has started and not ended. */
  get isUp(): boolean {
    return this.#isUp
  }

  /** @throws TamisError, as `openService` does; NOT_READY when the process ends during its start. */
  async start(order: StartOrder): Promise<Started> {
    const late = setTimeout(() => this.kill(), START_MS_MAX)
    try {
      const started = await this.calls.call('start', order)
      this.#isUp = true
      this.beat()
      return started
    } catch (error) {
      this.kill()
      throw error
    } finally {
      clearTimeout(late)
    }
  }

  /** The process is not held up. */
  beat(): void {
    this.#lastBeat = performance.now()
    this.#waitedMs = this.#waitedForProcessorMs()
  }

  /** How long it has been silent, in milliseconds, without the time in which it waited for a processor. */
  get #silentMs(): number {
    return performance.now() - this.#lastBeat - (this.#waitedForProcessorMs() - this.#waitedMs)
  }

  /** Whether it does nothing any more. */
  get isHeldUp(): boolean {
    const silentMsMax = this.#isUp ? HELD_UP_MS_MAX : HELD_UP_IN_START_MS_MAX
    return !this.#hasEnded && this.#silentMs > silentMsMax
  }

  /** Tells it what has changed in the store. Resolves when it knows, or has not started, or is silent and answers nobody. */
  async tellChanges(changes: readonly Change[]): Promise<void> {
    this.#untold.push(...changes)
    this.#telling ??= this.#tellSoon()
    const told = this.#telling.then(() => {
      this.#isLate = false
      return true
    })
    // Only the first to wait for a silent process waits in vain.
    while (this.#isUp && !this.#isLate && (await within(TELL_MS, told)) === undefined) {
      this.#isLate = this.#silentMs > SILENT_MS_MAX
    }
  }

  async #tellSoon(): Promise<void> {
    await sleep(TOGETHER_MS)
    this.#telling = undefined
    await this.calls.call('changed', this.#untold.splice(0)).catch(() => {})
  }

  /** What it answers to a question of another process; undefined if it does not within `msMax`, or fails. */
  async answer(topic: string, args: readonly unknown[], msMax: number): Promise<unknown> {
    const answered = this.calls.call('answer', topic, args).catch(() => undefined)
    return await within(msMax, answered)
  }

  /** Asks it to end after its requests in progress, and kills it after `graceMs`. */
  async close(graceMs: number): Promise<void> {
    const late = setTimeout(() => this.kill(), graceMs)
    await this.calls.call('close').catch(() => {})
    await this.ended
    clearTimeout(late)
  }

  kill(): void {
    this.#child.kill('SIGKILL')
  }

  #send(message: Call | Answer): void {
    // It may have ended meanwhile, which `ended` tells.
    if (!this.#hasEnded) this.#child.send(message, undefined, undefined, () => {})
  }

  /** The time that its main thread has been runnable but not running so far; 0 where the system does not say. */
  #waitedForProcessorMs(): number {
    try {
      const [, waitedNs] = readFileSync(`/proc/${this.pid}/schedstat`, 'utf8').split(' ')
      return Number(waitedNs) / NS_PER_MS
    } catch {
      return 0
    }
  }
}

/** What `promise` gives; undefined, after `late` was called, when it takes longer than `ms` milliseconds. */
export async function within<T>(
  ms: number,
  promise: Promise<T>,
  late?: () => void,
): Promise<T | undefined> {
  let timer: NodeJS.Timeout | undefined
  const timeout = new Promise<undefined>((resolve) => {
    timer = setTimeout(() => {
      late?.()
      resolve(undefined)
    }, ms)
  })
  try {
    return await Promise.race([promise, timeout])
  } finally {
    clearTimeout(timer)
  }
}
