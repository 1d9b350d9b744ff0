/**
 * Under overload most requests are refused, on the threads that also judge the others: time for refusals is lost for verdicts.
 * So while the queue is full a request for a verdict is refused as it arrives, before Fastify sees it, with the answer that it
 * would get later. The log has one line a second for them, and not one each.
 *
 * Then nothing is read from its connection until the time of Retry-After is over: clients that ask again at once would be
 * refused thousands of times a second.
 *
 * It only refuses callers who would be let in: others get their usual answer. It only refuses paths
 * that are spelled like their routes: other spellings go to the router.
 */
import type { IncomingMessage, ServerResponse } from 'node:http'
import { Socket } from 'node:net'
import { setImmediate as nextTurn } from 'node:timers/promises'
import type { FastifyInstance } from 'fastify'
import type { TamisError } from '../../errors/errors.ts'
import type { Access } from '../access/access.ts'
import type { RouteTable } from '../access/route-terms.ts'
import type { Classifier } from './classifier.ts'
import { errorAnswer, RETRY_AFTER_S } from './error-handler.ts'
import { requestFault } from './request-fault.ts'

const LOG_INTERVAL_MS = 1_000

export function refuseEarly(
  app: FastifyInstance,
  classifier: Pick<Classifier, 'analyser' | 'metrics'>,
  access: Pick<Access, 'lets'>,
  routes: Pick<RouteTable, 'termsOf'>,
): void {
  const { note } = refusalLog(app)
  const resting = new Set<Socket>()
  /** The last answer: nearly all are the same, since the queue stays as full. */
  let prepared: PreparedAnswer | undefined
  let isEnding = false

  /** Whether the request has its answer. */
  function refuse(request: IncomingMessage, response: ServerResponse): boolean {
    const { url = '', method = '', socket } = request
    const terms = routes.termsOf(method, url)
    if (terms?.queued !== true) return false
    const { analyser } = classifier
    if (!analyser.isFull(Number(request.headers['content-length'] ?? 0))) return false
    if (requestFault(request) !== undefined || !access.lets(terms, request)) return false
    if (prepared?.queueDepth !== analyser.queueDepth) prepared = prepare(analyser.refusal())
    if (prepared === undefined) return false
    discardRest(request, response)
    // It came in one read with a request that was refused, and so might thousands.
    const isLast = resting.has(socket) || isEnding
    const { status, fields, json } = prepared
    response.writeHead(status, isLast ? [...fields, 'connection', 'close'] : fields)
    response.end(json)
    if (!isLast) restAfter(request)
    classifier.metrics.request({ route: url, method, status, ms: 0 })
    note(url)
    return true
  }

  /** Lets the connection of `request` rest once all of that has arrived. */
  function restAfter(request: IncomingMessage): void {
    const { socket } = request
    resting.add(socket)
    request.once('close', () => {
      if (!resting.has(socket)) return
      socket.pause()
      setTimeout(wake, RETRY_AFTER_S * 1_000, socket).unref()
    })
  }

  function wake(socket: Socket): void {
    if (resting.delete(socket)) socket.resume()
  }

  app.addHook('preClose', async () => {
    isEnding = true
    for (const socket of resting) wake(socket)
    // What has come on them meanwhile is read, and answered, before they are closed: in the second turn from here.
    await nextTurn()
    await nextTurn()
  })
  const handlers = app.server.listeners('request')
  app.server.removeAllListeners('request')
  app.server.on('request', (request, response) => {
    if (refuse(request, response)) return
    for (const handler of handlers) handler(request, response)
  })
}

/** An answer, ready to be written. */
interface PreparedAnswer {
  readonly queueDepth: unknown
  readonly status: number
  /** Names and values of header fields in turn. */
  readonly fields: string[]
  readonly json: string
}

function prepare(refusal: TamisError | undefined): PreparedAnswer | undefined {
  if (refusal?.code !== 'QUEUE_FULL') return undefined
  const { status, headers, body } = errorAnswer(refusal)
  const json = JSON.stringify(body)
  const fields = Object.entries({
    ...headers,
    'content-type': 'application/json; charset=utf-8',
    'content-length': `${Buffer.byteLength(json)}`,
  }).flat()
  return { queueDepth: refusal.details['queueDepth'], status, fields, json }
}

/** Writes the number of refusals to the log. */
function refusalLog({ log }: FastifyInstance): { note(route: string): void } {
  const counts = new Map<string, number>()
  const write = () => {
    for (const [route, requests] of counts) {
      log.info({ route, method: 'POST', status: 503, requests }, 'requests refused')
    }
    counts.clear()
  }
  return {
    note(route) {
      if (counts.size === 0) setTimeout(write, LOG_INTERVAL_MS).unref()
      counts.set(route, (counts.get(route) ?? 0) + 1)
    },
  }
}

/** Lets a message of the largest size arrive, but not an endless stream. */
const DISCARDED_BYTES_MAX = 64 * 1024 * 1024

/** What a chunk counts besides its bytes: it costs as much. */
const CHUNK_BYTES = 1024

/**
 * Discards the rest of a body whose request was refused before all of it had arrived.
 *
 * Most clients send all of a body before they read the answer. If the connection were cut at once,
 * they would never see the refusal (RFC 9112, section 9.6). So the rest is read and discarded, up to a bound.
 */
export function discardRest(request: IncomingMessage, response: ServerResponse): void {
  if (hasEnded(request)) return
  // Node itself discards a body that nobody has begun to read, and without a bound.
  request.read(0)
  const { socket } = request
  // Node calls it when the last answer on a connection is written. Until the body has arrived only our half of the connection is
  // closed, so that the client learns that no other answer comes.
  socket.destroySoon = () => {
    socket.destroySoon = Socket.prototype.destroySoon
    if (hasEnded(request)) socket.destroySoon()
    else request.once('end', () => socket.destroySoon()).socket.end()
  }
  let discarded = 0
  const count = ({ length }: Buffer) => {
    discarded += length + CHUNK_BYTES
    if (discarded > DISCARDED_BYTES_MAX) request.destroy()
  }
  response.once('finish', () => request.on('data', count).resume())
}

function hasEnded({ complete, readableEnded, destroyed }: IncomingMessage): boolean {
  return complete || readableEnded || destroyed
}
