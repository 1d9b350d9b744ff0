/**
 * The learner as a fold: what it takes, what it gives, and that nothing but the events decides it.
 * Messages are made of a few words; which of the operator's are held out is decided by their key.
 */
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import { type Deltas, withDeltas } from '../../learning/deltas.ts'
import { emptyModels } from '../../learning/empty-models.ts'
import type { LearnEvent } from '../../learning/learn-event.ts'
import { Learner } from '../../learning/learner.ts'
import { LIMITS } from '../../learning/learning-limits.ts'
import type { LearningMode } from '../../learning/learning-policy.ts'
import { spamProbability } from '../../learning/spam-learning.ts'
import { predictClasses } from '../../models/softmax-regression.ts'
import { correction, NO_META, ownWords, words } from './corrections.ts'

const base = emptyModels()

/** So many that these logs do not reach them. */
const limits = { ...LIMITS, userWeekMax: 1_000, domainDayMax: 1_000 }

/** In the operator's own word. */
function operators(said: Parameters<typeof correction>[0]): LearnEvent {
  return correction({ authority: 'operator', ...said })
}

function learned(mode: LearningMode, events: readonly LearnEvent[]): Learner {
  const learner = new Learner(base, { mode, limits })
  for (const event of events) learner.learn(event)
  return learner
}

function probabilityOf(deltas: Deltas, indices: readonly number[]): number {
  return spamProbability(withDeltas(base, deltas), { text: words(...indices), meta: NO_META })
}

/** Every bit of all deltas: comparing five megabytes number by number takes assert long. */
function assertSameBits(a: Learner, b: Learner): void {
  for (const which of ['candidate', 'promoted'] as const) {
    const [one, other] = [a[which](), b[which]()]
    for (const author of ['operator', 'crowd'] as const) {
      for (const part of ['text', 'meta', 'tabs'] as const) {
        const [bytes, otherBytes] = [one, other].map((deltas) =>
          Buffer.from(deltas[author][part].buffer),
        )
        assert.ok(bytes!.equals(otherBytes!), `${which} ${author} ${part} differ`)
      }
    }
  }
  assert.deepEqual(a.promotions, b.promotions)
}

function hasLearnedNothing(learner: Learner): boolean {
  const { operator, crowd } = learner.candidate()
  const none = Buffer.alloc(operator.text.byteLength)
  return [operator, crowd].every(({ text }) => none.equals(Buffer.from(text.buffer)))
}

const LABELS = { spam: ['ham', 'spam'], tabs: ['primary', 'promotions'] } as const

/** A correction by one of eight users, of whom five agree about something in most logs. */
const anyCorrection = fc
  .record({
    user: fc.constantFrom('ann', 'bob', 'cid', 'dan', 'eve', 'fay', 'gus', 'hal'),
    word: fc.constantFrom('user' as const, 'user' as const, 'operator' as const),
    kind: fc.constantFrom('spam' as const, 'spam' as const, 'tabs' as const),
    label: fc.nat(1),
    message: fc.nat(30),
    authenticated: fc.boolean(),
    words: fc.uniqueArray(fc.nat(5), { minLength: 1, maxLength: 4 }),
    own: fc.nat(30),
  })
  .map(({ kind, label, message, words: shared, own, ...rest }) => ({
    ...rest,
    words: [...shared, ...ownWords(own)],
    kind,
    label: LABELS[kind][label]!,
    message: `message ${message}`,
  }))

const HOUR_MS = 60 * 60 * 1000

/** An hour apart: most users are newcomers for a fifth of the log. */
const anyLog = fc.array(anyCorrection, { maxLength: 120 }).map((log) =>
  log.map((said, i) =>
    correction({
      ...said,
      id: `correction ${i}`,
      at: new Date(Date.UTC(2026, 5, 1) + i * HOUR_MS).toISOString(),
    }),
  ),
)

const anyMode = fc.constantFrom<LearningMode>('operator', 'users', 'off')

describe('Learner', () => {
  const heldOut = heldOutMessages(128)

  it('says spam of a message like the one it was told of by the operator, and ham of the other', () => {
    const promoted = learned('operator', [
      operators({ id: '1', label: 'spam', words: [1, 2] }),
      operators({ id: '2', label: 'ham', words: [3, 4] }),
    ]).promoted()
    assert.ok(probabilityOf(promoted, [1, 2]) > 0.75)
    assert.ok(probabilityOf(promoted, [3, 4]) < 0.25)
  })

  it("learns the class of a message in the operator's word", () => {
    const learner = learned('operator', [
      operators({ id: '1', kind: 'tabs', label: 'updates', words: [1, 2] }),
    ])
    const { tabs } = withDeltas(base, learner.promoted())
    const { updates, ...others } = predictClasses(tabs, [words(1, 2), NO_META])
    for (const other of Object.values(others)) assert.ok(updates > 1.5 * other, `${updates}`)
  })

  it('learns nothing when it is off, of damaged features, or of a label there is not', () => {
    assert.equal(new Learner(base, { mode: 'off' }).learn(operators({ id: '1' })), false)
    const learner = new Learner(base, { mode: 'operator' })
    assert.equal(learner.learn({ ...operators({ id: '1' }), features: Uint8Array.of(1) }), false)
    assert.equal(learner.learn(operators({ id: '1', kind: 'tabs', label: 'automatic' })), false)
    assertSameBits(learner, new Learner(base, { mode: 'off' }))
  })

  it("takes every word of the operator's at once in the mode operator, and as that of a user in the mode users", () => {
    const ids = ['1', '2', '3']
    const learn = (mode: LearningMode) => {
      const learner = new Learner(base, { mode })
      const learned = ids.map((id) => learner.learn(operators({ id, authenticated: false })))
      return { learned, unlearned: hasLearnedNothing(learner) }
    }
    assert.deepEqual(learn('operator'), { learned: [true, true, true], unlearned: false })
    assert.deepEqual(learn('users'), { learned: [false, false, false], unlearned: true })
    assert.deepEqual(learn('off'), { learned: [false, false, false], unlearned: true })
  })

  it('never learns from what is held out', () => {
    assert.ok(heldOut.length >= 2 && heldOut.length <= 20, `${heldOut.length} of 128 held out`)
    const learner = new Learner(base, { mode: 'operator' })
    for (const message of heldOut) learner.learn(operators({ id: message, message }))
    assert.ok(hasLearnedNothing(learner))
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
        const paged = new Learner(base, { mode, limits })
        for (let start = 0; start < log.length; start += page) {
          for (const event of log) paged.wouldLearn(event)
          for (const event of log.slice(start, start + page)) paged.learn(event)
        }
        assertSameBits(paged, learned(mode, log))
      }),
      { numRuns: 6 },
    )
  })
})

/** Those of so many messages that are held out from learning; their keys decide it. */
function heldOutMessages(count: number): string[] {
  return Array.from({ length: count }, (_, i) => `message ${i}`).filter((message) => {
    const alone = new Learner(base, { mode: 'operator' })
    alone.learn(operators({ id: '1', message }))
    return hasLearnedNothing(alone)
  })
}
