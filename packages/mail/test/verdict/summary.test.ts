/** What is said of a message for logs and header fields, with the models that ship. */
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { readModels } from '../../../artifact-files/artifact-files.ts'
import { analyse } from '../../analyse.ts'
import { memoryOctets } from '../../message/octets.ts'
import type { ModelTerm } from '../../models/contributions.ts'
import { decide } from '../../verdict/decide.ts'
import { type Evidence, NO_EVIDENCE } from '../../verdict/evidence.ts'
import { policyFor } from '../../verdict/policy.ts'
import type { Reason } from '../../verdict/reasons.ts'
import { strongestReasons } from '../../verdict/sentence.ts'

const models = await readModels()
const policy = policyFor(models, { threshold: 'balanced', spamPrior: 0.5, spamEntitled: true })
const now = new Date('2026-11-20T12:00:00Z')

const PARCEL = [
  'From: "Parcel Service" <info@parcel.example.net>',
  'To: undisclosed-recipients:;',
  'Subject: Your parcel is waiting',
  'Message-ID: <parcel-1@parcel.example.net>',
  'Content-Type: text/html; charset=utf-8',
  '',
  '<p>Dear customer, your parcel could not be delivered. Pay the fee of 2 EUR before Friday:</p>',
  '<a href="http://192.0.2.77/parcel/login.php">https://parcel.example.com/track</a>',
  '',
].join('\n')

function analysed(message: string) {
  return analyse(memoryOctets(Buffer.from(message)), { now }, models, { detail: true })
}

type Named = Extract<ModelTerm, { kind: 'meta' }>

/** Reasons by name and points. */
function named(reasons: readonly Reason[]) {
  return reasons.map(({ name, points }) => ({ name, points }))
}

describe('the reasons of a summary', () => {
  it('are the strongest, with the points that an explanation gives them', () => {
    const { summary, detail } = analysed(PARCEL)
    const logits = new Map(
      detail!.contributions.map((term) => [term.kind === 'meta' ? term.name : '', term.logit]),
    )
    const signals = summary.terms.filter(
      (term) => term.kind === 'meta' && term.name !== 'TAMIS_FORM',
    )
    assert.ok(signals.length >= 3)
    for (const term of signals) {
      const { name, logit } = term as Named
      assert.ok(Math.abs(logit - logits.get(name)!) < 1e-9, name)
    }
    assert.equal(strongestReasons(analysed(PARCEL), NO_EVIDENCE, policy).length, 5)
  })

  it('have a feed that decided with what it added, before all others', () => {
    const hit = { href: 'http://192.0.2.77/', feed: 'phishtank', entry: 1, expression: 'x' }
    const analysis = { ...analysed(PARCEL), feedHits: [hit] }
    const [first, ...others] = strongestReasons(analysis, NO_EVIDENCE, policy)
    assert.equal(first?.name, 'TAMIS_URL_FEED')
    assert.equal(others.length, 4)
    assert.equal(decide(analysis, NO_EVIDENCE, policy).bypassReason, 'phishtank_match')
  })

  it('are none under a licence without spam detection', () => {
    const classes = { ...policy, spamEntitled: false }
    assert.deepEqual(strongestReasons(analysed(PARCEL), NO_EVIDENCE, classes), [])
  })
})

describe('the reasons for one recipient', () => {
  /** The reasons for the verdict on PARCEL with what is known of a recipient. */
  const reasonsWith = (evidence: Partial<Evidence>) => {
    const whole = { ...NO_EVIDENCE, ...evidence }
    const analysis = analysed(PARCEL)
    return named(strongestReasons(analysis, whole, policy))
  }

  it('have the rule that decided, and tell whose it was', () => {
    const rule = { ruleType: 'Sender', pattern: 'example.net', label: 'ham' } as const
    const match = { ...rule, id: '1', verified: true, force: 'decides' } as const
    const [ofUser] = reasonsWith({ ruleMatches: [{ ...match, source: 'explicit' }] })
    assert.equal(ofUser?.name, 'TAMIS_USER_RULE')
    assert.ok(ofUser.points < -20)
    const [ofOperator] = reasonsWith({ ruleMatches: [{ ...match, source: 'operator' }] })
    assert.deepEqual(ofOperator, { name: 'TAMIS_OPERATOR_RULE', points: ofUser.points })
  })

  it('have what the models have learned from the recipient', () => {
    const [first] = reasonsWith({ shift: { spam: -9.5, classes: [0, 0, 0, 0] } })
    assert.deepEqual(first, { name: 'TAMIS_USER_LEARNED', points: -9.5 })
  })

  it('have the memory that decided', () => {
    const share = { label: 'ham', spamShare: 0.001, sameMessage: true } as const
    const vote = {
      ...share,
      force: 'decides',
      decidedBy: { feedbackId: '1', label: 'ham', similarity: 1, createdAt: now },
    } as const
    const [first] = reasonsWith({ memoryVote: vote })
    assert.equal(first?.name, 'TAMIS_USER_MEMORY')
    assert.ok(first.points < 0)
    const reasons = strongestReasons(analysed(PARCEL), { ...NO_EVIDENCE, memoryVote: vote }, policy)
    assert.deepEqual(reasons[0]?.correction, { feedbackId: '1', label: 'ham', createdAt: now })
  })
})

describe('a summary', () => {
  const long = `<${'a'.repeat(3_000)}@mail.example.com>`
  for (const [field, messageId, senderDomain] of [
    ['Message-ID:\t<a.1@mail.example.com> ', 'a.1@mail.example.com', ''],
    ['Message-ID: a.1', 'a.1', ''],
    ['Message-ID: <a\x1b[2J\x07\x85é@mail.example.com>', 'a [2J @mail.example.com', ''],
    ['Message-ID: =?utf-8?Q?=3Ca=0D=0Ab=E2=80=A8c=3E?=', 'a b c', ''],
    [`Message-ID: ${long}`, 'a'.repeat(199), ''],
    ['From: Ann <ann@News.Example.COM>', '', 'news.example.com'],
    ['From: ann@bücher.example', '', 'xn--bcher-kva.example'],
    ['From: "bob@example.net" <ann@example.com>, eve@example.org', '', 'example.com'],
    ['From: ann', '', ''],
    ['From: <ann@bob@example.com>', '', 'example.com'],
    [`From: <ann@${'a'.repeat(300)}.example>`, '', ''],
    ['From: <ann@exa\x1bmple.com>', '', 'example.com'],
  ] as const) {
    it(`has Message-ID and sender domain of ${JSON.stringify(field.slice(0, 60))}`, () => {
      const { summary } = analysed([field, 'Subject: Friday', '', 'Hello', ''].join('\n'))
      assert.deepEqual([summary.messageId, summary.senderDomain], [messageId, senderDomain])
    })
  }
})
