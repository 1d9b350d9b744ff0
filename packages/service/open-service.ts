/** The one place where settings, models, analyser and server are put together, and closed again. */
import type { Server, Socket } from 'node:net'
import { join } from 'node:path'
import { setImmediate, setTimeout as sleep } from 'node:timers/promises'
import type { FastifyInstance } from 'fastify'
import { readCanary, readKnowledge, readModels } from '../artifact-files/artifact-files.ts'
import { TamisError } from '../errors/errors.ts'
import type { Models } from '../mail/models/models.ts'
import { Access } from './access/access.ts'
import { addFirstKey, NEEDED_FROM_NOW_ON } from './access/first-key.ts'
import { isLoopback } from './access/loopback.ts'
import { AdmissionMemory } from './admission/admission-memory.ts'
import { Analyser } from './admission/analyser.ts'
import { PathRoots } from './admission/path-roots.ts'
import { Receiver } from './admission/receive.ts'
import { BatchedWrites } from './batched-writes.ts'
import { type Config, policySettings } from './config.ts'
import { dnsListsOf } from './dns-lists/settings.ts'
import { type Embedder, openEmbedder } from './encoder/embedder.ts'
import { Feeds } from './feeds/feeds.ts'
import { feedSources } from './feeds/sources.ts'
import { classifierOf } from './http/classifier.ts'
import type { LogSink } from './http/log.ts'
import { type Log, openLog } from './http/log.ts'
import { buildServer } from './http/server.ts'
import type { FilterParts } from './integrations/filter.ts'
import { Filters } from './integrations/filters.ts'
import { LearnedModels } from './learned-models/learned-models.ts'
import { BACKGROUND_FAILED, Office } from './office.ts'
import { policiesFor } from './policies.ts'
import { OperatorRules } from './rules/operator-rules.ts'
import { clamdAddress } from './scanner/clamd.ts'
import { dnsAnswers, dnsAnswersAtLast } from './sender-authentication/resolver.ts'
import { SenderChecks } from './sender-authentication/sender-checks.ts'
import { damageOf } from './store/damage.ts'
import { openStore } from './store/open.ts'
import { ALONE_SHARED, type Shared } from './threads/shared.ts'
import { TIMES, type Times } from './times.ts'
import { Corrections } from './users/corrections.ts'
import { Correspondents } from './users/correspondents.ts'
import { MessageKeys } from './users/message-keys.ts'
import { keptCounts } from './users/user-list.ts'
import { USER_CACHE_BYTES, Users } from './users/users.ts'

export interface Service {
  readonly app: FastifyInstance
  readonly filters: Filters
  /** What filters need of it. */
  readonly filterParts: FilterParts
  /** The version of the models in use. */
  readonly modelsVersion: string
  /** Whether callers needed a key at the start. */
  readonly keysNeeded: boolean
  /** Accepts no connections, lets requests in progress finish, and resolves when everything is closed. */
  close(): Promise<void>
}

export interface LogSettings {
  readonly level: Config['logLevel']
  /** Where log lines go; standard output if absent. */
  readonly stream?: LogSink
}

/** What a service has around it; and for tests, modules in place of those that are found by name, and when one is used. */
export interface ServiceModules {
  /** What it shares with the other threads of the process; by default it is alone. */
  readonly shared?: Shared
  /** Whether the office is on this thread (office.ts); it is by default. */
  readonly hasOffice?: boolean
  /** Replaces the service by a new one, because what it found at its start has changed. */
  readonly renew?: () => void
  readonly openStore?: typeof openStore
  readonly threadModule?: URL
  /** Length in bytes over which messages go to `threadModule`. */
  readonly smallBytesMax?: number
  readonly embedder?: Embedder
  readonly times?: Partial<Times>
  /** DNS servers in place of those that this machine uses. */
  readonly machineServers?: readonly string[]
}

/**
 * Opens the service, or one of its serving threads, under `config`: it can judge, but it does not listen yet.
 *
 * @throws TamisError CONFIG_INVALID, ARTIFACT_MISMATCH, NOT_READY.
 */
export async function openService(
  config: Config,
  log: LogSettings,
  modules: ServiceModules = {},
): Promise<Service> {
  const opened: Closable[] = []
  const keep: Keep = (part) => {
    opened.push(part)
    return part
  }
  try {
    const { level, stream = process.stdout } = log
    const service = await open(config, openLog(stream, level), modules, keep)
    return { ...service, close: () => closeAll(opened) }
  } catch (error) {
    await closeAll(opened)
    throw error
  }
}

interface Closable {
  close(): Promise<void> | void
}

/** Takes a part that has to be closed: what is opened last is closed first. */
type Keep = <Part extends Closable>(part: Part) => Part

/** The wall time after which a thread for large messages is ended, as a multiple of the CPU time, which normally stops a message first. */
const KILL_TO_CPU = 1.5

/** Puts all parts together. */
async function open(
  config: Config,
  log: Log,
  modules: ServiceModules,
  keep: Keep,
): Promise<Omit<Service, 'close'>> {
  const { shared = ALONE_SHARED, threadModule, smallBytesMax } = modules
  const times: Times = { ...TIMES, ...modules.times }
  const openingChecks = openSenderChecks(config, log, times, modules)
  // Its failure is thrown where they are needed, if the start comes so far.
  const openedChecks = openingChecks.catch(() => undefined)
  keep({ close: async () => await (await openedChecks)?.close() })
  const models = await readModels(config.models, shared)
  const knowledge = await readKnowledge(shared)
  const pathRoots = await PathRoots.open(config.pathRoots)
  const personal = await openPersonal(config, models, log, modules, keep)
  const { store, access, rules, users, correspondents, keys, learned, history } = personal
  const embedder = keep(modules.embedder ?? (await openEmbedder({ log, shared })))
  const memory = keep(await AdmissionMemory.open(shared))
  const receiver = await Receiver.open({ ...config, memory, folder: join(config.dataDir, 'tmp') })
  const sources = feedSources(config.feeds)
  const folder = join(config.dataDir, 'feeds')
  const feeds = keep(await Feeds.open({ sources, folder, log, shared }))
  const analyser = keep(
    await Analyser.open({
      ...{ ...config, models, knowledge, memory, shared },
      workerKillMs: times.workerKillMs ?? KILL_TO_CPU * config.cpuMsMax,
      ...(threadModule && { threadModule }),
      ...(smallBytesMax !== undefined && { smallBytesMax }),
    }),
  )
  const classifier = classifierOf({
    ...{ rules, users, correspondents, keys, learned, history, embedder },
    ...{ receiver, feeds, analyser, shared },
    // They may wait for a DNS server that does not answer; all the rest is opened meanwhile.
    senderChecks: await openingChecks,
    policies: policiesFor(models, policySettings(config)),
    modelsVersion: models.version,
    isStoreDamaged: await damageOf(store, shared, log),
  })
  const corrections = new Corrections({ store, keys, learned })
  const filterParts: FilterParts = {
    services: { classifier, corrections, correspondents },
    caller: {
      scopes: new Set(['classify', 'feedback']),
      entitlements: new Set(config.entitlements),
    },
    log,
  }
  const filters = new Filters(config, filterParts)
  const app = buildServer({
    ...{ classifier, access, correspondents, corrections, store, pathRoots, log },
    historyDays: config.historyDays,
    counts: keptCounts(() =>
      store.counts({ featureVersion: models.featureVersion, embeddingModel: embedder.id }),
    ),
    rspamdUserOf: config.rspamdEndpoints === 'on' ? config.userOf : undefined,
    receiveTimeoutMs: times.receiveMs,
  })
  // When the service ends, requests end first.
  const connections = openConnections(app.server)
  keep({ close: () => endRequests(app, { connections, filters }, analyser, times.shutdownMs) })
  // A route that cannot be registered is a fault in the code, and ends the start here.
  await app.ready()
  if (classifier.senderChecks.waitsForDns) {
    const ending = new AbortController()
    const answers = dnsAnswersAtLast(modules.machineServers ?? [], ending.signal)
    void answers.then((answer) => answer && modules.renew?.())
    keep({
      close: async () => {
        ending.abort()
        await answers
      },
    })
  }
  const keysNeeded = await store.keysNeeded()
  return { app, filters, filterParts, modelsVersion: models.version, keysNeeded }
}

/** Opens the store, and what is built on it: access, users, the models learned from corrections, and the office. */
async function openPersonal(
  config: Config,
  models: Models,
  log: Log,
  { shared = ALONE_SHARED, hasOffice = true, openStore: open = openStore }: ServiceModules,
  keep: Keep,
) {
  const { entitlements } = config
  const onError = (error: unknown) => log.error({ err: error }, BACKGROUND_FAILED)
  const canary = await readCanary(models)
  const store = keep(await open(config, { shared }))
  const rules = keep(await OperatorRules.open({ path: config.rules, store, onError, shared }))
  const parts = { config, models, canary, store, rules, log, onError }
  const office = hasOffice ? keep(await Office.open(parts)) : undefined
  await shared.memory('first key', async () => {
    if (await addFirstKey(store, config.apiKeyFile)) log.info({}, NEEDED_FROM_NOW_ON)
    return new SharedArrayBuffer(0)
  })
  const keysRequired = !isLoopback(config.host)
  const access = keep(await Access.open({ store, entitlements, keysRequired, shared }))
  const keys = new MessageKeys(store.secret)
  const learning = { mode: config.learning, rules, store, base: models, canary, onError }
  const learned = keep(await LearnedModels.open(learning))
  const users = keep(new Users(store, USER_CACHE_BYTES / config.workers, learned))
  rules.onLearning = () => {
    office?.choicesChanged()
    users.forgetAll()
  }
  const warning = 'Some judged messages were left out of the history'
  const history =
    config.historyDays > 0
      ? keep(new BatchedWrites({ write: store.addHistory, warning, log }))
      : undefined
  const enabled = config.learning !== 'off'
  const correspondents = keep(new Correspondents({ store, keys, log, enabled }))
  return { store, access, rules, users, correspondents, keys, learned, history }
}

/** @throws TamisError CONFIG_INVALID */
async function openSenderChecks(
  config: Config,
  log: Log,
  times: Times,
  { machineServers = [], shared }: ServiceModules,
): Promise<SenderChecks> {
  const { authDns, trustedAuthservIds: authservIds } = config
  const dnsServers = await dnsServersOf(authDns, log, machineServers)
  const lists = dnsListsOf(config.dnsLists)
  const asked = { lists, servers: dnsServers ?? machineServers, log }
  const address = clamdAddress(config.clamd)
  try {
    return await SenderChecks.open({
      authservIds,
      timeoutMs: times.senderChecksMs,
      dnsServers,
      waitsForDns: authDns === 'auto' && dnsServers === undefined,
      lists: lists.length === 0 ? undefined : asked,
      clamd: address && { address, timeoutMs: times.scanMs, log },
      shared,
    })
  } catch (cause) {
    throw new TamisError(
      'CONFIG_INVALID',
      `TAMIS_AUTH_DNS is "${authDns}", so senders cannot be checked: ${(cause as Error).message}`,
      { cause },
    )
  }
}

/** The DNS servers to check senders by, an empty list for those of the machine; undefined for no checks. */
async function dnsServersOf(
  authDns: string,
  log: Log,
  machineServers: readonly string[],
): Promise<readonly string[] | undefined> {
  switch (authDns) {
    case 'off':
      return undefined
    case 'on':
    case 'system':
      return machineServers
    case 'auto':
      break
    default:
      return authDns.split(',')
  }
  if (await dnsAnswers(machineServers)) {
    log.info({ authDns }, 'A DNS server answers: senders are checked (TAMIS_AUTH_DNS)')
    return machineServers
  }
  log.warn(
    { authDns },
    'No DNS server answers: senders are not checked until one does (TAMIS_AUTH_DNS)',
  )
  return undefined
}

/** Closes the last opened first, so that nothing loses a part that it still needs. */
async function closeAll(opened: readonly Closable[]): Promise<void> {
  for (const each of opened.toReversed()) await each.close()
}

/** The connections of `server`, at any time. */
function openConnections(server: Server): ReadonlySet<Socket> {
  const open = new Set<Socket>()
  server.on('connection', (socket: Socket) => {
    open.add(socket)
    socket.once('close', () => open.delete(socket))
  })
  return open
}

function closeOf(socket: Socket): Promise<void> {
  return new Promise((resolve) => {
    socket.once('close', resolve)
  })
}

/**
 * Accepts no connection any more, and closes idle ones. Requests in progress, and those on connections that were accepted a
 * moment ago, have `graceMs`; after its answer each connection is closed. What is left then is refused and cut.
 */
async function endRequests(
  app: FastifyInstance,
  { connections, filters }: { connections: ReadonlySet<Socket>; filters: Filters },
  analyser: Analyser,
  graceMs: number,
): Promise<void> {
  analyser.noteEnd()
  // A server knows those that it has accepted itself, and not those that it was given.
  const closed = Promise.all([app.close(), filters.close(), ...Array.from(connections, closeOf)])
  await Promise.race([closed, sleep(graceMs, undefined, { ref: false })])
  await analyser.close()
  // The refusals are written first.
  await setImmediate()
  app.server.closeAllConnections()
  filters.cut()
  await closed
}
