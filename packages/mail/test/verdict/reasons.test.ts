/** The scale of other filters, on which reasons add up, worked by hand; and what reasons say. */
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { logit, sigmoid } from '../../models/prediction.ts'
import { SIGNAL_NAMES } from '../../signals/table.ts'
import type { Explained } from '../../verdict/explain.ts'
import { pointsOf, reasonDescription, reasonsOf, signalClause } from '../../verdict/reasons.ts'

const THRESHOLD = 0.9

/** The verdict of the models for a message of this probability. */
function verdict(spamProbability: number) {
  return {
    isSpam: spamProbability > THRESHOLD,
    spamProbability,
    confidenceMargin: Math.abs(spamProbability - THRESHOLD),
    classification: 'updates' as const,
    shouldEscalate: false,
    bypassReason: null,
  }
}

describe('the score', () => {
  // biome-ignore format: a row each
  const cases: [what: string, probability: number, points: number][] = [
    ['is 5 at the threshold, and a point more for each unit of log-odds', sigmoid(logit(THRESHOLD) + 3), 8],
    ['is less for ham', sigmoid(logit(THRESHOLD) - 9), -4],
    ['rounds no spam to ham', THRESHOLD + 1e-12, 5],
    ['rounds no ham to spam', THRESHOLD - 1e-12, 4.9],
    ['ends at 25', 1, 25],
    ['ends at -15', 0, -15],
  ]
  for (const [what, probability, points] of cases) {
    it(what, () => assert.equal(pointsOf(verdict(probability)), points))
  }
})

const word = (text: string, logit: number) => {
  return { span: { view: 'message', kind: 'word', text } as const, logit }
}

/** Terms that add up to the logit of 0.95: 2.944. */
const EXPLAINED: Explained = {
  sender: 'unchecked',
  logit: logit(0.95),
  probability: 0.95,
  threshold: THRESHOLD,
  signals: [{ name: 'DATE_MISSING' }, { name: 'MESSAGE_ID_MISSING', evidence: 'none' }],
  for: [
    {
      ...{ kind: 'wording', logit: 1.5, count: 3 },
      words: [word('prize', 2), word('lake', -0.5), word('winner', 0.3)],
    },
    { kind: 'meta', name: 'DATE_MISSING', value: 1, logit: 1.5 },
    { kind: 'meta', name: 'links', value: 3, logit: 0.25 },
  ],
  against: [
    { kind: 'baseline', logit: logit(0.95) - 3.5 },
    { kind: 'rest', count: 40, logit: 0.25 },
  ],
}

describe('the reasons for a score', () => {
  const cases = {
    'of the models': verdict(0.95),
    'of a rule': { ...verdict(0), bypassReason: 'user_rule' },
    'of a part': { ...verdict(0.95), bypassReason: 'parse_error', shouldEscalate: true },
  } as const
  for (const [what, judged] of Object.entries(cases)) {
    it(`${what} add up to it`, () => {
      const sum = reasonsOf(judged, EXPLAINED).reduce((total, { points }) => total + points, 0)
      assert.ok(Math.abs(sum - pointsOf(judged)) < 1e-9)
    })
  }

  it('are signals, also of no weight, and all words together with the strongest that speak as they do', () => {
    const reasons = reasonsOf(verdict(0.95), EXPLAINED)
    for (const expected of [
      { name: 'DATE_MISSING', points: 1.5, description: 'There is no date.' },
      { name: 'TAMIS_TEXT', points: 1.5, description: 'The wording.', evidence: 'prize, winner' },
    ]) {
      assert.deepEqual(
        reasons.find(({ name }) => name === expected.name),
        expected,
      )
    }
    assert.equal(reasons.find(({ name }) => name === 'MESSAGE_ID_MISSING')?.evidence, 'none')
  })

  it('begin with the rule that decided, which has the points between the models and the score', () => {
    const [first] = reasonsOf(cases['of a rule'], EXPLAINED)
    assert.equal(first?.name, 'TAMIS_USER_RULE')
    assert.ok(Math.abs(first.points + 20 + logit(0.95) - logit(THRESHOLD)) < 1e-9)
    const rule = { source: 'operator', pattern: 'block from example.net' } as const
    const [ofOperator] = reasonsOf(cases['of a rule'], EXPLAINED, rule)
    assert.deepEqual(
      [ofOperator?.name, ofOperator?.evidence],
      ['TAMIS_OPERATOR_RULE', rule.pattern],
    )
  })

  it('say, for no points, that only a part was read and that a person should look', () => {
    const reasons = reasonsOf(cases['of a part'], EXPLAINED)
    for (const name of ['TAMIS_PARTLY_READ', 'TAMIS_REVIEW']) {
      assert.equal(reasons.find((reason) => reason.name === name)?.points, 0)
    }
  })

  it('are the class and the rest under a licence without spam detection', () => {
    const names = reasonsOf(verdict(0), null).map(({ name }) => name)
    assert.deepEqual(names, ['TAMIS_BASE', 'TAMIS_CLASS_UPDATES'])
  })
})

describe('the words of a reason', () => {
  for (const [name, expected] of [
    ['LINK_IP_HOST', 'A link leads to a bare IP address.'],
    ['TAMIS_TEXT', 'The wording.'],
    ['TAMIS_LIST_MY_ZONE', 'A DNS list names a domain or IP address of the message.'],
    [
      'TAMIS_RULES_CUT',
      "Not all of the operator's rules were compared with it in time: a person should review the verdict.",
    ],
    ['KNOWN_FROM_SIGNED', 'It claims to come from a well-known domain (not checked).'],
    ['NO_SUCH_SIGNAL', undefined],
    ['constructor', undefined],
  ] as const) {
    it(`are for ${name}: ${expected}`, () => assert.equal(reasonDescription({ name }), expected))
  }

  it('tell a claim as a claim, with what checks say of it', () => {
    const claim = (standing: 'proved' | 'unproved') =>
      signalClause('KNOWN_FROM_SIGNED', standing, 'amazon.com')
    assert.equal(
      claim('unproved'),
      'it claims to come from amazon.com, which checks do not confirm',
    )
    assert.equal(claim('proved'), 'it comes from amazon.com')
  })

  it('begin with a small letter or the name of a field, and have no stop, for every signal', () => {
    const odd = SIGNAL_NAMES.map((name) => signalClause(name)!).filter(
      (clause) => !/^(?:[a-z]|From |To |Reply-To )/.test(clause) || clause.endsWith('.'),
    )
    assert.deepEqual(odd, [])
  })
})
