/** A whole service for one test: real models, real workers, a data folder of its own. */
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { PassThrough, Readable } from 'node:stream'
import { after, before, type TestContext } from 'node:test'
import type { FastifyInstance } from 'fastify'
import { temporaryFolder } from '../../../../test/temporary-folder.ts'
import { type Config, readConfig } from '../../config.ts'
import { type FilterParts, judgeFor } from '../../integrations/filter.ts'
import { type LogSettings, openService, type ServiceModules } from '../../open-service.ts'
import type { Judged } from '../../request.ts'
import { noEmbedder } from '../encoder/fake-encoder.ts'
import { filesOf } from '../helpers/open-files.ts'
import { sharedByThreads } from '../helpers/shared.ts'
import { openStoreHere } from '../helpers/store-here.ts'

/**
 * No test asks the DNS of the machine. One worker starts faster than two, and a test does not wait for clients that it has left hanging.
 */
const SETTINGS = {
  TAMIS_WORKERS: '1',
  TAMIS_AUTH_DNS: 'off',
}

/** What filters need of the service of `app`. */
export function filterPartsOf(app: FastifyInstance): FilterParts {
  return partsOf.get(app)!
}

const partsOf = new WeakMap<FastifyInstance, FilterParts>()

export interface TestService {
  readonly app: FastifyInstance
  /** The temporary files that are there or open now. */
  temporaryFiles(): Promise<string[]>
  close(): Promise<void>
}

export interface TestServiceOptions {
  readonly config?: Partial<Config>
  readonly log?: LogSettings
  readonly modules?: ServiceModules
}

/** A service that is closed, and its folder removed, after the test. */
export async function build(t: TestContext, options?: TestServiceOptions): Promise<TestService> {
  const service = await open(options)
  t.after(service.close)
  return service
}

/** Two serving threads of one service, both on this thread. */
export async function buildTwo(
  t: TestContext,
  { config, log, modules }: TestServiceOptions = {},
): Promise<[FastifyInstance, FastifyInstance]> {
  const dataDir = temporaryFolder()
  const [first, second] = sharedByThreads(2).map((shared, index) => ({
    config: { dataDir, ...config },
    ...(log && { log }),
    modules: { ...modules, shared, hasOffice: index === 0 },
  }))
  return [(await build(t, first)).app, (await build(t, second)).app]
}

/** One service for all tests of a file: for those that leave it as it is. */
export function buildOnce(options?: TestServiceOptions): () => FastifyInstance {
  let service: TestService
  before(async () => {
    service = await open(options)
  })
  after(() => service.close())
  return () => service.app
}

/** A service that whoever asks for it closes. */
export async function open({
  config = {},
  log = { level: 'silent' },
  modules = {},
}: TestServiceOptions = {}): Promise<TestService> {
  const dataDir = temporaryFolder()
  const defaults = readConfig(SETTINGS, () => '{}')
  const service = await openService({ ...defaults, dataDir, ...config }, log, {
    openStore: openStoreHere,
    embedder: noEmbedder(),
    ...modules,
    times: { shutdownMs: 100, ...modules.times },
  })
  partsOf.set(service.app, service.filterParts)
  return {
    app: service.app,
    temporaryFiles: () => filesOf(join(dataDir, 'tmp')),
    close: () => service.close(),
  }
}

/** Where `app` listens now, on a port that was free. */
export async function listen(app: FastifyInstance): Promise<{ port: number; url: string }> {
  await app.listen({ host: '127.0.0.1', port: 0 })
  const { port } = app.server.address() as AddressInfo
  return { port, url: `http://127.0.0.1:${port}` }
}

export const STREAM_FORMS = [
  '/classify-stream',
  '/tabs/classify-stream',
  '/classify/diagnostic-stream',
]

/** Posts a message to a stream form. */
export function post(
  app: FastifyInstance,
  url: string,
  payload: string | Buffer,
  headers: Record<string, string> = {},
) {
  return app.inject({
    method: 'POST',
    url,
    headers: { 'content-type': 'message/rfc822', ...headers },
    payload,
  })
}

/** Has a message judged as filters do: for any number of users, with the reasons. */
export function judged(
  app: FastifyInstance,
  message: string,
  users: readonly string[] = [],
  caller: Partial<FilterParts['caller']> = {},
): Promise<Judged> {
  const parts = filterPartsOf(app)
  return judgeFor(
    'milter',
    { ...parts, caller: { ...parts.caller, ...caller } },
    {
      stream: Readable.from([Buffer.from(message)]),
      declaredLength: undefined,
      metadata: {},
      outlet: new PassThrough(),
      users,
      want: 'reasons',
    },
  )
}

export const ORDER = [
  'From: Shop <orders@shop.example.com>',
  'To: a@example.com',
  'Subject: Your order 4711 has been shipped',
  'Date: Fri, 20 Nov 2026 12:00:00 +0000',
  'Message-ID: <4711@shop.example.com>',
  '',
  'Thank you for your order 4711. It has been shipped today. Total: 30 EUR.',
  '',
].join('\r\n')

/** Spam by its text, sent by nobody known. */
export const PILLS = [
  'From: Pharmacy <deals@pills.example.net>',
  'To: a@example.com',
  'Subject: Cheap pills, no prescription',
  'Message-ID: <pills@pills.example.net>',
  '',
  'Best prices, no prescription needed, discreet delivery. Buy ten and get ten more for free!',
  'http://pills.example.net/buy',
  '',
].join('\r\n')

/** Spam without a Date. */
export const LOTTERY = [
  'From: Claims Desk <claims@prize.example.com>',
  'To: a@example.com',
  'Subject: Your ticket was drawn, claim the prize before Friday',
  'Message-ID: <draw-1@prize.example.com>',
  '',
  'Dear winner, your ticket was drawn in the yearly lottery of our company. To claim the prize of',
  'one million send your name, address and bank account to our agent before Friday.',
  '',
].join('\r\n')
