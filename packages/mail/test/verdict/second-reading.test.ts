/** What a second reading does to a verdict, to its reasons and to the explanation: a reader whose word counts as it is. */
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { logit, sigmoid } from '../../models/logit.ts'
import { CLASSES } from '../../models/prediction.ts'
import type { AnalysisDetail } from '../../verdict/analysis.ts'
import { decide, decideClass, wantsReading } from '../../verdict/decide.ts'
import { diagnostic, explanationOf } from '../../verdict/diagnostic.ts'
import { NO_EVIDENCE } from '../../verdict/evidence.ts'
import { pointsOf, reasonsOf } from '../../verdict/points.ts'
import type { Policy } from '../../verdict/policy.ts'
import { summaryReason } from '../../verdict/reason-descriptions.ts'
import { reasonsTold } from '../../verdict/told-reasons.ts'
import { analysisOf } from './analysis.ts'

const POLICY: Policy = {
  threshold: 0.9,
  priorLogit: 0,
  escalation: { logitMargin: 0, disagreement: 1 },
  reader: {
    fusion: { models: 1, reader: 1, bias: 0 },
    band: { below: 1, above: 2 },
    classFusion: { tabs: 1, reader: 0.5 },
  },
  spamEntitled: true,
}

/** So far from the threshold, in log-odds. */
function near(beyond: number, more: Parameters<typeof analysisOf>[1] = {}) {
  return analysisOf(sigmoid(logit(POLICY.threshold) + beyond), more)
}

/** No signal and no term of the models: what is shown comes of the reader. */
const DETAIL = {
  signals: [],
  contributions: [],
  email: { reading: { subject: { text: '', marks: [] }, body: { text: '', marks: [] } } },
  models: { text: null, meta: null, tabs: null },
  links: [],
} as unknown as AnalysisDetail

const PERSONAL = { memoryItem: new Uint8Array(), embeddingModel: 'e1' } as never

describe('a message', () => {
  it('is read where it lies in the band, and only there', () => {
    for (const [beyond, wanted] of [
      [-1.1, false],
      [-0.9, true],
      [1.9, true],
      [2.1, false],
    ] as const) {
      assert.equal(wantsReading(near(beyond), NO_EVIDENCE, POLICY), wanted, `${beyond}`)
    }
  })

  it('is not read where nothing would come of it', () => {
    const { reader: _, ...without } = POLICY
    assert.equal(wantsReading(near(0), NO_EVIDENCE, without), false)
    assert.equal(wantsReading(near(0), NO_EVIDENCE, { ...POLICY, spamEntitled: false }), false)
    const memoryVote = { force: 'decides', label: 'ham', spamShare: 0 } as never
    assert.equal(wantsReading(near(0), { ...NO_EVIDENCE, memoryVote }, POLICY), false)
    assert.equal(wantsReading(near(0, { feedHits: [{} as never] }), NO_EVIDENCE, POLICY), false)
  })

  it('is not read where it has no words to read', () => {
    for (const reason of ['NO_TEXT', 'ENCRYPTED'] as const) {
      const allowance = { kind: 'allowance', reason, logit: 0 } as const
      assert.equal(wantsReading(near(0, { allowance }), NO_EVIDENCE, POLICY), false)
    }
  })

  it('is what the reader makes of it', () => {
    const verdict = decide(near(-0.5, { read: 3 }), NO_EVIDENCE, POLICY)
    assert.equal(verdict.isSpam, true)
    assert.equal(verdict.shouldEscalate, false)
    assert.ok(Math.abs(logit(verdict.spamProbability) - (logit(0.9) + 2.5)) < 1e-9)
  })

  it('is what it was for a recipient in whose band it does not lie', () => {
    const read = decide(near(-1.5, { read: 3 }), NO_EVIDENCE, POLICY)
    assert.deepEqual(read, decide(near(-1.5), NO_EVIDENCE, POLICY))
  })
})

describe('a reading without an answer', () => {
  const late = near(-0.5, { read: 'late' })
  const failed = near(-0.5, { read: 'failed' })

  it('leaves the verdict to the models, and has a person look', () => {
    const before = decide(near(-0.5), NO_EVIDENCE, POLICY)
    for (const analysis of [late, failed]) {
      assert.deepEqual(decide(analysis, NO_EVIDENCE, POLICY), { ...before, shouldEscalate: true })
    }
  })

  it('is of no account where it was not wanted', () => {
    const far = near(-1.5, { read: 'late' })
    assert.equal(decide(far, NO_EVIDENCE, POLICY).shouldEscalate, false)
    assert.deepEqual(reasonsTold(far, NO_EVIDENCE, POLICY), [])
  })

  it('is among the reasons of log line, header and history', () => {
    const told = reasonsTold(late, NO_EVIDENCE, POLICY)
    assert.deepEqual(
      told.map((reason) => summaryReason(reason)),
      [
        {
          name: 'TAMIS_READER_LATE',
          points: 0,
          description:
            'The second reading was not done in time: a person should review the verdict.',
        },
      ],
    )
    const kept = reasonsTold(failed, NO_EVIDENCE, POLICY).map(({ name }) => name)
    assert.deepEqual(kept, ['TAMIS_READER_FAILED'])
  })

  it('has a place among them even if there are as many as are named', () => {
    const names = [
      'DATE_MISSING',
      'LINK_IP_HOST',
      'TAMIS_TEXT',
      'TAMIS_FORM',
      'LINK_SINGLE',
    ] as const
    const reasons = names.map((name, at) => ({ name, points: 5 - at }))
    const summary = { messageId: '', senderDomain: '', reasons }
    const found = reasonsTold({ ...late, summary }, NO_EVIDENCE, POLICY)
    assert.deepEqual(
      found.map(({ name }) => name),
      [...names.slice(0, 4), 'TAMIS_READER_LATE'],
    )
  })

  it('is among the reasons that add up, without points', () => {
    const analysis = { ...late, detail: DETAIL }
    const verdict = decide(analysis, NO_EVIDENCE, POLICY)
    const reasons = reasonsOf(verdict, explanationOf(analysis, NO_EVIDENCE, POLICY))
    assert.equal(reasons.find(({ name }) => name === 'TAMIS_READER_LATE')?.points, 0)
    const sum = reasons.reduce((total, { points }) => total + points, 0)
    assert.ok(Math.abs(sum - pointsOf(verdict)) < 1e-9)
  })
})

describe('the class of a message that was read', () => {
  const tabs = { primary: 0.4, promotions: 0.3, updates: 0.2, transactions: 0.1 }
  const readClasses = [0, 0, 2, 0]
  const read = { tabs, read: 0, readClasses }

  it('is that of the tabs model and of the reader together', () => {
    const { classification, classificationProbabilities: of } = decideClass(
      near(-0.5, read),
      NO_EVIDENCE,
      POLICY,
    )
    assert.equal(classification, 'updates')
    // The reader counts half: odds of updates to primary are 0.2 to 0.4, times e.
    assert.ok(Math.abs(of.updates / of.primary - Math.E / 2) < 1e-9)
    assert.ok(Math.abs(CLASSES.reduce((sum, name) => sum + of[name], 0) - 1) < 1e-9)
  })

  it('is that of the tabs model alone where the message was read for another recipient', () => {
    const far = decideClass(near(-1.5, read), NO_EVIDENCE, POLICY)
    assert.deepEqual(far.classificationProbabilities, tabs)
    const memoryVote = { force: 'decides', label: 'ham', spamShare: 0 } as never
    const byMemory = decideClass(near(-0.5, read), { ...NO_EVIDENCE, memoryVote }, POLICY)
    assert.deepEqual(byMemory.classificationProbabilities, tabs)
    const classOnly = decideClass(near(-0.5, read), NO_EVIDENCE, { ...POLICY, spamEntitled: false })
    assert.deepEqual(classOnly.classificationProbabilities, tabs)
  })

  it('is a class also where the tabs model rules one out', () => {
    const sure = { primary: 1, promotions: 0, updates: 0, transactions: 0 }
    const { classificationProbabilities: of } = decideClass(
      near(-0.5, { ...read, tabs: sure }),
      NO_EVIDENCE,
      POLICY,
    )
    assert.ok(CLASSES.every((name) => Number.isFinite(of[name])))
  })
})

describe('the diagnostic', () => {
  const shown = (more: Parameters<typeof analysisOf>[1], policy = POLICY) =>
    diagnostic({ ...near(-0.5, more), detail: DETAIL, personal: PERSONAL }, NO_EVIDENCE, policy)

  it('shows what the reader has read, what it says, and how long that took', () => {
    const { models, timing, explanation } = shown({
      read: 3,
      readClasses: [2, 1, 0, -1],
      piecesRead: 64,
      readingMs: 21,
    })
    assert.deepEqual(models.reader, {
      inputs: { pieces: 64 },
      outputs: { logit: 3, primary: 2, promotions: 1, updates: 0, transactions: -1 },
      answer: 'read',
    })
    assert.equal(timing.reading, 21)
    assert.deepEqual(explanation?.for, [{ kind: 'reader', logit: 3 }])
  })

  it('shows the sentences under the term of the reader', () => {
    const readSentences = [{ text: 'Pay now.', logit: 1.5 }]
    const { explanation } = shown({ read: 3, readSentences })
    assert.deepEqual(explanation?.for, [{ kind: 'reader', logit: 3, sentences: readSentences }])
  })

  it('says that there was no answer', () => {
    const { models, explanation } = shown({ read: 'late', piecesRead: 0, readingMs: 250 })
    assert.deepEqual(models.reader, { inputs: {}, outputs: {}, answer: 'late' })
    assert.equal(explanation?.unanswered, 'late')
  })

  it('has nothing of the reader where it was not asked, or the licence is for classes', () => {
    const { models, timing, explanation } = shown({})
    assert.equal(models.reader, null)
    assert.ok(!('reading' in timing))
    assert.ok(!('unanswered' in explanation!))
    assert.equal(shown({ read: 3 }, { ...POLICY, spamEntitled: false }).models.reader, null)
  })
})
