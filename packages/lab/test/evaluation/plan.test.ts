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
  it('leaves a source out whole, and scores beside the household what may never be trained on', () => {
    const sourcesOf = (measure: string) =>
      trainingsFor(measure).map(({ scored }) => scored.map((i) => all[i]!.source))
    assert.deepEqual(sourcesOf('lists'), [Array(30).fill('lists')])
    assert.deepEqual(sourcesOf('household_2025'), [
      [...Array(40).fill('household_2025'), ...Array(5).fill('phishing_pot')],
    ])
  })

  it('trains on nothing that it scores, that has its group, or that may only be scored', () => {
    for (const { leftOut, scored } of plan) {
      const absent = new Set(leftOut)
      assert.ok(scored.every((i) => absent.has(i)))
      assert.ok(phishing.every((_, i) => absent.has(examples.length + i)))
      const outside = new Set(leftOut.map((i) => all[i]!.group))
      assert.ok(all.every(({ group }, i) => absent.has(i) || !outside.has(group)))
    }
  })

  it('leaves out copies of what is asked about, in other sources too', () => {
    const copied = all.map((example, i) => (i === 41 ? { ...example, campaign: 0 } : example))
    const [training] = planTrainings(copied, examples.length, ['household_2025'])
    assert.equal(copied[41]!.source, 'lists')
    assert.ok(training!.leftOut.includes(41))
    assert.ok(!training!.scored.includes(41))
  })

  it('scores every written message once in the folds, every one in another language once in the halves', () => {
    const languagesOf = (measure: string) =>
      trainingsFor(measure).flatMap(({ scored }) => scored.map((i) => `${i} ${all[i]!.language}`))
    assert.ok(trainingsFor('written').length <= FOLDS)
    assert.equal(new Set(languagesOf('written')).size, 90)
    assert.equal(languagesOf('written').length, 90)
    const foreign = languagesOf('languages')
    assert.equal(new Set(foreign).size, 30)
    assert.ok(foreign.length === 30 && foreign.every((each) => each.endsWith(' fr')))
  })
})
