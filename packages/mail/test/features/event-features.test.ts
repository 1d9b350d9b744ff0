import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import {
  decodeEventFeatures,
  EVENT_FEATURES_BYTES_MAX,
  EVENT_FEATURES_MAX,
  encodeEventFeatures,
} from '../../features/event-features.ts'
import { META_FEATURE_NAMES } from '../../features/meta-features.ts'
import { TEXT_FEATURES_SIZE } from '../../features/text-features.ts'
import { NO_META, words } from '../learning/corrections.ts'

const decode = (bytes: Uint8Array) => decodeEventFeatures(bytes, META_FEATURE_NAMES.length)

function vector(size: number, entries: readonly (readonly [index: number, value: number])[]) {
  return {
    size,
    indices: Uint32Array.from(entries, ([index]) => index),
    values: Float32Array.from(entries, ([, value]) => value),
  }
}

describe('event features', () => {
  it('keep indices, ascending, and values to a 255th of the largest', () => {
    const text = vector(TEXT_FEATURES_SIZE, [
      [262_143, 0.5],
      [0, 1],
      [200, 0.25],
    ])
    const meta = vector(META_FEATURE_NAMES.length, [[7, 1]])
    const decoded = decode(encodeEventFeatures(text, meta))!
    assert.deepEqual([...decoded.text.indices], [0, 200, 262_143])
    assert.deepEqual([...decoded.text.values], [1, 64 / 255, 128 / 255].map(Math.fround))
    assert.deepEqual(decoded.meta, meta)
  })

  it('keep the largest values of a long message, and of equal ones those that came first', () => {
    const many = Array.from({ length: EVENT_FEATURES_MAX }, (_, i) => [i, 0.5] as const)
    const text = vector(TEXT_FEATURES_SIZE, [...many, [5_000, 0.5], [6_000, 1]])
    const { indices } = decode(encodeEventFeatures(text, NO_META))!.text
    assert.equal(indices.length, EVENT_FEATURES_MAX)
    assert.deepEqual([...indices.subarray(-2)], [EVENT_FEATURES_MAX - 2, 6_000])
  })

  it('stay below their limit however the features lie', () => {
    const scattered = Array.from({ length: 2_000 }, (_, i) => (i * 131) % TEXT_FEATURES_SIZE)
    const all = Array.from({ length: META_FEATURE_NAMES.length }, (_, i) => [i, 1] as const)
    const bytes = encodeEventFeatures(words(...scattered), vector(META_FEATURE_NAMES.length, all))
    assert.ok(bytes.length < EVENT_FEATURES_BYTES_MAX / 1.5, `${bytes.length} bytes`)
  })

  it('of a message without words are empty', () => {
    const decoded = decode(encodeEventFeatures(words(), NO_META))!
    assert.equal(decoded.text.indices.length + decoded.meta.indices.length, 0)
  })

  it('cut short, with bytes to spare or of another version, are none', () => {
    const bytes = encodeEventFeatures(words(1, 300, 70_000), NO_META)
    for (let length = 0; length < bytes.length; length++) {
      assert.equal(decode(bytes.subarray(0, length)), undefined)
    }
    assert.equal(decode(Uint8Array.of(...bytes, 0)), undefined)
    assert.equal(decode(Uint8Array.of(2, ...bytes.subarray(1))), undefined)
  })
})
