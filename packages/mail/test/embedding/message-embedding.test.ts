import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { staticEmbeddingFromArtifact } from '../../embedding/embedding-artifact.ts'
import { DIMENSIONS } from '../../embedding/embedding-model.ts'
import { messageEmbedding, similarity } from '../../embedding/message-embedding.ts'
import { passagesOf } from '../../embedding/passages.ts'
import { sparseSimilarity, TERMS_MAX, termsOf } from '../../embedding/sparse-terms.ts'
import type { Message } from '../../message/message.ts'
import { memoryOctets } from '../../message/octets.ts'
import { parseMessage } from '../../message/parse.ts'
import { smallTable } from './table.ts'

const model = staticEmbeddingFromArtifact(smallTable(['invoice', 'overdue']))

function message(subject: string, body: string): Message {
  return parseMessage(memoryOctets(Buffer.from(`Subject: ${subject}\n\n${body}`)))
}

function termsIn(of: Message): Uint32Array {
  return termsOf(passagesOf(of))
}

function alike(a: Message, b: Message): number {
  return similarity(messageEmbedding(model, a), messageEmbedding(model, b))
}

const INVOICE = message('Invoice 1048', 'Your invoice over 310 euros is overdue since Monday.')
const REMINDER = message('Re: Invoice 1048', 'The invoice over 310 euros is still overdue.')
const MEETING = message('Lunch', 'Shall we meet in the park by the lake?')

describe('similarity of messages', () => {
  it('is one for the same message', () => {
    assert.ok(Math.abs(alike(INVOICE, INVOICE) - 1) < 1e-6)
  })

  it('is larger for messages about the same', () => {
    assert.ok(alike(INVOICE, REMINDER) > alike(INVOICE, MEETING) + 0.2)
  })

  it('is a third that of the embeddings, about, and else that of the terms', () => {
    const a = messageEmbedding(model, INVOICE)
    const b = messageEmbedding(model, REMINDER)
    const dense = a.dense.reduce((sum, value, i) => sum + value * b.dense[i]!, 0)
    const expected = 0.35 * dense + 0.65 * sparseSimilarity(a.sparse, b.sparse)
    assert.ok(Math.abs(similarity(a, b) - expected) < 1e-6)
  })

  it('is that of the terms alone where two models made the embeddings', () => {
    const a = messageEmbedding(model, INVOICE)
    const b = { ...messageEmbedding(model, REMINDER), model: 'other-1' }
    assert.equal(similarity(a, b), sparseSimilarity(a.sparse, b.sparse))
  })

  it('counts what is quoted less than what is new', () => {
    const text = 'Your invoice over 310 euros is overdue since Monday.'
    const quoting = message('Lunch', `Shall we meet in the park by the lake?\n\n> ${text}`)
    const saying = message('Lunch', `Shall we meet in the park by the lake?\n\n${text}`)
    assert.ok(alike(quoting, INVOICE) < alike(saying, INVOICE))
  })

  it('is zero with a message without words', () => {
    const empty = message('', '')
    const { dense, sparse } = messageEmbedding(model, empty)
    assert.deepEqual(dense, new Float32Array(DIMENSIONS))
    assert.deepEqual(sparse, new Uint32Array(0))
    assert.equal(alike(empty, INVOICE), 0)
    assert.equal(alike(empty, empty), 0)
  })
})

describe('sparse terms', () => {
  it('are ascending, each once, with a value from 1 to 255', () => {
    const terms = termsIn(INVOICE)
    const hashes = [...terms].map((term) => term >>> 8)
    assert.deepEqual(
      hashes,
      [...new Set(hashes)].sort((a, b) => a - b),
    )
    assert.ok(terms.every((term) => (term & 0xff) > 0))
    assert.equal(Math.max(...[...terms].map((term) => term & 0xff)), 255)
  })

  it('are at most as many as the limit', () => {
    const words = Array.from({ length: 2_000 }, (_, i) => `w${i.toString(36)}`).join(' ')
    assert.ok(termsIn(message(words, words)).length <= TERMS_MAX)
  })

  it('differ little where only common words do', () => {
    const a = termsIn(message('', 'The invoice is overdue'))
    const b = termsIn(message('', 'An invoice was overdue'))
    assert.ok(sparseSimilarity(a, b) > 0.9)
  })

  it('are the same for the same words in any order', () => {
    assert.deepEqual(
      termsIn(message('', 'invoice overdue')),
      termsIn(message('', 'overdue invoice')),
    )
  })
})
