/** What the claim of a signature counts for, on models of four weights. */
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { META_FEATURE_NAMES } from '../../features/meta-features.ts'
import { emptyModels } from '../../learning/empty-models.ts'
import { unsignedShift } from '../../models/claimed-signature.ts'
import type { Models } from '../../models/models.ts'

/** Weights in tenths; those of the fusion and the calibration are 2 and 3. */
function modelsWith(weights: Readonly<Record<string, number>>): Models {
  const models = emptyModels()
  const integers = new Int16Array(META_FEATURE_NAMES.length)
  for (const [name, weight] of Object.entries(weights)) {
    integers[META_FEATURE_NAMES.indexOf(name)] = weight
  }
  const calibration = { slope: 3, intercept: 5 }
  return {
    ...models,
    meta: { ...models.meta, weights: { integers, scale: 0.1 }, calibration },
    fusion: { ...models.fusion, metaWeight: 2 },
  }
}

function features(...names: string[]) {
  return {
    size: META_FEATURE_NAMES.length,
    indices: Uint32Array.from(names, (name) => META_FEATURE_NAMES.indexOf(name)),
    values: new Float32Array(names.length).fill(1),
  }
}

const MODELS = modelsWith({
  DKIM_ALIGNED: -4,
  DKIM_NONE: 1,
  KNOWN_FROM_SIGNED: -20,
  KNOWN_FROM_UNSIGNED: -5,
})

describe('unsignedShift', () => {
  it('is what a message without a signature would have more', () => {
    const shift = unsignedShift(MODELS, features('DKIM_ALIGNED', 'HTML_ONLY'))
    assert.equal(Math.round(shift * 1e6) / 1e6, 3)
  })

  it('counts a known sender too', () => {
    const shift = unsignedShift(MODELS, features('DKIM_ALIGNED', 'KNOWN_FROM_SIGNED'))
    assert.equal(Math.round(shift * 1e6) / 1e6, 12)
  })

  it('is none for a message that claims no signature of its own', () => {
    assert.equal(unsignedShift(MODELS, features('DKIM_NONE', 'KNOWN_FROM_UNSIGNED')), 0)
  })

  it('never makes a message more innocent', () => {
    const models = modelsWith({ DKIM_ALIGNED: 4, DKIM_NONE: 1 })
    assert.equal(unsignedShift(models, features('DKIM_ALIGNED')), 0)
  })
})
