/** What log lines and X-Tamis-Reasons say of a message. */
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { FullResult } from '../../../client/client.ts'
import { SIGNALS } from '../../../mail/signals/table.ts'
import { TEXTS } from '../../../mail/verdict/texts.ts'
import { judgedAs, messageLine, reasonsLines } from '../../http/message-line.ts'

const REASONS = [
  { name: 'TAMIS_TEXT', points: 3.14, description: 'The wording.' },
  { name: 'LINK_IP_HOST', points: 1.96, description: 'A link leads to a bare IP address.' },
  { name: 'DKIM_ALIGNED', points: -0.51, description: "A signature of From's domain is claimed." },
]

const HAM: FullResult = {
  isSpam: false,
  spamProbability: 0.12345,
  classification: 'updates',
  textSpamScore: 0.1,
  metaSpamScore: 0.1,
  confidenceMargin: 0.8,
  entropy: 0.5,
  disagreement: 0,
  shouldEscalate: false,
  bypassReason: null,
  senderAuthenticated: false,
}

const SPAM: FullResult = { ...HAM, isSpam: true, spamProbability: 1, bypassReason: 'user_rule' }

describe('reasonsLines', () => {
  it('has points, name and words of each reason, one a line or folded at a space', () => {
    assert.deepEqual(reasonsLines({ reasons: REASONS }), [
      '+3.1 TAMIS_TEXT (The wording);',
      ' +2.0 LINK_IP_HOST (A link leads to a bare IP address);',
      " -0.5 DKIM_ALIGNED (A signature of From's domain is claimed)",
    ])
  })

  it('begins with the sentence, without its stop', () => {
    const sentence =
      'Probably spam: a link leads to a bare IP address, and its wording is typical of spam.'
    assert.deepEqual(reasonsLines({ sentence, reasons: REASONS.slice(0, 1) }), [
      'Probably spam: a link leads to a bare IP address, and its',
      ' wording is typical of spam;',
      ' +3.1 TAMIS_TEXT (The wording)',
    ])
  })

  it('is folded within a reason that is too long for a line', () => {
    const description =
      'The same, where the link leads to the domain of the sender or to a company.'
    assert.deepEqual(reasonsLines({ reasons: [{ name: 'LINK_TEXT', points: 1, description }] }), [
      '+1.0 LINK_TEXT (The same, where the link leads to the domain',
      ' of the sender or to a company)',
    ])
  })

  it('is empty without a reason', () => {
    assert.deepEqual(reasonsLines({ reasons: [] }), [])
  })

  it('has lines of 78 characters, and 998 where it is not folded, for all signals there are', () => {
    const longest = SIGNALS.map(({ name, description }) => ({
      name,
      points: -12.34,
      description,
    })).toSorted((a, b) => b.description.length - a.description.length)
    const sentence = `${'word '.repeat(60)}.`
    for (let at = 0; at < longest.length; at += 5) {
      const lines = reasonsLines({ sentence, reasons: longest.slice(at, at + 5) })
      const [first, ...others] = lines
      assert.ok(`X-Tamis-Reasons: ${first}`.length <= 78)
      for (const line of others) assert.match(line, /^ [!-~][ -~]{0,76}$/)
      assert.ok(`X-Tamis-Reasons: ${lines.join('')}`.length <= 998)
      assert.equal(lines.join('').split('; ').length, 1 + Math.min(5, longest.length - at))
    }
  })

  it('is in ASCII, whatever it tells', () => {
    for (const description of Object.values(TEXTS)) {
      const told = reasonsLines({ reasons: [{ name: 'A', points: 1, description }] })
      assert.doesNotMatch(told.join(''), /[^ -~]|\?/, description)
    }
  })

  it('ends no field and grows no longer with words of another service than ours', () => {
    const name = `A\r\nBcc: eve@example.com\u2028é${'x'.repeat(2_000)}`
    const lines = reasonsLines({ reasons: [{ name, points: 1, description: name }] })
    assert.match(lines.join(''), /^[ -~]{1,145}$/)
  })
})

describe('messageLine', () => {
  const sentence = 'Probably spam: a link leads to a bare IP address.'
  const summary = {
    messageId: 'a@example.com',
    senderDomain: 'example.com',
    sentence,
    reasons: REASONS,
  }

  it('has verdict and reasons', () => {
    assert.deepEqual(messageLine(summary, judgedAs([HAM], HAM)), {
      messageId: 'a@example.com',
      senderDomain: 'example.com',
      verdict: 'ham',
      probability: 0.1234,
      class: 'updates',
      reason: undefined,
      escalate: false,
      sentence,
      reasons: ['+3.1 TAMIS_TEXT', '+2.0 LINK_IP_HOST', '-0.5 DKIM_ALIGNED'],
    })
  })

  it('has the class alone where nothing else was asked for', () => {
    const { reasons, ...rest } = messageLine(summary, { classification: 'updates' })
    assert.deepEqual(rest, {
      messageId: 'a@example.com',
      senderDomain: 'example.com',
      class: 'updates',
      sentence,
    })
    assert.equal(reasons?.length, 3)
  })

  it('has the verdict alone from a service that gives no summary', () => {
    const { verdict, reasons, messageId } = messageLine(undefined, judgedAs([SPAM], SPAM))
    assert.deepEqual([verdict, reasons, messageId], ['spam', undefined, undefined])
  })
})

describe('judgedAs', () => {
  it('is spam or ham where all recipients agree, and what overrode the models for all of them', () => {
    const { verdict, reason, probability } = judgedAs([SPAM, SPAM], HAM)
    assert.deepEqual([verdict, reason, probability], ['spam', 'user_rule', 1])
    assert.equal(judgedAs([HAM, HAM], HAM).verdict, 'ham')
  })

  it('is mixed where they differ, with the least probability and the class of the models', () => {
    const other: FullResult = { ...SPAM, classification: 'promotions', shouldEscalate: true }
    assert.deepEqual(judgedAs([other, HAM], { classification: 'primary' }), {
      verdict: 'mixed',
      probability: 0.12345,
      class: 'primary',
      reason: undefined,
      escalate: true,
    })
  })
})
