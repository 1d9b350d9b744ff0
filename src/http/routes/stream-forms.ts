/** The stream forms: the raw message in the body, metadata in headers (interface §4.2, §4.4, §4.6). */
import { Readable } from 'node:stream'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { TamisError } from '../../errors.ts'
import { abandonment } from '../abandonment.ts'
import { type Classifier, classify, OPERATIONS } from '../classification.ts'
import { metadataFromHeaders } from '../metadata-headers.ts'
import { ErrorResult, MessageStream, StreamHeaders } from '../schemas.ts'

const CONTENT_TYPE = 'message/rfc822'

export function streamForms(app: FastifyInstance, classifier: Classifier): void {
  // The body stays a stream until the request is known to be in order.
  app.addContentTypeParser(CONTENT_TYPE, (_request, payload, done) => done(null, payload))
  // Headers are read by metadata-headers.ts, which names the one that is wrong.
  app.setValidatorCompiler(() => () => true)

  for (const operation of OPERATIONS) {
    app.post(operation.streamForm, {
      schema: {
        summary: operation.summary,
        consumes: [CONTENT_TYPE],
        headers: StreamHeaders,
        body: MessageStream,
        response: { 200: operation.answerSchema, '4xx': ErrorResult, '5xx': ErrorResult },
      },
      handler: (request, reply) =>
        classify(classifier, operation, {
          stream: messageStream(request),
          declaredLength: declaredLength(request),
          metadata: metadataFromHeaders(request.headers),
          abandoned: abandonment(reply.raw),
          log: request.log,
        }),
    })
  }
}

function messageStream(request: FastifyRequest): Readable {
  // Without a body Fastify lets a request without a Content-Type through.
  if (!(request.body instanceof Readable)) {
    throw new TamisError('CONTENT_TYPE_UNSUPPORTED', `The Content-Type has to be ${CONTENT_TYPE}`)
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
