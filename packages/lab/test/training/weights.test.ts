import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { Example } from '../../training/features.ts'
import { spamWeights } from '../../training/weights.ts'

const NOTHING = { size: 1, indices: new Uint32Array(), values: new Float32Array() }

function example(source: string, spam: boolean, more: Partial<Example> = {}): Example {
  return {
    source,
    id: '',
    spam,
    messageClass: undefined,
    text: NOTHING,
    meta: NOTHING,
    group: source,
    campaign: 0,
    texts: { subject: '', body: '', from: '', anchors: '' },
    ...more,
  }
}

describe('spamWeights', () => {
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
    const examples = [
      example('written', true),
      example('written', false),
      example('written', false, { shortLetter: true }),
    ]
    const [, ham, letter] = spamWeights(examples, 'meta')
    assert.ok(Math.abs(letter! / ham! - 3) < 1e-9)
    const [, hamByWords, letterByWords] = spamWeights(examples, 'text')
    assert.equal(letterByWords, hamByWords)
  })
})
