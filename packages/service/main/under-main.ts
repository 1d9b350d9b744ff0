/**
 * What serving threads and the office thread have in common: they start with what the main thread gives them, count heartbeats,
 * and end when it asks them to.
 */
import { flushCompileCache } from 'node:module'
import { MessagePort, parentPort, workerData } from 'node:worker_threads'
import type { Config } from '../config.ts'
import type { FilterName } from '../integrations/filter.ts'
import { type Answer, type Call, Calls } from '../threads/calls.ts'
import { type Answers, type Shared, type SharedCalls, sharedThrough } from '../threads/shared.ts'

/** How often a thread counts a heartbeat, in milliseconds. */
export const HEARTBEAT_MS = 1_000

/** What a thread is started with. */
export interface StartOrder {
  readonly config: Config
  /** The number of heartbeats, one Int32. */
  readonly heartbeats: SharedArrayBuffer
  /** The connections of a serving thread (open-connections.ts). */
  readonly connections: SharedArrayBuffer
  /** How many serving threads there are. */
  readonly count: number
}

export interface Started {
  readonly modelsVersion: string
}

/** What runs on a thread. */
export interface Running extends Started {
  /** Takes a connection. */
  connection?(descriptor: number, entry: number, filter?: FilterName): void
  /** See GivenConnections. */
  drain?(msMax: number): Promise<void>
  /** Lets what is in progress finish, and closes everything. */
  close(): Promise<void>
}

/** Access to the rest of the process. */
export interface Links {
  readonly shared: Shared
  /** Replaces all threads by new ones with the same settings, because what they found at their start has changed. */
  renew(): void
}

/** What the main thread may call. */
export type ThreadCalls = {
  start(): Promise<Started>
  connection(descriptor: number, entry: number, filter?: FilterName): void
  drain(msMax: number): Promise<void>
  /** Answers another thread. */
  answer(question: string): unknown
  close(): Promise<void>
}

/** What a thread may call in the main thread. */
export type MainCalls = SharedCalls & {
  renew(): void
}

/** Runs this thread under the main thread. @param open opens what runs on it */
export function runUnderMain(open: (order: StartOrder, links: Links) => Promise<Running>): void {
  const port = parentPort!
  const order: StartOrder = workerData
  const answers: Answers = new Map()
  let running: Running | undefined
  const calls: ThreadCalls = {
    async start() {
      const heartbeats = new Int32Array(order.heartbeats)
      setInterval(() => Atomics.add(heartbeats, 0, 1), HEARTBEAT_MS)
      running = await open(order, linksTo(main, answers))
      // Node would write what it has compiled at the end of the process, but not when that is killed.
      flushCompileCache()
      return { modelsVersion: running.modelsVersion }
    },
    connection: (...given) => running?.connection?.(...given),
    drain: async (msMax) => await running?.drain?.(msMax),
    answer: (question) => answers.get(question)?.(),
    close: async () => await running?.close(),
  }
  const send = (message: Call | Answer) => {
    // A port can only be handed over.
    const ports = 'args' in message ? message.args.filter((arg) => arg instanceof MessagePort) : []
    port.postMessage(message, ports)
  }
  const main = new Calls<MainCalls>(send, calls)
  port.on('message', (message: Call | Answer) => main.receive(message))
  // The reader of the log may go away; that is no reason to stop classifying.
  process.stdout.on('error', () => {})
}

function linksTo(main: Calls<MainCalls>, answers: Answers): Links {
  return {
    shared: sharedThrough(main, answers),
    renew: () => main.tell('renew'),
  }
}
