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
  const unlike = { dense: [0, 1], words: [1] }
  // biome-ignore format: a row each
  const cases: [what: string, items: StoredMemoryItem[], asked: Said, found: [string, number][], k?: number, similarityMin?: number][] = [
    ['are the likest first, by terms', [item('half', { words: [1, 3] }), item('same', { words: [1, 2] }), item('none', { words: [5] })], { words: [1, 2] }, [['same', 1], ['half', 0.5]]],
    ['are none that one model embedded as unlike', [item('unlike', unlike), item('of another model', unlike, { embeddingModel: 'b-1' }), item('not embedded', { words: [1] }), item('like', { dense: [1, 0.2], words: [1] })], { dense: [1], words: [1] }, [['of another model', 1], ['not embedded', 1], ['like', 1]]],
    ['are k, the newer of equals, which stands first', ['new', 'old', 'oldest'].map((id) => item(id, { words: [1] })), { words: [1] }, [['new', 1], ['old', 1]], 2],
    ['are as similar as asked for', [item('half', { words: [1, 2] })], { words: [1, 3] }, [['half', 0.5]], 5, 0.499],
    ['are none that are less so', [item('half', { words: [1, 2] })], { words: [1, 3] }, [], 5, 0.501],
    ['are none of what is damaged', [item('damaged', {}, { memory: Uint8Array.of(9, 9, 9) }), item('whole', { words: [1] })], { words: [1] }, [['whole', 1]]],
  ]
  for (const [what, items, asked, expected, k, similarityMin] of cases) {
    it(what, () => assert.deepEqual(found(items, query(asked), k, similarityMin), expected))
  }

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

  it('begin with the same message, however little is alike', () => {
    const messageKey = Uint8Array.of(7)
    const items = [item('alike', { words: [1] }), item('same', {}, { messageKey })]
    const asked = query({ words: [1] }, { messageKey })
    assert.deepEqual(
      neighbors(packMemory(items), asked, 5, 0.4).map((it) => [
        it.message.feedbackId,
        it.sameMessage,
      ]),
      [
        ['same', true],
        ['alike', false],
      ],
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
