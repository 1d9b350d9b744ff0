/** What is learned from which corrections, and that nothing but they decide it. Messages are made of a few words. */
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import { encodeDeltas, zeroDeltas } from '../../learning/deltas.ts'
import {
  type Learned,
  Learner,
  type LearningMode,
  type LearningSettings,
  learn,
  OperatorLearning,
} from '../../learning/learn.ts'
import type { LearnEvent } from '../../learning/learn-event.ts'
import { LIMITS } from '../../learning/learning-limits.ts'
import type { Canary } from '../../models/canary.ts'
import { emptyModels } from '../../models/models.ts'
import { correction, META_7, NO_META, ownWords, words } from './corrections.ts'

const base = emptyModels()

/** So many that these logs do not reach them. */
const limits = { ...LIMITS, userWeekMax: 1_000, domainDayMax: 1_000 }

/** In the operator's own word. */
function operators(said: Parameters<typeof correction>[0]): LearnEvent {
  return correction({ authority: 'operator', ...said })
}

function learned(
  settings: LearningSettings,
  events: readonly LearnEvent[],
  canary: Canary = [],
): Learned {
  const learner = new Learner(base, canary, settings)
  for (const event of events) learner.take(event)
  return learner.learned()
}

/** Every bit of all deltas. */
function bitsOf({ deltas, ...counts }: Learned) {
  return { ...counts, deltas: Buffer.from(encodeDeltas(deltas)).toString('base64') }
}

const NOTHING = bitsOf({ deltas: zeroDeltas(base), corrections: 0, promoted: 0, refused: 0 })

const LABELS = { spam: ['ham', 'spam'], tabs: ['primary', 'promotions'] } as const

/** A correction by one of eight users, of whom five agree about something in most logs. */
const anyCorrection = fc
  .record({
    user: fc.constantFrom('ann', 'bob', 'cid', 'dan', 'eve', 'fay', 'gus', 'hal'),
    authority: fc.constantFrom('user' as const, 'user' as const, 'operator' as const),
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

const WEEK_BEFORE = '2026-05-25T12:00:00Z'

describe('learning from a log', () => {
  it('learns nothing when it is off, of damaged features, or of a label there is not', () => {
    const good = operators({ id: '1' })
    assert.deepEqual(bitsOf(learned({ mode: 'off' }, [good])), NOTHING)
    const unlearned = [
      { ...good, features: Uint8Array.of(1) },
      operators({ id: '1', kind: 'tabs', label: 'automatic' }),
      { ...good, featureVersion: 'other' },
    ]
    assert.deepEqual(bitsOf(learned({ mode: 'operator' }, unlearned)), NOTHING)
  })

  it("takes every word of the operator's in the mode operator, and as that of a user in the mode users", () => {
    const first = correction({ id: 'first', at: WEEK_BEFORE })
    const log = [first, ...['1', '2', '3'].map((id) => operators({ id }))]
    const countOf = (mode: LearningMode) => learned({ mode }, log).corrections
    assert.deepEqual(
      ['operator', 'users', 'off'].map((mode) => countOf(mode as never)),
      [3, 2, 0],
    )
  })

  it('learns nothing from a user for whom it is off, whoever says it', () => {
    const log = [
      correction({ id: 'first', at: WEEK_BEFORE }),
      correction({ id: '1' }),
      operators({ id: '2' }),
    ]
    const countWithout = (user: string) =>
      learned({ mode: 'operator', isOff: (userId) => userId === user }, log).corrections
    assert.deepEqual([countWithout('ann'), countWithout('bob')], [0, 2])
  })

  it('knows a user from a correction that could not be learned from', () => {
    const first = correction({ id: 'first', at: WEEK_BEFORE })
    const log = [{ ...first, featureVersion: 'older' }, correction({ id: '1' })]
    assert.equal(learned({ mode: 'users' }, log).corrections, 1)
  })

  it('keeps apart what the operator says and what users agree about, and counts steps and refusals', () => {
    // Two hundred messages of a word each, none spam: those with three called spam are too many.
    const canary: Canary = Array.from({ length: 200 }, (_, i) => ({
      text: words(10_000 + i),
      meta: NO_META,
      spam: false,
      messageClass: 'primary',
    }))
    const users = ['ann', 'bob', 'cid', 'dan', 'eve']
    const allSay = (id: string, indices: readonly number[]) =>
      users.map((user, i) =>
        correction({ id: `${id} ${user}`, user, words: [...indices, ...ownWords(i)] }),
      )
    const log = [
      ...users.map((user) => correction({ id: `first of ${user}`, user, at: WEEK_BEFORE })),
      operators({ id: '1', words: [1] }),
      ...allSay('2', [1, 2]),
      ...allSay('3', [10_000, 10_001, 10_002]),
    ]
    const { deltas, ...counts } = learned({ mode: 'operator', limits }, log, canary)
    assert.deepEqual(counts, { corrections: 11, promoted: 2, refused: 1 })
    assert.ok(Math.abs(deltas.operator.text[1]! - 1) < 1e-3, `${deltas.operator.text[1]}`)
    assert.ok(Math.abs(deltas.crowd.text[1]! - 0.2) < 1e-3, `${deltas.crowd.text[1]}`)
  })

  it('without one user is, bit for bit, what it is where that user never was', async () => {
    await fc.assert(
      fc.asyncProperty(anyMode, anyLog, async (mode, log) => {
        const others = log.filter(({ userId }) => userId !== 'ann')
        const never = bitsOf(learned({ mode, limits }, others))
        // All of them learned from, then thrown away: nothing of Ann may be left anywhere.
        learned({ mode, limits }, log)
        async function* withoutAnn() {
          for (const event of log) if (event.userId !== 'ann') yield event
        }
        assert.deepEqual(bitsOf(await learn(base, [], { mode, limits }, withoutAnn())), never)
      }),
      { numRuns: 6 },
    )
  })
})

const HAM = 0
const SPAM = 1

describe('OperatorLearning', () => {
  it('moves a word by 1 at first, and a meta feature and the bias by a twentieth', () => {
    const training = new OperatorLearning(emptyModels())
    training.train(correction({ id: '1' }), { text: words(1), meta: META_7, label: SPAM })
    const { text, meta } = training.deltas
    for (const [delta, expected] of [
      [text[1], 1],
      [meta[7], 0.05],
      [meta.at(-1), 0.05],
    ] as const) {
      assert.ok(Math.abs(delta! - expected) < 1e-3, `${delta}`)
    }
  })

  it('repeats what was corrected before, so that it is not unlearned', () => {
    const training = new OperatorLearning(emptyModels())
    const say = (id: string, label: number) =>
      training.train(correction({ id }), { text: words(1, label + 2), meta: NO_META, label })
    say('spam', SPAM)
    for (let i = 0; i < 40; i++) say(`ham ${i}`, HAM)
    const { text } = training.deltas
    // Its own word holds the first against forty of the other, with which it shares word 1.
    assert.ok(text[1]! + text[3]! > 0, `${text[1]! + text[3]!}`)
    assert.ok(text[1]! + text[2]! < 0, `${text[1]! + text[2]!}`)
  })
})
