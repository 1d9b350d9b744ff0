/**
 * The route from text to its embedding (interface §4.7), by the encoder that memories go by. It never waits behind messages that
 * are judged: the encoder has a thread of its own, on which callers have turns (encoder/embedder.ts).
 */

import { DIMENSIONS } from '../../../mail/personalization/memory-item.ts'
import { clientOf } from '../../access/caller.ts'
import { Type } from '../../json-schema.ts'
import { operation } from '../route.ts'
import { Component } from '../schemas.ts'

/** Room for a text of any length, of which only the beginning counts; parsing that holds the thread for some 20 ms. */
const BODY_BYTES_MAX = 4 * 1024 * 1024

/** Names the model in the answer. */
const MODEL_FIELD = 'X-Tamis-Embedding-Model'

/** The body of interface §2.4. */
const EmbedTextBody = Component('EmbedTextBody', {
  text: Type.String({
    description: 'Text of any length; its first 8,000 characters count',
    examples: ['Your parcel arrives tomorrow'],
  }),
})

const EmbedTextResult = Component('EmbedTextResult', {
  embedding: Type.Array(Type.Number({ minimum: -1, maximum: 1 }), {
    minItems: DIMENSIONS,
    maxItems: DIMENSIONS,
    description: '384 numbers, 1 long (L2); all 0 for a text without a visible character',
  }),
})

export const EMBED_TEXT = [
  operation({
    method: 'POST',
    path: '/classify/embed-text',
    scope: 'classify',
    operationId: 'embedText',
    tag: 'Classify',
    summary: 'Embedding of a text',
    description:
      'The numbers of texts that mean the same, in one language or two, point in nearly the same direction. Only vectors of one model can be compared: `X-Tamis-Embedding-Model` in the answer names it. It is the model that memories go by. Requests do not wait in the queue behind messages.',
    body: { schema: EmbedTextBody, bytesMax: BODY_BYTES_MAX },
    answers: {
      200: {
        description: 'The embedding',
        schema: EmbedTextResult,
        headers: {
          [MODEL_FIELD]: Type.String({
            description: 'Name and version of the model that made the embedding',
          }),
        },
      },
    },
    handler: async (request, { classifier: { embedder } }, reply) => {
      const embedding = await embedder.embed(request.body.text, clientOf(request))
      reply.header(MODEL_FIELD, embedder.id)
      return { embedding: [...embedding] }
    },
  }),
]
