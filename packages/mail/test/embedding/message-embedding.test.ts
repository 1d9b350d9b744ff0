import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { staticEmbeddingFromArtifact } from '../../embedding/embedding-artifact.ts'
import { DIMENSIONS } from '../../embedding/embedding-model.ts'
import { messageEmbedding, similarity } from '../../embedding/message-embedding.ts'
import { passagesOf } from '../../embedding/passages.ts'
import { squaredLength, TERMS_MAX, termsOf } from '../../embedding/sparse-terms.ts'
import { NOTHING_COMMON, senderLevel } from '../../features/common-text.ts'
import type { Message } from '../../message/message.ts'
import { memoryOctets } from '../../message/octets.ts'
import { parseMessage } from '../../message/parse.ts'
import { smallTable } from './table.ts'

const model = staticEmbeddingFromArtifact(smallTable(['invoice', 'overdue']))

function message(subject: string, body: string): Message {
  return parseMessage(memoryOctets(Buffer.from(`Subject: ${subject}\n\n${body}`)))
}

function termsIn(of: Message): Uint32Array {
  return termsOf(passagesOf(of, NOTHING_COMMON), NOTHING_COMMON)
}

function embedded(of: Message) {
  return messageEmbedding(model, of, NOTHING_COMMON)
}

function alike(a: Message, b: Message): number {
  return similarity(embedded(a), embedded(b))
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

  it('does not count what is quoted', () => {
    const text = 'Your invoice over 310 euros is overdue since Monday.'
    const quoting = message('Lunch', `Shall we meet in the park by the lake?\n\n> ${text}`)
    assert.equal(alike(quoting, INVOICE), alike(MEETING, INVOICE))
  })

  it('is zero with a message without words', () => {
    const empty = message('', '')
    const { dense, sparse } = embedded(empty)
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
  })

  it('are at most as many as the limit', () => {
    const words = Array.from({ length: 2_000 }, (_, i) => `w${i.toString(36)}`).join(' ')
    assert.ok(termsIn(message(words, words)).length <= TERMS_MAX)
  })

  it('are without words that many senders use, and weigh those less that some do', () => {
    const lengthWith = (senders: number) => {
      const levels = NOTHING_COMMON.levels.slice().fill(senderLevel(senders))
      const passages = passagesOf(INVOICE, NOTHING_COMMON)
      return squaredLength(termsOf(passages, { ...NOTHING_COMMON, levels }))
    }
    assert.equal(lengthWith(600), 0)
    assert.ok(lengthWith(20) > 0 && lengthWith(20) < lengthWith(1))
    assert.ok(lengthWith(1) < lengthWith(0))
  })
})
