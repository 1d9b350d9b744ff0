import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import { decodeMemoryItem, encodeMemoryItem } from '../../personalization/memory-item.ts'

/** Two words, 0x1 and 0x2, of weight 255 and 10. */
const TERMS = Uint32Array.of(0x1ff, 0x20a)

function embedding(...first: number[]): Float32Array {
  return Float32Array.from({ length: 384 }, (_, i) => first[i] ?? 0)
}

describe('memory item', () => {
  it('gives its terms back, and its embedding in 8 bits', () => {
    const vector = decodeMemoryItem(encodeMemoryItem(embedding(0.6, -0.8), TERMS))
    assert.deepEqual(vector?.sparse, TERMS)
    assert.deepEqual([...vector.dense.subarray(0, 3)], [95, -127, 0])
  })

  it('gives its hosts back', () => {
    const hosts = Uint32Array.of(0xfedcba98, 7)
    assert.deepEqual(decodeMemoryItem(encodeMemoryItem(embedding(1), TERMS, hosts))?.hosts, hosts)
  })

  it('takes 2 bytes, 384 and four a term and a host, at most 1.5 KB', () => {
    assert.equal(encodeMemoryItem(embedding(1), TERMS).length, 2 + 384 + 8)
    const most = Uint32Array.from({ length: 256 }, (_, i) => (i << 8) | 1)
    const bytes = encodeMemoryItem(embedding(1), most, new Uint32Array(8))
    assert.equal(bytes.length, 1_442)
    assert.ok(decodeMemoryItem(bytes))
  })

  it('may be of a message without words', () => {
    const vector = decodeMemoryItem(encodeMemoryItem(embedding(), new Uint32Array()))
    const none = new Uint32Array()
    assert.deepEqual(vector, { dense: new Int8Array(384), sparse: none, hosts: none })
  })

  it('is read from the middle of a larger buffer too', () => {
    const bytes = encodeMemoryItem(embedding(1), TERMS)
    const larger = Buffer.concat([Buffer.from('abc'), bytes, Buffer.from('def')])
    assert.deepEqual(decodeMemoryItem(larger.subarray(3, -3)), decodeMemoryItem(bytes))
  })

  it('is nothing where the bytes are damaged', () => {
    const bytes = encodeMemoryItem(embedding(1), TERMS)
    assert.equal(decodeMemoryItem(new Uint8Array()), undefined)
    assert.equal(decodeMemoryItem(bytes.subarray(0, -1)), undefined)
    assert.equal(decodeMemoryItem(bytes.subarray(0, 384)), undefined)
    assert.equal(decodeMemoryItem(bytes.with(0, 1)), undefined)
    assert.equal(decodeMemoryItem(bytes.with(1, 9)), undefined)
    assert.equal(decodeMemoryItem(encodeMemoryItem(embedding(1), TERMS.toReversed())), undefined)
    assert.equal(
      decodeMemoryItem(encodeMemoryItem(embedding(1), Uint32Array.of(0x101, 0x102))),
      undefined,
    )
    assert.equal(decodeMemoryItem(new Uint8Array(2 + 384 + 4 * 257).with(0, 2)), undefined)
  })

  it('of any bytes is something or nothing, never an error', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 1_500 }), (bytes) => {
        const vector = decodeMemoryItem(bytes.length > 0 ? bytes.with(0, 2) : bytes)
        assert.ok(vector === undefined || vector.dense.length === 384)
      }),
    )
  })
})
