/**
 * The route from text to embeddings (interface §4.7). A request never waits behind messages: the encoder and an operator's
 * own model have threads of their own, and the table answers between two messages, however many wait. So a request of many
 * texts pauses between them, and has but one of them wait at a time. At the encoder callers have turns (encoder-turns.ts).
 */
import { setImmediate } from 'node:timers/promises'
import { Type } from 'typebox'
import { DIMENSIONS } from '../../../mail/embedding/embedding-model.ts'
import { callerOf, clientOf } from '../../access/caller.ts'
import type { TextEmbedder } from '../../embedding/open-embedding.ts'
import { invalidField } from '../field-errors.ts'
import { jsonNumbers } from '../json-numbers.ts'
import { operation } from '../route.ts'
import { Component } from '../schemas.ts'

/** Room for 256 texts of 8,000 characters, all that is read of each (TEXT_LENGTH_MAX), some of which take several bytes; parsing that holds the thread for some 20 ms. */
const BODY_BYTES_MAX = 4 * 1024 * 1024

/** Names the model in the answer. */
const MODEL_FIELD = 'X-Tamis-Embedding-Model'

/** Milliseconds of embedding after which other requests have their turn. */
const PAUSE_AFTER_MS = 2

/** The body of interface §2.4; it can also hold several texts. */
const EmbedTextBody = Component('EmbedTextBody', {
  text: Type.Optional(
    Type.String({
      description: 'Text of any length; only its beginning counts',
      examples: ['Your parcel arrives tomorrow'],
    }),
  ),
  texts: Type.Optional(
    Type.Array(Type.String(), {
      minItems: 1,
      maxItems: 256,
      description: 'Instead of `text`: several at once',
    }),
  ),
})

const Embedding = Type.Array(Type.Number({ minimum: -1, maximum: 1 }), {
  minItems: DIMENSIONS,
  maxItems: DIMENSIONS,
  description:
    '384 numbers, 1 long (L2); all 0 for a text without a visible character, and with the table for one without a word',
})

const EmbedTextResult = Component('EmbedTextResult', {
  embedding: Type.Optional(Embedding),
  embeddings: Type.Optional(
    Type.Array(Embedding, { description: 'With `texts`: one for each, in order' }),
  ),
})

/** An embedding for the example: it has the size of a real one and the length 1. The numbers of a real one would say no more. */
const EXAMPLE = {
  embedding: Array.from(
    { length: DIMENSIONS },
    (_, index) => Math.round(1e4 * Math.sqrt(2 / DIMENSIONS) * Math.sin(index)) / 1e4,
  ),
}

export const EMBED_TEXT = [
  operation({
    method: 'POST',
    path: '/classify/embed-text',
    scope: 'classify',
    operationId: 'embedText',
    tag: 'Classify',
    summary: 'Embedding of a text, or of several',
    description:
      'The numbers of texts that mean the same, in one language or two, point in nearly the same direction. Only vectors of one model can be compared: `X-Tamis-Embedding-Model` in the answer names it (`TAMIS_EMBEDDING`). Requests do not wait in the queue behind messages. With `texts` instead of `text` the answer has `embeddings`, up to 256 at once; each text counts as a request for the rate limit of the key.',
    body: { schema: EmbedTextBody, bytesMax: BODY_BYTES_MAX },
    example: { body: { text: 'Your parcel arrives tomorrow' } },
    clientByHand: true,
    answers: {
      200: {
        description: 'The embedding',
        schema: EmbedTextResult,
        example: EXAMPLE,
        headers: {
          [MODEL_FIELD]: Type.String({
            description: 'Name and version of the model that made the embedding',
          }),
        },
      },
    },
    errors: ['QUEUE_FULL', 'ENCODER_UNAVAILABLE'],
    handler: async (request, { classifier: { textEmbedding: model }, access }, reply) => {
      const { text, texts } = request.body
      if ((text === undefined) === (texts === undefined)) {
        throw invalidField('text', 'or texts has to be there, and only one of them')
      }
      // The request itself was counted as it came.
      if (texts !== undefined) access.takeMore(callerOf(request), texts.length - 1)
      const embed: Embed = (text) => model.embed(text, reply.raw, clientOf(request))
      const json = await embedded(embed, text ?? texts ?? [])
      reply.type('application/json; charset=utf-8').header(MODEL_FIELD, model.id)
      return json
    },
  }),
]

type Embed = (text: string) => ReturnType<TextEmbedder['embed']>

async function embedded(embed: Embed, given: string | readonly string[]): Promise<Buffer> {
  if (typeof given === 'string') return answer('embedding', [jsonNumbers(await embed(given))])
  return answer('embeddings', ['[', ...(await embedAll(embed, given)), ']'])
}

/** Writes `{"name":…}` by hand: a serializer would take longer than the embedding. */
function answer(name: string, json: readonly (string | Buffer)[]): Buffer {
  return Buffer.concat([`{"${name}":`, ...json, '}'].map((part) => Buffer.from(part)))
}

async function embedAll(embed: Embed, texts: readonly string[]): Promise<(string | Buffer)[]> {
  const answers: (string | Buffer)[] = []
  let started = performance.now()
  for (const text of texts) {
    if (answers.length > 0) answers.push(',')
    answers.push(jsonNumbers(await embed(text)))
    if (performance.now() - started < PAUSE_AFTER_MS) continue
    await setImmediate()
    started = performance.now()
  }
  return answers
}
