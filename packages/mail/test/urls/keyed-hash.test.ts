/** The first vectors of Linux for HalfSipHash-1-3 (lib/tests/siphash_kunit.c): key 00 01 … 07, message 00 01 … */
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { keyedHash } from '../../urls/keyed-hash.ts'

const KEY = [0x03020100, 0x07060504] as const

const VECTORS = [
  0x5814c896, 0xe7e864ca, 0xbc4b0e30, 0x01539939, 0x7e059ea6, 0x88e3d89b, 0xa0080b65, 0x9d38d9d6,
  0x577999b1,
]

describe('keyedHash', () => {
  for (const [length, expected] of VECTORS.entries()) {
    it(`gives ${expected} for ${length} bytes`, () => {
      assert.equal(keyedHash(KEY, String.fromCharCode(...Array(length).keys())), expected)
    })
  }
})
