/**
 * The learner as a fold: what it takes, what it gives, and that nothing but the events decides it.
 * Messages are made of a few words; which of them are held out is decided by their key.
 */
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import type { LearningMode } from '../../src/learning/curriculum.ts'
import { type Deltas, withDeltas } from '../../src/learning/deltas.ts'
import { emptyModels } from '../../src/learning/empty-models.ts'
import { type LearnEvent, OPERATOR_ID } from '../../src/learning/learn-event.ts'
import { Learner } from '../../src/learning/learner.ts'
import { spamProbability } from '../../src/learning/spam-fit.ts'
import { predictClasses } from '../../src/models/softmax-regression.ts'
import { correction, NO_META, words } from './corrections.ts'

const base = emptyModels()

function learned(mode: LearningMode, events: readonly LearnEvent[]): Learner {
  const learner = new Learner(base, { mode })
  for (const event of events) learner.learn(event)
  return learner
}

function probabilityOf(deltas: Deltas, indices: readonly number[]): number {
  return spamProbability(withDeltas(base, deltas), { text: words(...indices), meta: NO_META })
}

/** Every bit of all deltas: comparing five megabytes number by number takes assert long. */
function assertSameBits(a: Learner, b: Learner): void {
  for (const which of ['candidate', 'promoted'] as const) {
    for (const part of ['text', 'meta', 'tabs'] as const) {
      const [one, other] = [a, b].map((learner) => Buffer.from(learner[which][part].buffer))
      assert.ok(one!.equals(other!), `${which} ${part} differ`)
    }
  }
  assert.equal(a.promotions, b.promotions)
}

function isUntaught({ candidate }: Learner): boolean {
  return candidate.text.every((delta) => delta === 0)
}

const LABELS = { spam: ['ham', 'spam'], tabs: ['primary', 'promotions'] } as const

const anyCorrection = fc
  .record({
    user: fc.constantFrom('ann', 'bob', 'cid', 'dan', 'eve', 'fay'),
    kind: fc.constantFrom('spam' as const, 'tabs' as const),
    label: fc.nat(1),
    message: fc.nat(30),
    authenticated: fc.boolean(),
    words: fc.uniqueArray(fc.nat(40), { minLength: 1, maxLength: 6 }),
    day: fc.integer({ min: 1, max: 3 }),
  })
  .map(({ kind, label, message, day, ...rest }) => ({
    ...rest,
    kind,
    label: LABELS[kind][label]!,
    message: `message ${message}`,
    at: `2026-06-0${day}T12:00:00Z`,
  }))

const anyLog = fc
  .array(anyCorrection, { maxLength: 120 })
  .map((log) => log.map((said, i) => correction({ ...said, id: `correction ${i}` })))

const anyMode = fc.constantFrom<LearningMode>('auto', 'operator', 'users', 'off')

describe('Learner', () => {
  it('says spam of a message like the one it was told of, and ham of the other', () => {
    const { promoted } = learned('operator', [
      correction({ id: '1', label: 'spam', words: [1, 2] }),
      correction({ id: '2', label: 'ham', words: [3, 4] }),
    ])
    assert.ok(probabilityOf(promoted, [1, 2]) > 0.75)
    assert.ok(probabilityOf(promoted, [3, 4]) < 0.25)
  })

  it('learns the class of a message', () => {
    const { promoted } = learned('operator', [
      correction({ id: '1', kind: 'tabs', label: 'updates', words: [1, 2] }),
    ])
    const { tabs } = withDeltas(base, promoted)
    const { updates, ...others } = predictClasses(tabs, [words(1, 2), NO_META])
    for (const other of Object.values(others)) assert.ok(updates > 1.5 * other, `${updates}`)
  })

  it('learns nothing when it is off, of damaged features, or of a label there is not', () => {
    assert.equal(new Learner(base, { mode: 'off' }).learn(correction({ id: '1' })), false)
    const learner = new Learner(base, { mode: 'operator' })
    assert.equal(learner.learn({ ...correction({ id: '1' }), features: Uint8Array.of(1) }), false)
    assert.equal(learner.learn(correction({ id: '1', kind: 'tabs', label: 'automatic' })), false)
    assertSameBits(learner, new Learner(base, { mode: 'off' }))
  })

  it('takes every word of whoever runs the service, and counts them as no user', () => {
    const learner = new Learner(base, { mode: 'auto' })
    const learn = (id: string, user: string) =>
      learner.learn(correction({ id, user, domain: id, authenticated: false }))
    for (const id of ['1', '2', '3', '4', '5']) assert.equal(learn(id, OPERATOR_ID), true)
    for (const user of ['ann', 'bob', 'cid', 'dan']) assert.equal(learn(user, user), true)
    assert.equal(learn('6', 'eve'), false)
    assert.equal(learn('7', OPERATOR_ID), true)
    const off = new Learner(base, { mode: 'off' })
    assert.equal(off.learn(correction({ id: '1', user: OPERATOR_ID })), false)
  })

  it('believes everyone until a fifth user has corrected', () => {
    const learner = new Learner(base, { mode: 'auto' })
    const unauthenticated = (user: string) =>
      learner.learn(correction({ id: user, user, domain: user, authenticated: false }))
    assert.deepEqual(['ann', 'bob', 'cid', 'dan', 'eve', 'ann'].map(unauthenticated), [
      true,
      true,
      true,
      true,
      false,
      false,
    ])
  })

  it('never learns from what is held out', () => {
    const learner = new Learner(base, { mode: 'operator' })
    const untaught = Array.from({ length: 64 }, (_, i) => `message ${i}`).filter((message) => {
      const alone = new Learner(base, { mode: 'operator' })
      alone.learn(correction({ id: '1', message }))
      return isUntaught(alone)
    })
    assert.ok(untaught.length >= 1 && untaught.length <= 12, `${untaught.length} of 64 held out`)
    for (const message of untaught) learner.learn(correction({ id: message, message }))
    assert.ok(isUntaught(learner))
  })

  it('does not promote what is worse on the held-out', () => {
    const said = (range: number, label: string) =>
      Array.from({ length: range }, (_, i) =>
        correction({ id: `${label} ${i}`, label, words: [1, 2, 3 + (i % 5)] }),
      )
    const learner = learned('operator', said(200, 'spam'))
    const before = probabilityOf(learner.promoted, [1, 2, 3])
    // Of a label that all before contradict: the candidate follows, the promoted deltas wait.
    for (const event of said(12, 'ham')) learner.learn(event)
    assert.ok(before > 0.9)
    assert.ok(probabilityOf(learner.candidate, [1, 2, 3]) < before)
    assert.ok(probabilityOf(learner.promoted, [1, 2, 3]) > 0.9)
  })

  it('says beforehand whether it will be taught, and is not changed by the question', () => {
    fc.assert(
      fc.property(anyMode, anyLog, (mode, log) => {
        const learner = new Learner(base, { mode })
        for (const event of log) {
          const expected = learner.wouldTeach(event)
          assert.equal(learner.wouldTeach(event), expected)
          assert.equal(learner.learn(event), expected)
        }
      }),
      { numRuns: 10 },
    )
  })

  it('replayed without one user is, bit for bit, a learner that never met that user', () => {
    fc.assert(
      fc.property(anyMode, anyLog, (mode, log) => {
        const others = log.filter(({ userId }) => userId !== 'ann')
        const never = learned(mode, others)
        // All of them learned from, then thrown away: nothing of Ann may be left anywhere.
        learned(mode, log)
        assertSameBits(learned(mode, others), never)
      }),
      { numRuns: 6 },
    )
  })

  it('is the same whether events are read one by one or in pages, with questions in between', () => {
    fc.assert(
      fc.property(anyMode, anyLog, fc.integer({ min: 1, max: 50 }), (mode, log, page) => {
        const paged = new Learner(base, { mode })
        for (let start = 0; start < log.length; start += page) {
          for (const event of log) paged.wouldTeach(event)
          for (const event of log.slice(start, start + page)) paged.learn(event)
        }
        assertSameBits(paged, learned(mode, log))
      }),
      { numRuns: 6 },
    )
  })

  it('leaves the base weights as they are', () => {
    const { text, meta, tabs } = base
    learned('operator', [
      correction({ id: '1' }),
      correction({ id: '2', kind: 'tabs', label: 'primary' }),
    ])
    for (const { integers } of [text.weights, meta.weights, tabs.weights]) {
      assert.ok(integers.every((weight) => weight === 0))
    }
  })
})
