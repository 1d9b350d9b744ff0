/**
 * The HTTP server: it reads messages from requests and answers with verdicts.
 *
 * The steps that every request goes through are in this file, in order; the routes are in
 * operations.ts and routes/.
 */
import type { IncomingMessage, ServerResponse } from 'node:http'
import { Socket } from 'node:net'
import { threadId } from 'node:worker_threads'
import {
  type FastifyBaseLogger,
  type FastifyInstance,
  type FastifyReply,
  type FastifyRequest,
  fastify,
  LogController,
} from 'fastify'
import { TamisError } from '../../errors/errors.ts'
import type { Access } from '../access/access.ts'
import { type Caller, keepCallers, setCaller } from '../access/caller.ts'
import { RouteTable, termsOf } from '../access/route-terms.ts'
import type { Schema } from '../json-schema.ts'
import { lineOf } from '../on-judged.ts'
import { fileRoutes } from './console-files.ts'
import { NOSNIFF, rawErrorAnswer, sendError } from './error-handler.ts'
import { answerWriter, compileSchema } from './json-body.ts'
import { judgedMessageOf, keepJudgedMessages } from './message-stream.ts'
import type { Metrics } from './metrics.ts'
import { docsServer, openApiDocument } from './openapi/document.ts'
import { HTTP_OPERATIONS } from './operations.ts'
import { IGNORED_FIELD, ignoredHeaders, requestFault } from './request-fault.ts'
import type { Services } from './route.ts'
import { serveRspamd } from './routes/rspamd.ts'
import { serve, serveOperations } from './serve-routes.ts'

/** How often Node looks for requests that take too long to arrive, in milliseconds: a tenth of the default limit. */
const TIMEOUT_CHECK_MS = 5_000

/** The longest time for the header of a request to arrive, in milliseconds: it fits in a packet or two, and only an attacker sends it slowly. */
const HEADERS_TIMEOUT_MS = 20_000

/** In place of Fastify's own, which would take each thread 15 MB. */
const COMPILERS = {
  buildValidator: () => compileSchema as never,
  buildSerializer: () => (route: { readonly schema?: unknown }) =>
    answerWriter(route.schema as Schema),
}

export interface ServerDependencies extends Omit<Services, 'openApiJson'> {
  readonly access: Access
  /** How the endpoints for Rspamd's clients answer; undefined if they are turned off. */
  readonly rspamdUserOf?: string | undefined
  /** The longest time for a whole request to arrive, in milliseconds. */
  readonly receiveTimeoutMs: number
  readonly log: FastifyBaseLogger
}

/** Ids of requests for the log, each once in the process: the number of the thread, and that of the request on it. */
function requestIds(): () => string {
  let requests = 0
  return () => `${threadId}-${(++requests).toString(36)}`
}

/** The server, ready to listen or to take requests by `inject`. */
export function buildServer(dependencies: ServerDependencies): FastifyInstance {
  const { classifier, access, rspamdUserOf } = dependencies
  const { receiveTimeoutMs, log } = dependencies
  const app = fastify({
    loggerInstance: log,
    genReqId: requestIds(),
    logController: new LogController({ disableRequestLogging: true }),
    requestTimeout: receiveTimeoutMs,
    http: {
      // request-fault.ts refuses a request without it, with a code.
      requireHostHeader: false,
      connectionsCheckingInterval: Math.min(TIMEOUT_CHECK_MS, receiveTimeoutMs),
      // Node swaps the two limits if the one for the header is longer.
      headersTimeout: Math.min(HEADERS_TIMEOUT_MS, receiveTimeoutMs),
    },
    schemaController: { compilersFactory: COMPILERS },
    // Requests on open connections are answered as long as there is time, and then refused with our own answer.
    return503OnClosing: false,
    frameworkErrors: (error, request, reply) => sendError(error, request, reply),
    clientErrorHandler: answerClientError,
  })
  app.removeAllContentTypeParsers()
  app.setErrorHandler((error, request, reply) => sendError(error, request, reply))
  keepCallers(app)
  keepJudgedMessages(app)
  app.addHook('onRequest', (_request, reply, done) => {
    reply.headers(NOSNIFF)
    done()
  })
  app.server.on('connection', () => classifier.analyser.noteConnection())
  app.addHook('onRequest', (request, _reply, done) => done(requestFault(request.raw)))
  forbidStoring(app)
  const routes = new RouteTable()
  app.addHook('onRoute', (route) => routes.add(route))
  app.addHook('onRequest', (request, reply, done) => {
    const ignored = ignoredHeaders(request.raw.rawHeaders)
    if (ignored !== '') reply.header(IGNORED_FIELD, ignored)
    done()
  })
  refuseStrangers(app, access, routes)
  closeConnections(app)
  noteAnswer(app, classifier.metrics)
  const openApiJson = once(() => Buffer.from(JSON.stringify(openApiDocument())))
  const services = { ...dependencies, openApiJson }
  app.register(async (scope) => {
    serveOperations(scope, HTTP_OPERATIONS, services)
    for (const route of fileRoutes(once(docsServer))) serve(scope, route, services)
    if (rspamdUserOf !== undefined) {
      scope.register(async (others) => serveRspamd(others, rspamdUserOf, services))
    }
  })
  return app
}

/** What `make` makes when it is first wanted. */
function once<T>(make: () => T): () => T {
  let made: T | undefined
  return () => {
    made ??= make()
    return made
  }
}

/** Has no browser or proxy keep an answer that needs a caller: it may hold personal data, as may the query. */
function forbidStoring(app: FastifyInstance): void {
  app.addHook('onRequest', (request, reply, done) => {
    const terms = termsOf(request.routeOptions.config)
    if (terms !== undefined && terms.scope !== 'none') reply.header('cache-control', 'no-store')
    done()
  })
}

/** Refuses requests of callers who may not use the route, and requests for unknown paths and methods. */
function refuseStrangers(app: FastifyInstance, access: Access, routes: RouteTable): void {
  app.addHook('onRequest', (request, reply, done) => {
    const terms = termsOf(request.routeOptions.config)
    if (terms === undefined) {
      answerUnknown(request, reply)
      return
    }
    const enter = (caller: Caller | undefined) => {
      if (caller !== undefined) setCaller(request, caller)
      done()
    }
    const caller = access.callerOf(terms, request.raw)
    if (caller instanceof Promise) caller.then(enter, done)
    else enter(caller)
  })

  /** @throws TamisError ORIGIN_FORBIDDEN, PATH_UNKNOWN, METHOD_NOT_ALLOWED. */
  function answerUnknown(request: FastifyRequest, reply: FastifyReply): void {
    access.refuseForeign(request.raw)
    const [path = ''] = request.url.split('?', 1)
    const methods = routes.methodsOf(path)
    if (methods === undefined) throw new TamisError('PATH_UNKNOWN', 'There is nothing at this path')
    reply.header('allow', methods.join(', '))
    if (request.method === 'OPTIONS') reply.code(204).send()
    else throw new TamisError('METHOD_NOT_ALLOWED', `${path} does not accept ${request.method}`)
  }
}

/** Closes each connection after its answer once the service is ending: kept alive, it would delay the end. */
function closeConnections(app: FastifyInstance): void {
  let closing = false
  app.addHook('preClose', async () => {
    closing = true
  })
  app.addHook('onSend', (request, reply, payload, done) => {
    if (closing) reply.header('connection', 'close')
    discardRest(request.raw, reply.raw)
    done(null, payload)
  })
}

/** Lets a message of the largest size arrive, but not an endless stream. */
const DISCARDED_BYTES_MAX = 64 * 1024 * 1024

/**
 * Discards the rest of a body whose request was refused before all of it had arrived. Most clients send all of a body before they read the answer; if the connection were cut at once, they would never
 * see the refusal (RFC 9112 §9.6).
 */
function discardRest(request: IncomingMessage, response: ServerResponse): void {
  const hasEnded = () => request.complete || request.readableEnded || request.destroyed
  if (hasEnded()) return
  const { socket } = request
  // Node calls it after the last answer on a connection. Until the body has arrived only our half of the connection is
  // closed, so that the client learns that no other answer comes.
  socket.destroySoon = () => {
    socket.destroySoon = Socket.prototype.destroySoon
    if (hasEnded()) socket.destroySoon()
    else request.once('end', () => socket.destroySoon()).socket.end()
  }
  let discarded = 0
  const count = ({ length }: Buffer) => {
    discarded += length
    if (discarded > DISCARDED_BYTES_MAX) request.destroy()
  }
  response.once('finish', () => request.on('data', count).resume())
}

/** Levels of the log at which each request has a line. */
const REQUEST_LEVELS: ReadonlySet<string> = new Set(['info', 'debug', 'trace'])

/** Counts each request and writes one log line for it, with the verdict on its message and no text of it. */
function noteAnswer(app: FastifyInstance, metrics: Metrics): void {
  app.addHook('onResponse', (request, reply, done) => {
    // The log has the route and not the URL, whose query may name a user.
    const { url: route = null } = request.routeOptions
    const { method } = request
    const { statusCode: status, elapsedTime: ms } = reply
    metrics.request({ route: route ?? 'unknown', method, status, ms })
    if (!REQUEST_LEVELS.has(request.log.level)) return done()
    const judged = judgedMessageOf(request)
    const line = judged && lineOf(judged)
    const ignored = reply.getHeader(IGNORED_FIELD)
    request.log.info(
      {
        ...{ route, method, status, ...line },
        ...(ignored !== undefined && { ignoredHeaders: ignored }),
        ms: Math.round(ms),
      },
      'request',
    )
    done()
  })
}

/** Answers bytes that are not an HTTP request, or a request that did not arrive whole. */
function answerClientError(error: Error & { code: string }, socket: Socket): void {
  if (socket.destroyed || error.code === 'ECONNRESET') return
  // Nothing may follow an answer that is already on its way.
  const { _httpMessage: answer } = socket as { _httpMessage?: { headersSent: boolean } }
  if (socket.writable && !answer?.headersSent) socket.write(rawErrorAnswer(error.code))
  socket.destroySoon()
}
