/** Takes raw messages as request bodies: they stay a stream until the rest of the request is checked. */
import type { IncomingMessage } from 'node:http'
import { Readable } from 'node:stream'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { TamisError } from '../../errors/errors.ts'
import { callerOf } from '../access/caller.ts'
import { storedUser } from '../access/namespace.ts'
import type { Judged, Metadata, Request } from '../request.ts'

export const CONTENT_TYPE = 'message/rfc822'

/** The property in which a request keeps what was found of its message. */
const JUDGED = Symbol('judged message')

interface JudgingRequest extends FastifyRequest {
  [JUDGED]?: Judged | undefined
}

/** Adds a property for that to all requests of `app`, so that they keep one shape. */
export function keepJudgedMessages(app: FastifyInstance): void {
  app.decorateRequest(JUDGED, undefined)
}

/** What was found of the message of `request`; undefined if none was judged. */
export function judgedMessageOf(request: FastifyRequest): Judged | undefined {
  return (request as JudgingRequest)[JUDGED]
}

/** Lets the routes of `app` take messages. Their headers are read by metadata.ts, which names the one that is wrong. */
export function acceptMessages(app: FastifyInstance): void {
  app.addContentTypeParser(CONTENT_TYPE, (_request, payload, done) => done(null, payload))
}

/**
 * The message in the body of `request`.
 *
 * @throws TamisError CONTENT_TYPE_UNSUPPORTED
 */
export function incomingMessage(
  request: FastifyRequest,
  reply: FastifyReply,
  metadata: Metadata,
): Request {
  const stream = messageStream(request)
  return requested(request, reply, {
    stream,
    declaredLength: declaredLength(request.raw),
    metadata,
  })
}

/** A message that `request` brings or names, for a user of the caller's namespace. */
export function requested(
  request: FastifyRequest,
  reply: FastifyReply,
  message: Pick<Request, 'stream' | 'declaredLength' | 'metadata'>,
): Request {
  const { userId: id } = message.metadata
  const userId = id === undefined ? undefined : storedUser(callerOf(request), id)
  return {
    ...message,
    ...(userId !== undefined && {
      metadata: { ...message.metadata, userId },
      users: [userId],
    }),
    outlet: reply.raw,
    log: request.log,
    judged: (judged) => {
      ;(request as JudgingRequest)[JUDGED] = judged
    },
  }
}

function messageStream(request: FastifyRequest): Readable {
  // Without a body Fastify lets a request without a Content-Type through.
  if (!(request.body instanceof Readable)) {
    throw new TamisError('CONTENT_TYPE_UNSUPPORTED', `The Content-Type must be ${CONTENT_TYPE}`)
  }
  const coding = request.headers['content-encoding'] ?? 'identity'
  if (coding.toLowerCase() !== 'identity') {
    throw new TamisError('CONTENT_TYPE_UNSUPPORTED', `The body is compressed (${coding})`)
  }
  return request.body
}

export function declaredLength({ headers }: IncomingMessage): number | undefined {
  const text = headers['content-length']
  return text === undefined ? undefined : Number(text)
}
