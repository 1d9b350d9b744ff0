/**
 * Text to embeddings (interface §4.7). Never queued: it is answered on this thread, whatever
 * the workers are busy with, and so a request of many texts pauses between them.
 */
import { setImmediate } from 'node:timers/promises'
import type { FastifyInstance } from 'fastify'
import type { EmbeddingModel } from '../../embedding/embedding-model.ts'
import { TamisError } from '../../errors.ts'
import { acceptJson } from '../json-body.ts'
import { jsonNumbers } from '../json-numbers.ts'
import { EmbedTextBody, EmbedTextResult, ErrorResult } from '../schemas.ts'

/** 256 texts of 16,000 characters, far more than is read of each; parsing that holds the thread for some 20 ms. */
const BODY_BYTES_MAX = 4 * 1024 * 1024

/** Milliseconds of embedding after which others have their turn. */
const PAUSE_AFTER_MS = 2

export function embedText(app: FastifyInstance, model: EmbeddingModel): void {
  acceptJson(app, BODY_BYTES_MAX)
  app.post<{ Body: EmbedTextBody }>('/classify/embed-text', {
    schema: {
      summary: 'Embedding of a text, or of several',
      body: EmbedTextBody,
      response: { 200: EmbedTextResult, '4xx': ErrorResult, '5xx': ErrorResult },
    },
    handler: async ({ body }, reply) => {
      const { text, texts } = body
      if ((text === undefined) === (texts === undefined)) throw oneOf()
      reply.serializer(String).type('application/json; charset=utf-8')
      if (text !== undefined) return `{"embedding":${jsonNumbers(model.embed(text))}}`
      return `{"embeddings":[${(await embedAll(model, texts ?? [])).join(',')}]}`
    },
  })
}

async function embedAll(model: EmbeddingModel, texts: readonly string[]): Promise<string[]> {
  const answers: string[] = []
  let started = performance.now()
  for (const text of texts) {
    answers.push(jsonNumbers(model.embed(text)))
    if (performance.now() - started < PAUSE_AFTER_MS) continue
    await setImmediate()
    started = performance.now()
  }
  return answers
}

function oneOf(): TamisError {
  return new TamisError('FIELD_INVALID', 'text or texts has to be there, and only one of them', {
    details: { field: 'text' },
  })
}
