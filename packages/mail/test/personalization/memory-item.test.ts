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
  it('gives its terms and hosts back, and its embedding in 8 bits', () => {
    const hosts = Uint32Array.of(0xfedcba98, 7)
    const vector = decodeMemoryItem(encodeMemoryItem(embedding(0.6, -0.8), TERMS, hosts))
    assert.deepEqual([vector?.sparse, vector?.hosts], [TERMS, hosts])
    assert.deepEqual([...vector!.dense.subarray(0, 3)], [95, -127, 0])
    const none = new Uint32Array()
    const empty = decodeMemoryItem(encodeMemoryItem(embedding(), none))
    assert.deepEqual(empty, { dense: new Int8Array(384), sparse: none, hosts: none })
  })

  it('takes 1,442 bytes at most', () => {
    const most = Uint32Array.from({ length: 256 }, (_, i) => (i << 8) | 1)
    const bytes = encodeMemoryItem(embedding(1), most, new Uint32Array(8))
    assert.equal(bytes.length, 1_442)
    assert.ok(decodeMemoryItem(bytes))
  })

  it('is read from the middle of a larger buffer too', () => {
    const bytes = encodeMemoryItem(embedding(1), TERMS)
    const larger = Buffer.concat([Buffer.from('abc'), bytes, Buffer.from('def')])
    assert.deepEqual(decodeMemoryItem(larger.subarray(3, -3)), decodeMemoryItem(bytes))
  })

  it('is nothing where the bytes are damaged', () => {
    const bytes = encodeMemoryItem(embedding(1), TERMS)
    const made = (terms: Uint32Array) => encodeMemoryItem(embedding(1), terms)
    for (const damaged of [
      ...[new Uint8Array(), bytes.subarray(0, -1), bytes.subarray(0, 384)],
      ...[bytes.with(0, 1), bytes.with(1, 9), made(TERMS.toReversed())],
      ...[made(Uint32Array.of(0x101, 0x102)), new Uint8Array(2 + 384 + 4 * 257).with(0, 2)],
    ]) {
      assert.equal(decodeMemoryItem(damaged), undefined)
    }
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
