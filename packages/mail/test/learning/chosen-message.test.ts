/**
 * Ids of one caller against one message, on the models that ship: nobody contradicts them, and they write as they like.
 * packages/lab/reports/learning has the figures for real mail, from five to two hundred ids, over one day to two months.
 */
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { readCanary, readModels } from '../../../artifact-files/artifact-files.ts'
import { analyse } from '../../analyse.ts'
import { encodeEventFeatures } from '../../features/event-features.ts'
import type { SparseVector } from '../../features/sparse-vector.ts'
import { textFeatures } from '../../features/text-features.ts'
import { withDeltas } from '../../learning/deltas.ts'
import { Learner } from '../../learning/learn.ts'
import { memoryOctets } from '../../message/octets.ts'
import { parseMessage } from '../../message/parse.ts'
import { predict } from '../../models/logistic.ts'
import { fuse, type Models } from '../../models/models.ts'
import { logit, sigmoid } from '../../models/prediction.ts'
import { classLogits } from '../../models/softmax-regression.ts'
import type { Analysis } from '../../verdict/analysis.ts'
import { decide } from '../../verdict/decide.ts'
import { NO_EVIDENCE } from '../../verdict/evidence.ts'
import type { Policy } from '../../verdict/policy.ts'
import { correction, NO_META, words } from './corrections.ts'

const base = await readModels()
const canary = await readCanary(base)

/** Somebody's letter, and a spam: 60 words at least, so that there is enough to move. */
const [HAM, SPAM] = [false, true].map(
  (spam) => canary.find((message) => message.spam === spam && message.text.indices.length > 60)!,
)

/** Twelve ids lie twice a week for eight weeks, each about a text that `textOf` gives. */
function learnedFrom(
  chosen: typeof HAM,
  said: { readonly kind: 'spam' | 'tabs'; readonly label: string },
  textOf: (text: SparseVector, lie: number) => SparseVector,
): Models {
  const learner = new Learner(base, [], { mode: 'users' })
  const ids = Array.from({ length: 12 }, (_, i) => `id ${i}`)
  for (const user of ids) learner.take(correction({ id: `first of ${user}`, user, words: [9] }))
  for (let lie = 0; lie < 2 * 8 * ids.length; lie++) {
    const day = 3 + Math.floor(lie / (2 * ids.length)) * 7
    learner.take({
      ...correction({ id: `${lie}`, user: ids[lie % ids.length]!, domain: `${lie}.example` }),
      ...said,
      features: encodeEventFeatures(textOf(chosen!.text, lie), chosen!.meta),
      createdAt: new Date(Date.UTC(2026, 5, 1 + day, 12)),
    })
  }
  const { corrections, deltas } = learner.learned()
  assert.equal(corrections, 2 * 8 * ids.length)
  return withDeltas(base, deltas)
}

function spamLogit(models: Models, { text, meta }: NonNullable<typeof HAM>): number {
  return fuse(models.fusion, predict(models.text, text), predict(models.meta, meta)).logit
}

const sameText = (text: SparseVector) => text

/** Every other word of the text, from the first or second on, and twice as many that stand in no other lie. */
function otherText({ size, indices }: SparseVector, lie: number): SparseVector {
  const half = indices.filter((_, i) => (i + lie) % 2 === 0)
  const own = Array.from({ length: 2 * half.length }, (_, i) => (lie * 7_919 + i * 104_729) % size)
  return words(...[...new Set([...half, ...own])].sort((a, b) => a - b))
}

describe('twelve ids of one caller, eight weeks long', () => {
  it('move a message by nothing at all with its own text', () => {
    for (const [chosen, label] of [
      [HAM!, 'spam'],
      [SPAM!, 'ham'],
    ] as const) {
      const models = learnedFrom(chosen, { kind: 'spam', label }, sameText)
      assert.equal(spamLogit(models, chosen), spamLogit(base, chosen))
    }
  })

  it('move a message by half in log-odds, and no further, with words of it in ever other texts', () => {
    for (const [chosen, label, sign] of [
      [HAM!, 'spam', 1],
      [SPAM!, 'ham', -1],
    ] as const) {
      const models = learnedFrom(chosen, { kind: 'spam', label }, otherText)
      const moved = sign * (spamLogit(models, chosen) - spamLogit(base, chosen))
      assert.ok(moved > 0.1 && moved < 0.5 + 1e-9, `${moved}`)
    }
  })

  it('move two classes of a message apart by half in log-odds, and no further', () => {
    const models = learnedFrom(HAM, { kind: 'tabs', label: 'promotions' }, otherText)
    const [before, after] = [base, models].map(({ tabs }) => {
      return classLogits(tabs, [HAM!.text, HAM!.meta])
    })
    const moves = after!.map((logit, i) => logit - before![i]!)
    const apart = Math.max(...moves) - Math.min(...moves)
    assert.ok(apart > 0.01 && apart < 0.5 + 1e-9, `${apart}`)
  })
})

/** A phishing message that the ids have chosen. */
const PHISHING = [
  'From: Account service <service@bank.example>',
  'To: a@example.com',
  'Subject: Your account will be suspended',
  'Message-ID: <4711@bank.example>',
  '',
  'Dear customer, we have noticed unusual activity in your account and had to limit it for your security.',
  'Please confirm your password and the number of your card within twenty-four hours, or your account will',
  'be suspended for ever. Click here to verify your account now: http://bank.example.net/verify/account',
  'Thank you for your understanding. The security department of your bank.',
  '',
].join('\r\n')

describe('the verdict on a message that twelve ids have chosen', () => {
  const octets = memoryOctets(Buffer.from(PHISHING))
  const analysisBy = (models: Models): Analysis =>
    analyse(octets, { now: new Date('2026-06-01T12:00:00Z') }, models)
  const before = analysisBy(base)
  const { vector: text } = textFeatures(parseMessage(octets))
  const bys = (['ham', 'spam'] as const).map((label) =>
    analysisBy(
      learnedFrom(
        { spam: true, messageClass: 'primary', text, meta: NO_META },
        { kind: 'spam', label },
        otherText,
      ),
    ),
  )

  it('moves by half in log-odds and no further, wherever the threshold is', () => {
    let furthest = 0
    for (let beyond = -3; beyond <= 3; beyond += 0.05) {
      const policy: Policy = {
        threshold: sigmoid(before.spam.logit - beyond),
        priorLogit: 0,
        escalation: { logitMargin: 0, disagreement: 1 },
        spamEntitled: true,
      }
      const logitBy = (analysis: Analysis) =>
        logit(decide(analysis, NO_EVIDENCE, policy).spamProbability)
      for (const by of bys) {
        const moved = Math.abs(logitBy(by) - logitBy(before))
        assert.ok(moved < 0.5 + 1e-9, `${moved} at ${beyond}`)
        furthest = Math.max(furthest, moved)
      }
    }
    // Otherwise nothing was learned.
    assert.ok(furthest > 0.1, `${furthest}`)
  })
})
