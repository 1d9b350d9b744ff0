/**
 * A worker process: the whole service (open-service.ts), which accepts connections on the sockets that all
 * worker processes inherit. It does what its supervisor says (supervisor.ts), and ends with it.
 */
import { once } from 'node:events'
import { flushCompileCache } from 'node:module'
import { createServer, type Server } from 'node:net'
import { refusePublicBind } from '../access/loopback.ts'
import type { Config } from '../config.ts'
import { LogLines } from '../http/log-lines.ts'
import { openService, type Service } from '../open-service.ts'
import type { Replacement } from '../reload.ts'
import { shareOf } from '../siblings/share-of.ts'
import type { Siblings } from '../siblings/siblings.ts'
import type { Change } from '../store/change.ts'
import type { CommonStore } from '../store/open.ts'
import type { SqliteWriter } from '../store/sqlite-writer.ts'
import type { Answer, Call } from '../threads/answer-calls.ts'
import { setServiceFlags } from '../v8-flags.ts'
import { BEAT_MS } from './beat.ts'
import { ProcessCalls } from './calls.ts'
import { cannotListen } from './listening-sockets.ts'
import type { SupervisorCalls } from './supervisor-calls.ts'

/**
 * Connections that may wait to be accepted: as many as Linux allows by default. Node's 511 overflow at
 * the onset of a flood, and the clients left out try again only after 1, 3 and 7 s.
 */
const BACKLOG = 4_096

/** The first of the sockets that the process inherits: the one after those for input, output, errors and messages. */
const FIRST_SOCKET_FD = 4

/** What a process is told before it does anything. */
export interface StartOrder {
  /** The settings of the whole service. */
  readonly config: Config
  /** Which of the processes it is, from 0. */
  readonly index: number
  readonly count: number
  /** How many sockets it inherits. */
  readonly sockets: number
  /** Whether the SQLite file was made just now; undefined for PostgreSQL. */
  readonly isNew: boolean | undefined
}

export interface Started {
  readonly modelsVersion: string
}

export type WorkerCalls = typeof CALLS

const CALLS = {
  start,
  /** Opens what a reload needs. It takes effect by `reload`, or not at all by `keep`. */
  prepare: async (config: Config) => {
    replacement = await service?.prepare(shareOf(config, processes))
  },
  reload: () => takeReplacement()?.apply(),
  keep: () => takeReplacement()?.discard(),
  /** Another process has changed something in the store. */
  changed: (changes: readonly Change[]) => {
    if (service === undefined) changedEarly.push(...changes)
    else service.tell(changes)
  },
  /** Answers a sibling. */
  answer: (topic: string, args: readonly unknown[]) => answers.get(topic)?.(...args),
  close,
}

const supervisor = new ProcessCalls<SupervisorCalls>(send, CALLS)

const answers = new Map<string, (...args: unknown[]) => unknown>()

/** What others have changed in the store while this process was starting. */
const changedEarly: Change[] = []

let processes = 1
let closing = false
let service: Service | undefined
let replacement: Replacement | undefined
/** What accepts on the sockets after the first, on which the HTTP server listens itself. */
let acceptors: readonly Server[] = []

// The reader of the log may go away; that is no reason to stop classifying.
process.stdout.on('error', () => {})
// Ctrl-C reaches all processes of a terminal, and the supervisor says when to end.
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => {})
process.on('message', (message: Call | Answer) => supervisor.receive(message))
process.on('disconnect', () => {
  if (closing) process.exit()
  else process.kill(process.pid, 'SIGKILL')
})

function send(message: Call | Answer): void {
  // The supervisor may have ended; then this process ends too.
  process.send?.(message, undefined, undefined, () => {})
}

async function start({ config, index, count, sockets, isNew }: StartOrder): Promise<Started> {
  processes = count
  setInterval(() => supervisor.tell('beat'), BEAT_MS)
  const log = { level: config.logLevel, stream: new LogLines(process.stdout) }
  const siblings = siblingsAt(index, count)
  const modules = { siblings, commonStore: commonStore(isNew) }
  service = await openService(shareOf(config, count), log, modules)
  service.tell(changedEarly.splice(0))
  if (!service.keysNeeded) refusePublicBind(config.host)
  // Node would write what it has compiled at the end of the process, but not when that is killed.
  flushCompileCache()
  // From now on the code that judges mail is compiled, and no longer the code that starts.
  setServiceFlags()
  await listen(service.app.server, sockets, config)
  return { modelsVersion: service.modelsVersion }
}

/** Closes what is open, as far as it is, and lets the process end. */
async function close(): Promise<void> {
  closing = true
  const closed = acceptors.map((acceptor) => once(acceptor.close(), 'close'))
  await service?.close()
  await Promise.all(closed)
  setImmediate(() => process.disconnect())
}

function takeReplacement(): Replacement | undefined {
  const taken = replacement
  replacement = undefined
  return taken
}

function siblingsAt(index: number, count: number): Siblings {
  return {
    index,
    count,
    ask: async ({ name, answerMsMax }, ...args) =>
      (await supervisor.call('ask', name, args, answerMsMax)) as never,
    tell: ({ name }, ...args) => supervisor.tell('tellOthers', name, args),
    on: ({ name }, answer) => answers.set(name, answer as never),
  }
}

function commonStore(isNew: boolean | undefined): CommonStore {
  const writer: SqliteWriter = {
    write: (context, name, args) => supervisor.call('write', context, name, args),
    scrub: () => supervisor.call('scrub'),
    close: async () => {},
  }
  return {
    processes,
    ...(isNew !== undefined && { sqlite: { writer, isNew } }),
    tellOthers: (changes) => supervisor.call('changed', changes),
  }
}

/** Accepts connections on the inherited sockets. Fastify's own `listen` would open others. */
async function listen(server: Server, sockets: number, config: Config): Promise<void> {
  try {
    server.listen({ fd: FIRST_SOCKET_FD }, BACKLOG)
    await once(server, 'listening')
    acceptors = await Promise.all(
      Array.from({ length: sockets - 1 }, (_, i) => acceptFor(server, FIRST_SOCKET_FD + 1 + i)),
    )
  } catch (cause) {
    throw cannotListen(config, cause)
  }
}

/** Gives the connections of another socket to the HTTP server, as if they were its own. */
async function acceptFor(server: Server, fd: number): Promise<Server> {
  const options = { allowHalfOpen: true, noDelay: true }
  const acceptor = createServer(options, (socket) => server.emit('connection', socket))
  acceptor.listen({ fd }, BACKLOG)
  await once(acceptor, 'listening')
  return acceptor
}
