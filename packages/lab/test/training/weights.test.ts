/** What training takes for granted: how much each message counts, and what is expected of weights. */
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { META_FEATURE_NAMES } from '../../../mail/features/meta-features.ts'
import { senderWordIndices } from '../../../mail/features/text-features.ts'
import { quantise } from '../../../mail/models/logistic.ts'
import type { Example } from '../../training/features.ts'
import { bounded, metaPriors, textPriors } from '../../training/weight-priors.ts'
import { spamWeights } from '../../training/weights.ts'

describe('spamWeights', () => {
  const example = (source: string, spam: boolean, shortLetter = false) =>
    ({ source, spam, shortLetter }) as Example

  it('gives spam and ham the same sum, and a mean of 1', () => {
    const examples = [example('lists', true), example('lists', false), example('written', false)]
    const [spam, ham, otherHam] = spamWeights(examples, 'meta')
    assert.equal(spam, 1.5)
    assert.equal(ham! + otherHam!, 1.5)
  })

  it('shares the weight of a source among its messages', () => {
    const few = [example('lists', true), example('lists', false)]
    const many = Array.from({ length: 9 }, () => example('finds', false))
    const weights = spamWeights([...few, ...many], 'meta')
    const ofMany = weights.slice(2).reduce((sum, weight) => sum + weight, 0)
    assert.ok(Math.abs(ofMany - weights[1]!) < 1e-9)
  })

  it('counts a short letter more than other ham, but not by its words', () => {
    const written = [false, true].map((isShort) => example('written', false, isShort))
    const [, ham, letter] = spamWeights([example('written', true), ...written], 'meta')
    assert.ok(Math.abs(letter! / ham! - 3) < 1e-9)
    const [, hamByWords, letterByWords] = spamWeights(
      [example('written', true), ...written],
      'text',
    )
    assert.equal(letterByWords, hamByWords)
  })
})

describe('the expectations of the meta model', () => {
  const at = (name: string) => META_FEATURE_NAMES.indexOf(name)

  it('are those of the table, divided by what a log-odd of the model is worth', () => {
    const { expected, least, most } = metaPriors(2)
    assert.equal(least[at('ATTACHMENT_EXECUTABLE')], 1.75)
    assert.equal(expected[at('ATTACHMENT_EXECUTABLE')], 4)
    assert.deepEqual([least[at('DKIM_ALIGNED')], most[at('DKIM_ALIGNED')]], [0, 0])
  })

  it('let no signal weigh against its direction, and say nothing of counts', () => {
    const { least, most } = metaPriors()
    assert.equal(least[at('LINK_SHORTENER')], 0)
    assert.equal(most[at('REPLY_REFERENCED')], 0)
    assert.equal(least[at('links 0')], Number.NEGATIVE_INFINITY)
  })

  it('hold in the verdict, whatever calibration and fusion have come to', () => {
    const weights = new Float32Array(META_FEATURE_NAMES.length).fill(-1)
    const calibration = { slope: 0.5, intercept: 0 }
    const fusion = { metaWeight: 0.8 } as never
    const { weights: held } = bounded({ weights: quantise(weights), bias: 0, calibration }, fusion)
    const inVerdict = (name: string) => held.integers[at(name)]! * held.scale * 0.5 * 0.8
    assert.ok(Math.abs(inVerdict('ATTACHMENT_EXECUTABLE') - 3.5) < 1e-3)
    assert.ok(Math.abs(inVerdict('links 0') + 0.4) < 1e-3)
  })
})

it('the text model lets no word of a display name speak for ham, and says nothing of others', () => {
  const { least, most } = textPriors([{ from: 'Deutsche Bank' }])
  const heldAtZero = [...least.keys()].filter((index) => least[index] === 0)
  assert.deepEqual(heldAtZero, [...senderWordIndices({ from: 'bank deutsche' })])
  assert.ok(most.every((value) => value === Number.POSITIVE_INFINITY))
})
