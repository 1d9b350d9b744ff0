/**
 * What the threads of the process have in common: memory, and threads of which there is one. The main thread keeps the list of
 * both (main/shared-things.ts); a command or a test, which is alone, makes its own.
 */
import { MessageChannel, type MessagePort } from 'node:worker_threads'
import { type Answer, type Call, Calls, type CallTable } from './calls.ts'
import { Thread, type ThreadSettings } from './thread.ts'

/** Another thread, whose functions are called. */
export type Callable<Functions extends CallTable> = Pick<
  Thread<Functions>,
  'pending' | 'isClosed' | 'call' | 'end' | 'close'
>

export interface Shared {
  /**
   * The memory that all threads of the process have under `name`; the first that asks for it makes it, while others wait. It is
   * given back when no thread is left that has asked. Rejects where `make` does, in the thread that makes it.
   */
  memory(
    name: string,
    make: () => SharedArrayBuffer | Promise<SharedArrayBuffer>,
  ): Promise<SharedArrayBuffer>
  /** This thread no longer needs the memory under `name`. */
  drop(name: string): void
  /**
   * The one thread that the process has under `name`. It starts with the first call of any thread, and ends when all that
   * have called it have closed it or ended. Calls go to it directly. When it ends, calls in progress fail, and the next
   * starts another.
   */
  thread<Functions extends CallTable>(name: string, settings: ThreadSettings): Callable<Functions>
  /** What the other serving threads answer to `question`; left out are those that fail or do not answer in time. Never rejects. */
  ask(question: string): Promise<readonly unknown[]>
  /** Answers the other threads from now on. */
  answer(question: string, answer: () => unknown): void
}

export const ALONE_SHARED: Shared = {
  memory: async (_name, make) => await make(),
  drop: () => {},
  thread: (_name, settings) => new Thread(settings),
  ask: async () => [],
  answer: () => {},
}

/** How a shared thread is started. */
export interface SharedThreadStart extends Omit<ThreadSettings, 'module' | 'endedBy'> {
  readonly module: string
}

/** What a thread calls on the main thread for `Shared`. */
export type SharedCalls = {
  /** The memory, or undefined for the first call, whose thread then makes it (giveMemory, failMemory) while others wait. */
  takeMemory(name: string): Promise<SharedArrayBuffer | undefined>
  giveMemory(name: string, memory: SharedArrayBuffer): void
  failMemory(name: string): void
  dropMemory(name: string): void
  /** Gives `port` to the shared thread, which answers calls on it; starts it where there is none. */
  connect(name: string, start: SharedThreadStart, port: MessagePort): void
  /** The caller's thread no longer needs it. */
  leave(name: string): void
  /** Terminates it, because it hangs. */
  endThread(name: string): Promise<void>
  /** What the other serving threads answer, and those that have ended, as far as that is kept. */
  ask(question: string): Promise<readonly unknown[]>
}

/** The functions by which a thread answers the questions of others. */
export type Answers = Map<string, () => unknown>

/** `Shared` in a thread that the main thread has started. */
export function sharedThrough(main: Calls<SharedCalls>, answers: Answers): Shared {
  return {
    async memory(name, make) {
      const taken = await main.call('takeMemory', name)
      if (taken !== undefined) return taken
      try {
        const memory = await make()
        main.tell('giveMemory', name, memory)
        return memory
      } catch (error) {
        main.tell('failMemory', name)
        throw error
      }
    },
    drop: (name) => main.tell('dropMemory', name),
    thread: (name, settings) => new ConnectedThread(main, name, settings),
    ask: (question) => main.call('ask', question),
    answer: (question, answer) => answers.set(question, answer),
  }
}

interface Connection<Functions extends CallTable> {
  readonly port: MessagePort
  readonly calls: Calls<Functions>
}

/** A shared thread, as one of its callers has it. */
class ConnectedThread<Functions extends CallTable> implements Callable<Functions> {
  readonly #main: Calls<SharedCalls>
  readonly #name: string
  readonly #settings: ThreadSettings
  #connection: Connection<Functions> | undefined
  #isClosed = false

  constructor(main: Calls<SharedCalls>, name: string, settings: ThreadSettings) {
    this.#main = main
    this.#name = name
    this.#settings = settings
  }

  get pending(): number {
    return this.#connection?.calls.pending ?? 0
  }

  get isClosed(): boolean {
    return this.#isClosed
  }

  call: Thread<Functions>['call'] = (name, ...args) => {
    if (this.#isClosed) return Promise.reject(this.#settings.endedBy(undefined))
    this.#connection ??= this.#connect()
    return this.#connection.calls.call(name, ...args)
  }

  async end(): Promise<void> {
    this.#forget(this.#connection)
    await this.#main.call('endThread', this.#name)
  }

  async close(): Promise<void> {
    this.#isClosed = true
    if (this.#connection !== undefined) this.#main.tell('leave', this.#name)
    this.#forget(this.#connection)
  }

  #connect(): Connection<Functions> {
    const { module, endedBy: _, ...start } = this.#settings
    const { port1, port2 } = new MessageChannel()
    const send = (message: Call | Answer) => port1.postMessage(message)
    const connection = { port: port1, calls: new Calls<Functions>(send, {}) }
    port1.on('message', (answer: Answer) => connection.calls.receive(answer))
    port1.on('close', () => this.#forget(connection))
    const order = { ...start, module: module.href }
    this.#main.tell('connect', this.#name, order, port2)
    return connection
  }

  #forget(connection: Connection<Functions> | undefined): void {
    if (this.#connection === connection) this.#connection = undefined
    connection?.port.close()
    connection?.calls.end(this.#settings.endedBy(undefined))
  }
}
