/** The main thread's side of what threads share (threads/shared.ts). */
import { type ResourceLimits, Worker } from 'node:worker_threads'
import { Calls, type NewCaller } from '../threads/calls.ts'
import type { SharedCalls, SharedThreadStart } from '../threads/shared.ts'
import { YOUNG_MIB_MAX } from '../threads/thread.ts'
import { trimMalloc } from './libc.ts'

/** A thread of the service, which shares with the others. */
type User = object

interface Memory {
  readonly users: Set<User>
  /** The thread that makes it, until it is there. */
  maker: User | undefined
  memory: SharedArrayBuffer | undefined
  /** Threads that wait for it, or for their turn to make it. */
  readonly waiting: Map<User, (memory: SharedArrayBuffer | undefined) => void>
}

interface SharedThread {
  readonly users: Set<User>
  readonly worker: Worker
}

/** Time for a shared thread to close what it has open, in milliseconds. */
const CLOSE_MS_MAX = 5_000

export class SharedThings {
  readonly #memories = new Map<string, Memory>()
  readonly #threads = new Map<string, SharedThread>()
  readonly #onError: (error: unknown, thread: string) => void

  /** @param onError called when a shared thread ends by an error */
  constructor(onError: (error: unknown, thread: string) => void) {
    this.#onError = onError
  }

  /** What `user` may call. */
  callsOf(user: User): Omit<SharedCalls, 'ask'> {
    return {
      takeMemory: (name) => this.#take(user, name),
      giveMemory: (name, memory) => this.#settle(name, memory),
      failMemory: (name) => this.#settle(name, undefined),
      dropMemory: (name) => this.#drop(user, name),
      connect: (name, start, port) => {
        const { users, worker } = this.#thread(name, start)
        users.add(user)
        const caller: NewCaller = { port }
        worker.postMessage(caller, [port])
      },
      leave: (name) => this.#leave(user, name),
      endThread: async (name) => {
        const thread = this.#threads.get(name)
        this.#threads.delete(name)
        await thread?.worker.terminate()
      },
    }
  }

  /** Keeps `memory` under `name`, whether a thread needs it or not. */
  keep(name: string, memory: SharedArrayBuffer): void {
    const users = new Set<User>([this])
    this.#memories.set(name, { users, maker: undefined, memory, waiting: new Map() })
  }

  /** `user` has ended. */
  forget(user: User): void {
    for (const name of this.#memories.keys()) this.#drop(user, name)
    for (const name of this.#threads.keys()) this.#leave(user, name)
  }

  /** Ends all shared threads. */
  async close(): Promise<void> {
    await Promise.all([...this.#threads.values()].map(({ worker }) => end(worker)))
  }

  async #take(user: User, name: string): Promise<SharedArrayBuffer | undefined> {
    const memory = this.#memories.get(name) ?? {
      users: new Set<User>(),
      maker: user,
      memory: undefined,
      waiting: new Map(),
    }
    this.#memories.set(name, memory)
    memory.users.add(user)
    if (memory.memory !== undefined || memory.maker === user) return memory.memory
    return await new Promise((resolve) => memory.waiting.set(user, resolve))
  }

  #drop(user: User, name: string): void {
    const memory = this.#memories.get(name)
    if (memory === undefined || !memory.users.delete(user)) return
    memory.waiting.delete(user)
    if (memory.maker === user) this.#settle(name, undefined)
    if (memory.users.size === 0) this.#memories.delete(name)
  }

  /** The memory is there, or its maker failed: then the next makes it. */
  #settle(name: string, made: SharedArrayBuffer | undefined): void {
    const memory = this.#memories.get(name)
    if (memory === undefined) return
    memory.memory = made
    const [next] = memory.waiting.keys()
    memory.maker = made === undefined ? next : undefined
    for (const [user, resolve] of memory.waiting) {
      if (made === undefined && user !== next) continue
      memory.waiting.delete(user)
      resolve(made)
    }
    if (made === undefined && next === undefined) this.#memories.delete(name)
  }

  #thread(name: string, start: SharedThreadStart): SharedThread {
    const running = this.#threads.get(name)
    if (running !== undefined) return running
    const { module, workerData, resourceLimits } = start
    const worker = new Worker(new URL(module), {
      workerData,
      execArgv: [],
      resourceLimits: {
        maxYoungGenerationSizeMb: YOUNG_MIB_MAX,
        ...resourceLimits,
      } as ResourceLimits,
    })
    const thread = { users: new Set<User>(), worker }
    this.#threads.set(name, thread)
    worker.on('error', (error) => this.#onError(error, name))
    worker.on('exit', () => {
      trimMalloc()
      if (this.#threads.get(name) === thread) this.#threads.delete(name)
    })
    return thread
  }

  #leave(user: User, name: string): void {
    const thread = this.#threads.get(name)
    if (thread === undefined || !thread.users.delete(user) || thread.users.size > 0) return
    this.#threads.delete(name)
    void end(thread.worker)
  }
}

/** Has the thread close what it has open, if it has a function for it, and ends it. */
async function end(worker: Worker): Promise<void> {
  const calls = new Calls<{ close(): void }>((message) => worker.postMessage(message), {})
  worker.on('message', (message) => calls.receive(message))
  worker.on('exit', () => calls.end(new Error('The thread has ended')))
  const late = setTimeout(() => void worker.terminate(), CLOSE_MS_MAX)
  await calls.call('close').catch(() => {})
  clearTimeout(late)
  await worker.terminate()
}
