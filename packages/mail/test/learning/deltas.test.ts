import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { META_FEATURE_NAMES } from '../../features/meta-features.ts'
import {
  type Deltas,
  decodeDeltas,
  encodeDeltas,
  withDeltas,
  zeroDeltas,
} from '../../learning/deltas.ts'
import { spamProbability } from '../../learning/fits.ts'
import { emptyModels } from '../../models/models.ts'
import { sigmoid } from '../../models/prediction.ts'
import { predictClasses } from '../../models/softmax-regression.ts'
import { NO_META, words } from './corrections.ts'

const BASE = emptyModels()

/** Numbers for the meta features, and one for the bias. */
const META_NUMBERS = META_FEATURE_NAMES.length + 1

/** Every bit of all numbers: for those of a million numbers assert would write gigabytes of differences. */
function assertSameBits(actual: Deltas | undefined, expected: Deltas): void {
  assert.ok(actual !== undefined)
  for (const author of ['operator', 'crowd'] as const) {
    for (const part of ['text', 'meta', 'tabs'] as const) {
      const [one, other] = [actual, expected].map((deltas) =>
        Buffer.from(deltas[author][part].buffer),
      )
      assert.ok(one!.equals(other!), `${author} ${part} differs`)
    }
  }
}

describe('deltas as bytes', () => {
  it('come back as they were, few or many', () => {
    const deltas = zeroDeltas(BASE)
    deltas.operator.text[0] = 1.5
    deltas.operator.text[262_144] = -0.1
    deltas.operator.meta.fill(0.3)
    deltas.operator.tabs[1_000_000] = 7
    deltas.crowd.text[3] = 0.2
    deltas.crowd.tabs[1_000_001] = 0.4
    const bytes = encodeDeltas(deltas)
    assert.ok(bytes.length < 20_000, `${bytes.length} bytes`)
    assertSameBits(decodeDeltas(bytes, BASE), deltas)
  })

  it('cut short, of another version, of other weights or damaged are none', () => {
    const deltas = zeroDeltas(BASE)
    deltas.operator.meta.fill(0.3)
    const bytes = encodeDeltas(deltas)
    for (const other of [
      ...[new Uint8Array(), bytes.subarray(0, 1), bytes.subarray(0, -1)],
      ...[
        bytes.with(0, 9),
        bytes.with(bytes.length - 9, 0xff),
        bytes.subarray(0, bytes.length / 2),
      ],
    ]) {
      assert.equal(decodeDeltas(other, BASE), undefined)
    }
    for (const size of [META_FEATURE_NAMES.length - 1, META_FEATURE_NAMES.length + 1]) {
      const weights = { integers: new Int16Array(size), scale: 1 }
      assert.equal(decodeDeltas(bytes, { ...BASE, meta: { ...BASE.meta, weights } }), undefined)
    }
  })
})

describe('withDeltas', () => {
  it("adds the operator's to the weights, and the last one to the bias", () => {
    const deltas = zeroDeltas(BASE)
    deltas.operator.text[4] = 2
    deltas.operator.text[262_144] = 0.5
    deltas.operator.meta[META_NUMBERS - 1] = 0.25
    const models = withDeltas(BASE, deltas)
    const probability = spamProbability(models, { text: words(4), meta: NO_META })
    assert.equal(probability, sigmoid(2.75))
  })

  it('adds what users agree about, for a message by half in log-odds at most, either way', () => {
    const deltas = zeroDeltas(BASE)
    deltas.operator.text[4] = 2
    const movedBy = (each: number) => {
      deltas.crowd.text[4] = each
      deltas.crowd.text[5] = each
      return spamProbability(withDeltas(BASE, deltas), { text: words(4, 5), meta: NO_META })
    }
    const operators = 2 * Math.SQRT1_2
    assertNear(movedBy(0.2), sigmoid(operators + 0.4 * Math.SQRT1_2))
    assertNear(movedBy(0.5), sigmoid(operators + 0.5))
    assertNear(movedBy(-9), sigmoid(operators - 0.5))
  })

  it('moves two classes apart by half in log-odds at most by what users agree about', () => {
    const deltas = zeroDeltas(BASE)
    const oddsOfUpdates = (toward: number, away: number) => {
      deltas.crowd.tabs.set([away, away, toward, away], 4 * 4)
      const { tabs } = withDeltas(BASE, deltas)
      const { updates, primary } = predictClasses(tabs, [words(4), NO_META])
      return Math.log(updates / primary)
    }
    assertNear(oddsOfUpdates(0.3, -0.1), 0.4)
    assertNear(oddsOfUpdates(0.4, -0.2), 0.5)
    assertNear(oddsOfUpdates(-7, 8), -0.5)
  })
})

/** To the precision of deltas, which are float32. */
function assertNear(actual: number, expected: number): void {
  assert.ok(Math.abs(actual - expected) < 1e-6, `${actual}, not ${expected}`)
}
