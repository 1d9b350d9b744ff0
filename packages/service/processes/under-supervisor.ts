/**
 * What all processes of a service do alike: what their supervisor says (supervisor.ts), which they tell every
 * second that they are not held up, and with which they end.
 */
import { flushCompileCache } from 'node:module'
import type { Config } from '../config.ts'
import type { Replacement } from '../reload.ts'
import type { Siblings } from '../siblings/siblings.ts'
import type { Change } from '../store/context.ts'
import type { CommonStore } from '../store/open.ts'
import type { SqliteWriter } from '../store/sqlite-writer.ts'
import { type Answer, type Call, Calls } from '../threads/calls.ts'
import { BEAT_MS } from './beat.ts'

/** What a process is told before it does anything. */
export interface StartOrder {
  /** The settings of the whole service. */
  readonly config: Config
  /** Which of the server processes it is, from 0; the office that is none of them is told 0. */
  readonly index: number
  /** Whether the office is in it. */
  readonly hasOffice: boolean
  /** How many processes open the store. */
  readonly processes: number
  /** How many sockets it inherits. */
  readonly sockets: number
  /** Whether the SQLite file was made just now; undefined for PostgreSQL. */
  readonly isNew: boolean | undefined
}

export interface Started {
  readonly modelsVersion: string
}

/** What runs in a process. */
export interface Running extends Started {
  /** Opens what a reload needs, and leaves it to the caller to apply it. */
  prepare(config: Config): Promise<Replacement>
  /** Drops from the caches what another process has changed in the store. */
  tell(changes: readonly Change[]): void
  /** Takes up its work, once it knows what has changed. */
  begin?(): Promise<void>
  /** Lets what is in progress finish, and closes everything. */
  close(): Promise<void>
}

/** What leads to the other processes. */
export interface Links {
  readonly siblings: Siblings
  readonly commonStore: CommonStore
}

export type ProcessCallTable = typeof CALLS

const CALLS = {
  start,
  /** Opens what a reload needs. It takes effect by `reload`, or not at all by `keep`. */
  prepare: async (config: Config): Promise<{ readonly rules: number | undefined }> => {
    replacement = await running?.prepare(config)
    return { rules: replacement?.rules }
  },
  reload: () => takeReplacement()?.apply(),
  keep: () => takeReplacement()?.discard(),
  /** Another process has changed something in the store. */
  changed: (changes: readonly Change[]) => {
    if (running === undefined) changedEarly.push(...changes)
    else running.tell(changes)
  },
  /** Answers another process. */
  answer: (topic: string, args: readonly unknown[]) => answers.get(topic)?.(...args),
  close,
}

const supervisor = new Calls<SupervisorCalls>(send, CALLS)

const answers = new Map<string, (...args: unknown[]) => unknown>()

/** What others have changed in the store while this process was starting. */
const changedEarly: Change[] = []

let open: ((order: StartOrder, links: Links) => Promise<Running>) | undefined
let closing = false
let running: Running | undefined
let replacement: Replacement | undefined

/** Has this process do what its supervisor says. @param opens opens what is to run in it. */
export function runUnderSupervisor(opens: NonNullable<typeof open>): void {
  open = opens
  // The reader of the log may go away; that is no reason to stop classifying.
  process.stdout.on('error', () => {})
  // Ctrl-C reaches all processes of a terminal, and the supervisor says when to end.
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => {})
  process.on('message', (message: Call | Answer) => supervisor.receive(message))
  process.on('disconnect', () => {
    if (closing) process.exit()
    else process.kill(process.pid, 'SIGKILL')
  })
}

function send(message: Call | Answer): void {
  // The supervisor may have ended; then this process ends too.
  process.send?.(message, undefined, undefined, () => {})
}

async function start(order: StartOrder): Promise<Started> {
  setInterval(() => supervisor.tell('beat'), BEAT_MS)
  running = await open!(order, { siblings: siblingsOf(order), commonStore: commonStoreOf(order) })
  running.tell(changedEarly.splice(0))
  await running.begin?.()
  // Node would write what it has compiled at the end of the process, but not when that is killed.
  flushCompileCache()
  return { modelsVersion: running.modelsVersion }
}

/** Closes what is open, as far as it is, and lets the process end. */
async function close(): Promise<void> {
  closing = true
  await running?.close()
  setImmediate(() => process.disconnect())
}

function takeReplacement(): Replacement | undefined {
  const taken = replacement
  replacement = undefined
  return taken
}

function siblingsOf({ index, config: { workers: count } }: StartOrder): Siblings {
  return {
    index,
    count,
    ask: async ({ name, answerMsMax }, ...args) =>
      (await supervisor.call('ask', name, args, answerMsMax)) as never,
    askOffice: async ({ name, answerMsMax }, ...args) =>
      (await supervisor.call('askOffice', name, args, answerMsMax)) as never,
    tell: ({ name }, ...args) => supervisor.tell('tellOthers', name, args),
    on: ({ name }, answer) => answers.set(name, answer as never),
  }
}

function commonStoreOf({ processes, isNew }: StartOrder): CommonStore {
  const writer: SqliteWriter = {
    write: (context, name, args) => supervisor.call('write', context, name, args),
    scrub: (step) => supervisor.call('scrub', step),
    close: async () => {},
  }
  return {
    processes,
    opened: () => supervisor.tell('storeOpened'),
    ...(isNew !== undefined && { sqlite: { writer, isNew } }),
    tellOthers: (changes) => supervisor.call('changed', changes),
  }
}

/** What a server process may call in its supervisor. */
export type SupervisorCalls = Pick<SqliteWriter, 'write' | 'scrub'> & {
  /** It is not held up. */
  beat(): void
  /** The database of DATABASE_URL can be reached. */
  storeOpened(): void
  /** Resolves when the other processes know of what it has changed. */
  changed(changes: readonly Change[]): Promise<void>
  /** What the other processes answer, and those that have ended, as far as that is kept. */
  ask(topic: string, args: readonly unknown[], msMax: number): Promise<unknown[]>
  /** What the process with the office answers; undefined while it is not up. */
  askOffice(topic: string, args: readonly unknown[], msMax: number): Promise<unknown>
  tellOthers(topic: string, args: readonly unknown[]): void
}
