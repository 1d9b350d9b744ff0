/** What a crowd moves, and what it is refused: on models that know nothing, and on those that ship. */
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { readModels } from '../../../artifact-files/artifact-files.ts'
import { AGREEING_MIN } from '../../learning/agreement.ts'
import { CrowdLearning, isWorse } from '../../learning/crowd-learning.ts'
import { exampleOf, type LearnEvent } from '../../learning/learn-event.ts'
import type { Canary } from '../../models/canary.ts'
import { emptyModels } from '../../models/models.ts'
import { correction, NO_META, ownWords, words } from './corrections.ts'
import { poisonedCanary } from './poisoned-canary.ts'

/** A canary message of words that no other has. */
function canaryMessage(at: number, spam: boolean): Canary[number] {
  return { text: words(10_000 + at), meta: NO_META, spam, messageClass: 'primary' }
}

function train(crowd: CrowdLearning, events: readonly LearnEvent[], base = emptyModels()) {
  return events.map((event) => crowd.train(event, exampleOf(event, base)!, AGREEING_MIN))
}

/** The words of `said` by so many users, one after the other, each in a text of their own. */
function saidBy(
  users: number,
  { words: indices = [1, 2, 3], ...said }: Partial<Parameters<typeof correction>[0]> = {},
): LearnEvent[] {
  return Array.from({ length: users }, (_, i) =>
    correction({ ...said, id: `${i}`, user: `user ${i}`, words: [...indices, ...ownWords(i)] }),
  )
}

describe('CrowdLearning', () => {
  it('moves the words of a message with the fifth user, and puts them to work', () => {
    const crowd = new CrowdLearning(emptyModels(), [])
    assert.deepEqual(train(crowd, saidBy(4)), ['held', 'held', 'held', 'held'])
    assert.ok(crowd.candidate.text.every((delta) => delta === 0))
    const [fifth] = train(crowd, saidBy(5).slice(-1))
    assert.equal(fifth, 'promoted')
    assert.ok([1, 2, 3].every((word) => crowd.promoted.text[word]! > 0.05))
    assert.deepEqual([...crowd.promoted.text].filter((delta) => delta !== 0).length, 3)
  })

  it('moves the classes of words, and nothing that spam is told by', () => {
    const crowd = new CrowdLearning(emptyModels(), [])
    train(crowd, saidBy(5, { kind: 'tabs', label: 'updates' }))
    const [primary, promotions, updates, transactions] = crowd.promoted.tabs.slice(4, 8)
    assert.ok(updates! > 0 && primary! < 0 && promotions! < 0 && transactions! < 0)
    assert.ok(crowd.promoted.text.every((delta) => delta === 0))
  })

  it('moves no word further than six tenths, however many say so', () => {
    const crowd = new CrowdLearning(emptyModels(), [])
    for (let round = 0; round < 40; round++) train(crowd, saidBy(25, { words: [1] }))
    assert.ok(crowd.promoted.text[1]! > 0.55 && crowd.promoted.text[1]! <= Math.fround(0.6))
    assert.equal(crowd.promoted.text.at(-1), 0)
    assert.ok(crowd.promoted.meta.every((delta) => delta === 0))
  })

  it('moves no word once its message is moved as far as it may', () => {
    const crowd = new CrowdLearning(emptyModels(), [])
    for (let round = 0; round < 40; round++) train(crowd, saidBy(25))
    const sum = [1, 2, 3].reduce((total, word) => total + crowd.candidate.text[word]!, 0)
    const value = 13 ** -0.5
    // The step that goes beyond it is the last.
    assert.ok(sum * value > 0.49 && sum * value < 0.5 + 3 * 0.2 * value, `${sum * value}`)
  })

  it('moves no word that is common in the canary set', () => {
    // Of fifty messages one in fifty is one: word 1 stands in two of them, word 2 in all, word 3 in one.
    const first = [
      [1, 2, 3],
      [1, 2],
    ]
    const canary = Array.from({ length: 50 }, (_, i) => ({
      ...canaryMessage(i, false),
      text: words(...(first[i] ?? [2]), 10_000 + i),
    }))
    const crowd = new CrowdLearning(emptyModels(), canary)
    train(crowd, saidBy(5, { label: 'ham' }))
    const unmoved = [1, 2, 3].map((word) => crowd.candidate.text[word] === 0)
    assert.deepEqual(unmoved, [true, true, false])
  })

  it('refuses what makes the canary set worse, goes back, and learns on', () => {
    const canary = Array.from({ length: 200 }, (_, i) => canaryMessage(i, false))
    // An empty model calls nothing spam, and with any of these words moved up it does.
    const crowd = new CrowdLearning(emptyModels(), canary)
    const spam = (at: readonly number[]) => saidBy(5, { words: at.map((each) => 10_000 + each) })
    assert.equal(train(crowd, spam([0, 1])).at(-1), 'promoted')
    const before = crowd.promoted.text.slice()
    assert.equal(train(crowd, spam([2, 3])).at(-1), 'refused')
    assert.ok(before.every((delta, i) => crowd.promoted.text[i] === delta))
    assert.ok(before.every((delta, i) => crowd.candidate.text[i] === delta))
    assert.equal(train(crowd, saidBy(5)).at(-1), 'promoted')
  })

  it('refuses lies about the spam that ships in the canary set, from a hundred users', async () => {
    const base = await readModels()
    const { canary, lies } = await poisonedCanary(base)
    const outcomes = train(new CrowdLearning(base, canary), lies, base)
    assert.ok(outcomes.includes('refused'))
    const unguarded = train(new CrowdLearning(base, []), lies, base)
    assert.ok(!unguarded.includes('refused') && unguarded.includes('promoted'))
  })
})

describe('the canary set', () => {
  const errors = (ham: number, spam: number) => [
    { wrong: ham, of: 200 },
    { wrong: spam, of: 120 },
  ]

  it('may have a hundredth more errors of each kind than by the shipped models, whatever the other', () => {
    const worse = [errors(2, 96), errors(4, 97), errors(0, 0), errors(5, 0), errors(0, 98)]
    assert.deepEqual(
      worse.map((each) => isWorse(each, errors(2, 96))),
      [false, false, false, true, true],
    )
  })
})
