import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { META_FEATURE_NAMES } from '../../features/meta-features.ts'
import {
  copyDeltas,
  type Deltas,
  decodeDeltas,
  encodeDeltas,
  withDeltas,
  zeroDeltas,
} from '../../learning/deltas.ts'
import { emptyModels } from '../../learning/empty-models.ts'
import { spamProbability } from '../../learning/spam-learning.ts'
import { sigmoid } from '../../models/logit.ts'
import { NO_META, words } from './corrections.ts'

const BASE = emptyModels()

/** Numbers for the meta features, and one for the bias. */
const META_NUMBERS = META_FEATURE_NAMES.length + 1

/** Every bit of all numbers: for those of a million numbers assert would write gigabytes of differences. */
function assertSameBits(actual: Deltas | undefined, expected: Deltas): void {
  assert.ok(actual !== undefined)
  for (const part of ['text', 'meta', 'tabs'] as const) {
    const [one, other] = [actual, expected].map((deltas) => Buffer.from(deltas[part].buffer))
    assert.ok(one!.equals(other!), `${part} differs`)
  }
}

describe('deltas as bytes', () => {
  it('take a byte and twelve when there is nothing in them', () => {
    const bytes = encodeDeltas(zeroDeltas(BASE))
    assert.equal(bytes.length, 13)
    assertSameBits(decodeDeltas(bytes, BASE), zeroDeltas(BASE))
  })

  it('come back as they were, few or many', () => {
    const deltas = zeroDeltas(BASE)
    deltas.text[0] = 1.5
    deltas.text[262_144] = -0.1
    deltas.meta.fill(0.3)
    deltas.tabs[1_000_000] = 7
    const bytes = encodeDeltas(deltas)
    assert.ok(bytes.length < 3_000, `${bytes.length} bytes`)
    assertSameBits(decodeDeltas(bytes, BASE), deltas)
  })

  it('cut short, with bytes to spare, or of another version are none', () => {
    const deltas = zeroDeltas(BASE)
    deltas.text[300] = 1
    const bytes = encodeDeltas(deltas)
    for (let length = 0; length < bytes.length; length++) {
      assert.ok(decodeDeltas(bytes.subarray(0, length), BASE) === undefined)
    }
    assert.ok(decodeDeltas(Uint8Array.of(...bytes, 0), BASE) === undefined)
    assert.ok(decodeDeltas(Uint8Array.of(9, ...bytes.subarray(1)), BASE) === undefined)
  })
})

describe('deltas as bytes, one by one', () => {
  it('give each number that is not zero by its distance from the one before', () => {
    const deltas = zeroDeltas(BASE)
    deltas.text[300] = 1
    deltas.text[428] = -1
    const bytes = [
      ...[1],
      // Two numbers: 300 after the beginning, and 128 after that one, in seven bits a byte, the low ones first.
      ...[2, 0, 0, 0],
      ...[0xac, 0x02, 0, 0, 0x80, 0x3f],
      ...[0x80, 0x01, 0, 0, 0x80, 0xbf],
      ...[0, 0, 0, 0],
      ...[0, 0, 0, 0],
    ]
    assert.ok(Buffer.from(bytes).equals(encodeDeltas(deltas)))
    assertSameBits(decodeDeltas(Uint8Array.from(bytes), BASE), deltas)
  })

  it('give all numbers of an array half of which are not zero, and of none with fewer', () => {
    const [half, fewer] = [zeroDeltas(BASE), zeroDeltas(BASE)]
    // A row of four for each weight: of an even count, exactly half can be other than zero.
    const { length } = half.tabs
    half.tabs.fill(1, 0, length / 2)
    fewer.tabs.fill(1, 0, length / 2 - 1)
    assert.equal(encodeDeltas(half).length, 13 + length * 4)
    assert.equal(encodeDeltas(fewer).length, 13 + (length / 2 - 1) * 5)
    for (const deltas of [half, fewer]) {
      assertSameBits(decodeDeltas(encodeDeltas(deltas), BASE), deltas)
    }
  })

  it('give all numbers of the last array too, and are none where it is cut short', () => {
    const deltas = zeroDeltas(BASE)
    deltas.tabs.fill(0.5)
    const bytes = encodeDeltas(deltas)
    assert.equal(bytes.length, 13 + deltas.tabs.length * 4)
    assert.ok(decodeDeltas(bytes, BASE)?.tabs.every((delta) => delta === 0.5))
    assert.ok(decodeDeltas(bytes.subarray(0, -1), BASE) === undefined)
  })

  it('are none where they count more numbers than there are', () => {
    const deltas = zeroDeltas(BASE)
    deltas.meta.fill(0.3)
    const bytes = Buffer.from(encodeDeltas(deltas))
    // After the version and the text's count, which is 0.
    assert.equal(bytes.readUInt32LE(5), META_NUMBERS)
    bytes.writeUInt32LE(META_NUMBERS + 1, 5)
    assert.ok(decodeDeltas(bytes, BASE) === undefined)
  })

  it('are none where they name a number after the last', () => {
    const named = (index: number) =>
      Uint8Array.of(
        ...[1, 0, 0, 0, 0],
        ...[1, 0, 0, 0, (index & 0x7f) | 0x80, index >> 7, 0, 0, 0x80, 0x3f],
        ...[0, 0, 0, 0],
      )
    assert.equal(decodeDeltas(named(META_NUMBERS - 1), BASE)?.meta.at(-1), 1)
    assert.ok(decodeDeltas(named(META_NUMBERS), BASE) === undefined)
  })
})

describe('copyDeltas', () => {
  it('writes every number over what was there', () => {
    const [from, into] = [zeroDeltas(BASE), zeroDeltas(BASE)]
    for (const part of ['text', 'meta', 'tabs'] as const) {
      from[part][1] = 1
      from[part][from[part].length - 1] = 2
      into[part].fill(3)
    }
    copyDeltas(from, into)
    assertSameBits(into, from)
  })
})

describe('withDeltas', () => {
  it('adds them to the weights, and the last one to the bias', () => {
    const deltas = zeroDeltas(BASE)
    deltas.text[4] = 2
    deltas.text[262_144] = 0.5
    deltas.meta[META_NUMBERS - 1] = 0.25
    const models = withDeltas(BASE, deltas)
    const probability = spamProbability(models, { text: words(4), meta: NO_META })
    assert.equal(probability, sigmoid(2.75))
  })
})
