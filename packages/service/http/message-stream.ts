/** Takes raw messages as request bodies: they stay a stream until the rest of the request is checked. */
import { Readable } from 'node:stream'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { TamisError } from '../../mail/errors.ts'
import { clientOf } from '../access/caller.ts'
import type { Incoming } from '../analyse-body.ts'
import type { Metadata } from '../metadata.ts'

export const CONTENT_TYPE = 'message/rfc822'

/** Lets the routes of `app` take messages. Their headers are read by metadata-headers.ts, which names the one that is wrong. */
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
): Incoming {
  return {
    stream: messageStream(request),
    declaredLength: declaredLength(request),
    client: clientOf(request),
    metadata,
    outlet: reply.raw,
    log: request.log,
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

function declaredLength(request: FastifyRequest): number | undefined {
  const text = request.headers['content-length']
  return text === undefined ? undefined : Number(text)
}
