/**
 * What serving threads and the office thread do alike: they start with what the main thread gives them, count heartbeats, and
 * end when it says so.
 */
import { flushCompileCache } from 'node:module'
import { parentPort, type Transferable, workerData } from 'node:worker_threads'
import type { Config } from '../config.ts'
import type { Change } from '../store/context.ts'
import type { CommonStore } from '../store/open.ts'
import type { SqliteWriter } from '../store/sqlite-writer.ts'
import { type Answer, type Call, Calls } from '../threads/calls.ts'
import { type Answers, type Shared, type SharedCalls, sharedThrough } from '../threads/shared.ts'

/** How often a thread counts a heartbeat, in milliseconds. */
export const HEARTBEAT_MS = 1_000

/** What a thread is started with. */
export interface StartOrder {
  readonly config: Config
  /** The number of heartbeats, one Int32. */
  readonly heartbeats: SharedArrayBuffer
  /** Where a serving thread enters its connections (open-connections.ts). */
  readonly connections: SharedArrayBuffer
  /** How many serving threads there are. */
  readonly count: number
  /** Whether the SQLite file was made just now; undefined for PostgreSQL. */
  readonly isNew: boolean | undefined
}

export interface Started {
  readonly modelsVersion: string
}

/** What runs on a thread. */
export interface Running extends Started {
  /** Accepts connections on the sockets with these descriptors, which are the thread's own from now on. */
  listen?(descriptors: readonly number[]): Promise<void>
  /** Drops from the caches what another thread has changed in the store. */
  tell(changes: readonly Change[]): void
  /** Accepts nothing new, lets what is in progress finish, and closes everything. */
  close(): Promise<void>
}

/** What leads to the rest of the process. */
export interface Links {
  readonly shared: Shared
  readonly commonStore: CommonStore
  /** Has all serving threads replaced by new ones with the same settings: what they found at their start has changed. */
  renew(): void
}

/** What the main thread may call. */
export type ThreadCalls = {
  start(): Promise<Started>
  listen(descriptors: readonly number[]): Promise<void>
  changed(changes: readonly Change[]): void
  /** Answers another thread. */
  answer(question: string): unknown
  close(): Promise<void>
}

/** What a thread may call in the main thread. */
export type MainCalls = SharedCalls &
  Pick<SqliteWriter, 'write' | 'scrub'> & {
    /** The database of DATABASE_URL can be reached: its absence is an outage from now on. */
    storeOpened(): void
    /** Resolves when the other threads know of what this one has changed. */
    changed(changes: readonly Change[]): Promise<void>
    renew(): void
  }

/** Has this thread do what the main thread says. @param open opens what is to run on it */
export function runUnderMain(open: (order: StartOrder, links: Links) => Promise<Running>): void {
  const port = parentPort!
  const order: StartOrder = workerData
  const answers: Answers = new Map()
  /** What others have changed in the store while this thread was starting. */
  const changedEarly: Change[] = []
  let running: Running | undefined
  const calls: ThreadCalls = {
    async start() {
      const heartbeats = new Int32Array(order.heartbeats)
      setInterval(() => Atomics.add(heartbeats, 0, 1), HEARTBEAT_MS)
      running = await open(order, linksTo(main, order, answers))
      running.tell(changedEarly.splice(0))
      // Node would write what it has compiled at the end of the process, but not when that is killed.
      flushCompileCache()
      return { modelsVersion: running.modelsVersion }
    },
    listen: async (descriptors) => await running?.listen?.(descriptors),
    changed(changes) {
      if (running === undefined) changedEarly.push(...changes)
      else running.tell(changes)
    },
    answer: (question) => answers.get(question)?.(),
    close: async () => await running?.close(),
  }
  const send = (message: Call | Answer, transferred?: readonly Transferable[]) =>
    port.postMessage(message, transferred)
  const main = new Calls<MainCalls>(send, calls)
  port.on('message', (message: Call | Answer) => main.receive(message))
  // The reader of the log may go away; that is no reason to stop classifying.
  process.stdout.on('error', () => {})
}

function linksTo(main: Calls<MainCalls>, { count, isNew }: StartOrder, answers: Answers): Links {
  return {
    shared: sharedThrough(main, answers),
    commonStore: {
      processes: count + 1,
      opened: () => main.tell('storeOpened'),
      ...(isNew !== undefined && {
        sqlite: {
          writer: {
            write: (context, name, args) => main.call('write', context, name, args),
            scrub: (step) => main.call('scrub', step),
            close: async () => {},
          },
          isNew,
        },
      }),
      tellOthers: (changes) => main.call('changed', changes),
    },
    renew: () => main.tell('renew'),
  }
}
