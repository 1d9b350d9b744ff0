/** The reader trained on numbers made by hand: what it is sure of and the models are not. */
import assert from 'node:assert/strict'
import { before, describe, it } from 'node:test'
import { logit, sigmoid } from '../../../mail/models/logit.ts'
import type { MessageClass } from '../../../mail/models/prediction.ts'
import { randomSource } from '../../training/random.ts'
import {
  type FusedLeftOut,
  isRead,
  type ReadExample,
  type TrainedSpamReader,
  trainReader,
} from '../../training/train-reader.ts'

const NOTHING = { size: 1, indices: new Uint32Array(), values: new Float32Array() }

const SOURCES = ['household_2025', 'lists', 'finds', 'written']

/** Mail of four sources: the models order nine in ten right, and what the encoder gives orders all. */
function mail(): { examples: ReadExample[]; leftOut: FusedLeftOut[] } {
  const random = randomSource(3)
  const examples: ReadExample[] = []
  const leftOut: FusedLeftOut[] = []
  for (let i = 0; i < 2_000; i++) {
    const spam = i % 2 === 0
    const source = SOURCES[i % SOURCES.length]!
    const fused = (spam ? 3 : -3) + 5 * (random() + random() - 1)
    examples.push({
      source,
      id: `${i}#0`,
      spam,
      messageClass: undefined,
      text: NOTHING,
      meta: NOTHING,
      texts: { subject: '', body: '', from: '', anchors: '' },
      essence: '',
      group: `${source} ${i}`,
      campaign: i,
      means: Float32Array.of((spam ? 1 : -1) + random(), random()),
    })
    leftOut.push({
      source,
      spam,
      textProbability: sigmoid(fused),
      metaProbability: sigmoid(fused),
      spamLogit: fused,
      fused,
    })
  }
  return { examples, leftOut }
}

describe('trainReader', () => {
  let reader: TrainedSpamReader
  let fits = 0
  before(() => {
    const { examples, leftOut } = mail()
    reader = trainReader(examples, leftOut, () => fits++)
  })

  it('fits once without each fold, and once on all', () => {
    assert.equal(fits, 6)
  })

  it('believes what tells spam from ham', () => {
    assert.ok(reader.fusion.reader > 0)
    assert.ok(reader.spam.weights[0]! > 0)
  })

  it('lets the threshold fall, since the reader rescues the ham near it', () => {
    const { cautious, balanced, strict } = reader.thresholds
    assert.ok(cautious >= balanced && balanced >= strict)
    assert.ok(logit(balanced) < 2)
  })

  it('reads on both sides of the threshold', () => {
    const { below, above } = reader.band
    assert.ok(below > 0 && below <= 2.5 && above > 0 && above <= 2, `${below}, ${above}`)
  })
})

describe('isRead', () => {
  it('takes one rendering of a written message, and all other mail that has a label', () => {
    const of = (source: string, id: string, spam?: boolean, messageClass?: MessageClass) =>
      isRead({ source, id, spam, messageClass })
    assert.equal(of('written', 'a#0', true), true)
    assert.equal(of('written', 'a#1', true), false)
    assert.equal(of('lists', 'ham/1.eml', false), true)
    assert.equal(of('templates', 'b', undefined, 'updates'), true)
    assert.equal(of('templates', 'b'), false)
  })
})
