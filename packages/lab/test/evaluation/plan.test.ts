import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { type Placed, planTrainings } from '../../evaluation/plan.ts'
import { FOLDS } from '../../training/folds.ts'

let nextCampaign = 0

/** `count` messages of `source`, three a group. */
function messagesOf(source: string, count: number, language?: string): Placed[] {
  return Array.from({ length: count }, (_, i) => ({
    source,
    group: `${source} ${language ?? ''} ${Math.floor(i / 3)}`,
    campaign: nextCampaign++,
    ...(language === undefined ? {} : { language }),
  }))
}

const examples = [
  ...messagesOf('household_2025', 40),
  ...messagesOf('lists', 30),
  ...messagesOf('written', 60, 'en'),
  ...messagesOf('written', 30, 'fr'),
]
const phishing = messagesOf('phishing_pot', 5)
const all = [...examples, ...phishing]
const plan = planTrainings(all, examples.length)
const trainingsFor = (measure: string) => plan.filter((each) => each.measure === measure)

describe('planTrainings', () => {
  it('leaves a source out whole', () => {
    const [training] = trainingsFor('lists')
    const own = training!.scored.map((i) => all[i]!.source)
    assert.equal(own.length, 30)
    assert.deepEqual(new Set(own), new Set(['lists']))
    assert.ok(training!.scored.every((i) => training!.leftOut.includes(i)))
  })

  it('never trains on what may only be scored', () => {
    for (const { leftOut } of plan) {
      assert.ok(phishing.every((_, i) => leftOut.includes(examples.length + i)))
    }
  })

  it('scores that beside the household', () => {
    const [training] = trainingsFor('household_2025')
    assert.equal(training!.scored.length, 40 + 5)
  })

  it('scores nothing that was trained on', () => {
    for (const { leftOut, scored } of plan) {
      const absent = new Set(leftOut)
      assert.ok(scored.every((i) => absent.has(i)))
    }
  })

  it('never has a group on both sides of a split', () => {
    for (const { leftOut } of plan) {
      const absent = new Set(leftOut)
      const outside = new Set(leftOut.map((i) => all[i]!.group))
      const shared = all.filter(({ group }, i) => !absent.has(i) && outside.has(group))
      assert.deepEqual(shared, [])
    }
  })

  it('leaves out copies of what is asked about, in other sources too', () => {
    const copied = all.map((example, i) => (i === 41 ? { ...example, campaign: 0 } : example))
    const [training] = planTrainings(copied, examples.length, ['household_2025'])
    assert.equal(copied[41]!.source, 'lists')
    assert.ok(training!.leftOut.includes(41))
    assert.ok(!training!.scored.includes(41))
  })

  it('scores every written message once in the folds', () => {
    const folds = trainingsFor('written')
    assert.ok(folds.length <= FOLDS)
    const scored = folds.flatMap((training) => training.scored)
    assert.equal(scored.length, 90)
    assert.equal(new Set(scored).size, 90)
  })

  it('scores every message in another language once, and no English one', () => {
    const scored = trainingsFor('languages').flatMap((training) => training.scored)
    assert.equal(scored.length, 30)
    assert.deepEqual(new Set(scored.map((i) => all[i]!.language)), new Set(['fr']))
  })
})
