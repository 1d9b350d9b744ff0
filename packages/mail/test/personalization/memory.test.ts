/** Small vectors written by hand, and random ones held against a search that compares each item in full. */
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { randomSource } from '../../../lab/training/random.ts'
import {
  type SparseTerms,
  squaredLength,
  weightOfTerm,
  wordOfTerm,
} from '../../embedding/sparse-terms.ts'
import {
  type MemoryQuery,
  neighbors,
  packMemory,
  type StoredMemoryItem,
} from '../../personalization/memory.ts'
import { decodeMemoryItem, encodeMemoryItem } from '../../personalization/memory-item.ts'

interface Said {
  /** Beginning of the embedding; zero from there on. */
  readonly dense?: readonly number[]
  /** Words, each of the full weight. */
  readonly words?: readonly number[]
}

function bytesOf({ dense = [], words = [] }: Said): Uint8Array {
  return encodeMemoryItem(
    embedding(dense),
    Uint32Array.from(words, (word) => (word << 8) | 255).sort(),
  )
}

/** Of length 1, or all zero. */
function embedding(beginning: readonly number[] = []): Float32Array {
  const length = Math.hypot(...beginning) || 1
  return Float32Array.from({ length: 384 }, (_, i) => (beginning[i] ?? 0) / length)
}

function bytesToTerms(...words: number[]): Uint32Array {
  return Uint32Array.from(words, (word) => (word << 8) | 255)
}

function item(
  feedbackId: string,
  said: Said,
  more: Partial<StoredMemoryItem> = {},
): StoredMemoryItem {
  const made = { label: 'spam', embeddingModel: 'a-1', createdAt: new Date('2025-06-01') }
  return { feedbackId, ...made, memory: bytesOf(said), ...more }
}

function query(said: Said, more: Partial<MemoryQuery> = {}): MemoryQuery {
  const { sparse, hosts } = decodeMemoryItem(bytesOf(said))!
  const vector = embedding(said.dense)
  return { sparse, hosts, embedding: { model: 'a-1', vector }, ...more }
}

function found(items: StoredMemoryItem[], asked: MemoryQuery, k = 5, similarityMin = 0.01) {
  return neighbors(packMemory(items), asked, k, similarityMin).map(
    ({ message, similarity: alike }) => [message.feedbackId, Number(alike.toFixed(3))],
  )
}

describe('neighbors', () => {
  it('gives the likest first, by terms', () => {
    const items = [
      item('half the terms', { words: [1, 3] }),
      item('all the same', { words: [1, 2] }),
      item('nothing', { words: [5] }),
    ]
    assert.deepEqual(found(items, query({ words: [1, 2] })), [
      ['all the same', 1],
      ['half the terms', 0.5],
    ])
  })

  it('leaves out what one model embedded as unlike', () => {
    const items = [
      item('unlike', { dense: [0, 1], words: [1] }),
      item('of another model', { dense: [0, 1], words: [1] }, { embeddingModel: 'b-1' }),
      item('not embedded', { words: [1] }),
      item('like', { dense: [1, 0.2], words: [1] }),
    ]
    assert.deepEqual(found(items, query({ dense: [1], words: [1] })), [
      ['of another model', 1],
      ['not embedded', 1],
      ['like', 1],
    ])
  })

  it('gives at most k, the newer of equals, which stands first', () => {
    const items = ['new', 'old', 'oldest'].map((id) => item(id, { dense: [1], words: [1] }))
    assert.deepEqual(found(items, query({ dense: [1], words: [1] }), 2), [
      ['new', 1],
      ['old', 1],
    ])
  })

  it('gives none below the least similarity', () => {
    const items = [item('half', { words: [1, 2] })]
    const asked = query({ words: [1, 3] })
    assert.deepEqual(found(items, asked, 5, 0.499), [['half', 0.5]])
    assert.deepEqual(found(items, asked, 5, 0.501), [])
  })

  it('makes no message more than itself, however lengths are rounded', () => {
    for (let size = 1; size <= 20; size++) {
      const said = {
        dense: Array.from({ length: size }, () => 1),
        words: Array.from({ length: size }, (_, i) => i),
      }
      const items = [item('same model', said), item('other', said, { embeddingModel: 'b-1' })]
      for (const { similarity: alike } of neighbors(packMemory(items), query(said), 5, 0.1)) {
        assert.ok(alike > 0.999_999 && alike <= 1, `${size} words: ${alike}`)
      }
    }
  })

  it('says where links of both lead to one host, and how much text was compared', () => {
    const memory = encodeMemoryItem(new Float32Array(384), bytesToTerms(1, 2), Uint32Array.of(7, 8))
    const asked = query({ words: [1] })
    const hosts = Uint32Array.of(8)
    const [one] = neighbors(packMemory([item('one', {}, { memory })]), { ...asked, hosts }, 5, 0.1)
    assert.deepEqual([one?.sameHosts, one?.terms, one?.mass], [true, 1, 1])
    const [other] = neighbors(packMemory([item('one', {}, { memory })]), asked, 5, 0.1)
    assert.equal(other?.sameHosts, false)
  })

  it('gives the same message first, however little is alike', () => {
    const messageKey = Uint8Array.of(7)
    const items = [item('alike', { words: [1] }), item('same', {}, { messageKey })]
    const [first, second] = neighbors(
      packMemory(items),
      query({ words: [1] }, { messageKey }),
      5,
      0.4,
    )
    assert.deepEqual(
      [
        first?.message.feedbackId,
        first?.sameMessage,
        second?.message.feedbackId,
        second?.sameMessage,
      ],
      ['same', true, 'alike', false],
    )
  })

  it('finds exactly what comparing every item in full finds', () => {
    const random = randomSource(1)
    const said = () => ({
      words: [...new Set(Array.from({ length: 40 }, () => Math.floor(random() * 100) * 167_772))],
    })
    const items = Array.from({ length: 120 }, (_, i) => item(String(i), said()))
    const memory = packMemory(items)
    const termsIn = (bytes: Uint8Array) => decodeMemoryItem(bytes)!.sparse
    const cosine = (one: SparseTerms, other: SparseTerms) => {
      const weights = new Map([...other].map((term) => [wordOfTerm(term), weightOfTerm(term)]))
      const products = [...one].map((t) => weightOfTerm(t) * (weights.get(wordOfTerm(t)) ?? 0))
      const lengths = Math.sqrt(squaredLength(one) * squaredLength(other))
      return products.reduce((sum, product) => sum + product, 0) / lengths
    }
    for (let i = 0; i < 20; i++) {
      const asked = said()
      const expected = items
        .map(({ memory: bytes }) => cosine(termsIn(bytes), termsIn(bytesOf(asked))))
        .sort((a, b) => b - a)
        .slice(0, 5)
      const actual = neighbors(memory, query(asked), 5, 0).map(({ similarity: alike }) => alike)
      expected.forEach((alike, rank) => {
        assert.ok(Math.abs(alike - actual[rank]!) < 1e-5, `${alike} ${actual[rank]}`)
      })
    }
  })
})

describe('packMemory', () => {
  it('leaves damaged items out', () => {
    const damaged = item('damaged', {}, { memory: Uint8Array.of(9, 9, 9) })
    const memory = packMemory([damaged, item('whole', { words: [1] })])
    assert.deepEqual(
      memory.messages.map(({ feedbackId }) => feedbackId),
      ['whole'],
    )
  })

  it('takes 65,535 items, and refuses one more', () => {
    const damaged = item('damaged', {}, { memory: new Uint8Array() })
    const most = Array.from({ length: 65_535 }, () => damaged)
    assert.deepEqual(packMemory(most).messages, [])
    assert.throws(() => packMemory([...most, damaged]), {
      name: 'RangeError',
      message: '65536 items are too many',
    })
  })
})
