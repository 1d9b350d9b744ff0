/**
 * Text to embeddings (interface §4.7). Never queued behind messages: the model that comes with
 * Tamis answers on this thread, whatever the workers are busy with, and so a request of many texts
 * pauses between them; a user's own has a thread of its own.
 */
import { setImmediate } from 'node:timers/promises'
import type { FastifyInstance } from 'fastify'
import type { TextEmbedding } from '../../../mail/embedding/embedding-model.ts'
import { TamisError } from '../../../mail/errors.ts'
import { terms } from '../../access/route-terms.ts'
import { acceptJson } from '../json-body.ts'
import { jsonNumbers } from '../json-numbers.ts'
import { EmbedTextBody, EmbedTextResult, ErrorResult } from '../schemas.ts'

/** 256 texts of 8,000 characters, all that is read of each (TEXT_LENGTH_MAX), of which some take several bytes; parsing that holds the thread for some 20 ms. */
const BODY_BYTES_MAX = 4 * 1024 * 1024

/** Milliseconds of embedding after which others have their turn. */
const PAUSE_AFTER_MS = 2

export function embedText(app: FastifyInstance, model: TextEmbedding): void {
  acceptJson(app, BODY_BYTES_MAX)
  app.post<{ Body: EmbedTextBody }>('/classify/embed-text', {
    config: terms({ scope: 'classify' }),
    schema: {
      summary: 'Embedding of a text, or of several',
      body: EmbedTextBody,
      response: { 200: EmbedTextResult, '4xx': ErrorResult, '5xx': ErrorResult },
    },
    handler: async ({ body }, reply) => {
      const { text, texts } = body
      if ((text === undefined) === (texts === undefined)) throw oneOf()
      reply.type('application/json; charset=utf-8')
      if (text !== undefined) return answer('embedding', [jsonNumbers(await model.embed(text))])
      return answer('embeddings', ['[', ...(await embedAll(model, texts ?? [])), ']'])
    },
  })
}

/** `{"name":…}`, written by ourselves: a serializer would spend more on it than the embedding took. */
function answer(name: string, json: readonly (string | Buffer)[]): Buffer {
  return Buffer.concat([`{"${name}":`, ...json, '}'].map((part) => Buffer.from(part)))
}

async function embedAll(
  model: TextEmbedding,
  texts: readonly string[],
): Promise<(string | Buffer)[]> {
  const answers: (string | Buffer)[] = []
  let started = performance.now()
  for (const text of texts) {
    if (answers.length > 0) answers.push(',')
    answers.push(jsonNumbers(await model.embed(text)))
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
