/** Which of the operator's rules apply to whole messages, and what they can do. */

import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import {
  factsOf,
  indexOperatorRules,
  learningOf,
  type RuleRecipient,
  rulesFor,
} from '../../operator-rules/match.ts'
import { textMatches } from '../../operator-rules/texts.ts'
import { claimsOf } from '../../personalization/claims.ts'
import { patternsOf } from '../../personalization/patterns.ts'
import type { SenderAuthentication } from '../../personalization/rules.ts'
import { parsed } from '../helpers/parsed.ts'
import { readRows } from '../helpers/rows.ts'
import { parsedRules } from './parsed-rules.ts'

const MESSAGE = [
  'Received: from out-7.relay.example (out-7.relay.example [192.0.2.7]) by mx.example.org; Mon, 1 Jun 2026 11:00:00 +0000',
  'From: Fax Desk <desk@fax.example.com>',
  'To: ann@example.org',
  'Subject: =?utf-8?Q?Your_Fax_=E2=84=964711?=',
  'List-Id: <news.example.com>',
  'X-Mailer: Fax Machine',
  '\t3000',
  'X-Mailer: another',
  'MIME-Version: 1.0',
  'Content-Type: multipart/mixed; boundary=b',
  '',
  '--b',
  'Content-Type: text/html; charset=utf-8',
  '',
  '<p>You have a new&nbsp;fax.<br>Open the f&shy;ree do&#8203;cument <b>now</b>, 免费发票.</p>',
  '<p style="display:none">innocent</p>',
  '<a href="https://user@Mail.Example.top/path?q=1">open</a>',
  '--b',
  'Content-Type: application/octet-stream; name="fax.2026.ISO"',
  'Content-Disposition: attachment; filename="fax.2026.ISO"',
  '',
  'x',
  '--b--',
  '',
].join('\r\n')

const FACTS = {
  now: new Date('2026-06-01T12:00:00Z'),
  senderIp: '192.0.2.7',
  mailFrom: 'bounce@sender.example.net',
}

const UNKNOWN: SenderAuthentication = { result: 'unknown' }
const FAIL: SenderAuthentication = { result: 'fail' }
const PASS: SenderAuthentication = { result: 'pass', domain: 'fax.example.com' }

interface Asked {
  readonly message?: string
  readonly sender?: SenderAuthentication
  readonly to?: RuleRecipient
  readonly now?: () => number
}

/** What rules say of a message. */
function say(lines: readonly string[], asked: Asked = {}) {
  const { message: text = MESSAGE, sender = UNKNOWN, to = {}, now = () => 0 } = asked
  const { rules, faults } = parsedRules(lines.join('\n'))
  assert.deepEqual(faults, [])
  const index = indexOperatorRules(rules)
  const message = parsed(text)
  const texts = textMatches(message, index.textRules, now)
  const facts = factsOf(index, claimsOf(message, FACTS), patternsOf(message, false))
  return rulesFor(index, facts, texts, to, sender)
}

/** The lines that have a say, with what they do. */
function matched(lines: readonly string[], asked: Asked = {}): string[] {
  return say(lines, asked).matches.map(({ pattern, force }) => `${pattern}: ${force}`)
}

const applies = (line: string, asked: Asked = {}) => say([line], asked).applied.length === 1

describe('a condition', () => {
  for (const [condition, holds] of readRows('mail/test/operator-rules/conditions.cases')) {
    it(`${holds === 'true' ? 'holds' : 'does not hold'}: ${condition}`, () => {
      assert.equal(applies(`block ${condition}`), holds === 'true')
    })
  }

  it('blocks every address of a From that names several, and allows none', () => {
    const message = MESSAGE.replace('From: ', 'From: eve@example.net, ')
    assert.ok(applies('block from example.net', { message }))
    assert.ok(applies('block from fax.example.com', { message }))
    assert.ok(!applies('allow from fax.example.com', { message }))
  })
})

describe('the recipient', () => {
  const TO = { userId: 'Ann@example.org', recipientDomain: 'example.org' }

  it('is a user byte for byte, or at a domain', () => {
    const isFor = (name: string) => applies(`block from example.com for ${name}`, { to: TO })
    assert.deepEqual(
      ['Ann@example.org', 'ann@example.org', 'EXAMPLE.org', 'sub.example.org'].map(isFor),
      [true, false, true, false],
    )
    assert.ok(isFor('eve@example.org or example.org'))
    assert.ok(applies('block from example.com for kiosk', { to: { userId: 'kiosk' } }))
  })

  it('is not nobody', () => {
    assert.ok(!applies('block from example.com for example.org'))
  })

  it('has the first of the settings that name it', () => {
    const lines = [
      'threshold 0.97 for Ann@example.org',
      'threshold strict for example.org',
      'threshold cautious',
      'reject-at 0.999 for example.org',
      'quarantine-at never',
    ]
    const { threshold, rejectAt, quarantineAt } = say(lines, { to: TO })
    assert.deepEqual([threshold, rejectAt, quarantineAt], [0.97, 0.999, 'never'])
    assert.equal(say(lines).threshold, 'cautious')
  })

  it('is learned from as the first rule says that names it', () => {
    const { rules } = parsedRules(
      'learning on for Ann@example.org\nlearning off for example.org',
      '',
    )
    const index = indexOperatorRules(rules)
    assert.equal(learningOf(index, TO), 'on')
    assert.equal(learningOf(index, { ...TO, userId: 'bob@example.org' }), 'off')
    assert.equal(learningOf(index, { userId: 'eve' }), undefined)
  })
})

describe('what decides', () => {
  it('is the first line that applies', () => {
    assert.deepEqual(matched(['block from example.com', 'block from fax.example.com']), [
      'block from example.com: decides',
    ])
    assert.deepEqual(matched(['allow client 192.0.2.7', 'block from example.com']), [
      'allow client 192.0.2.7: decides',
    ])
  })

  const FORCES: readonly (readonly [string, unknown, unknown, unknown])[] = [
    ['block from example.com', 'decides', 'decides', 'decides'],
    ['block body "fax"', 'decides', 'decides', 'decides'],
    ['block from example.com if authenticated', undefined, undefined, 'decides'],
    ['allow from example.com', undefined, 'lifts', 'decides'],
    ['allow from example.com and subject "fax"', undefined, 'lifts', 'decides'],
    ['allow from example.com if authenticated', undefined, undefined, 'decides'],
    ['allow list news.example.com', undefined, 'lifts', 'lifts'],
    ['allow envelope example.net', undefined, 'lifts', 'lifts'],
    ['allow client relay.example', undefined, 'lifts', 'lifts'],
    ['allow client 192.0.2.0/24', 'decides', 'decides', 'decides'],
  ]
  for (const [line, ...forces] of FORCES) {
    it(`where checks fail, say nothing, and vouch for the sender: ${line}`, () => {
      const force = (sender: SenderAuthentication) => say([line], { sender }).matches[0]?.force
      assert.deepEqual([FAIL, UNKNOWN, PASS].map(force), forces)
    })
  }

  it('does not decide for a sender that is proved for another domain', () => {
    const sender: SenderAuthentication = { result: 'pass', domain: 'example.net' }
    assert.deepEqual(matched(['allow from example.com'], { sender }), [
      'allow from example.com: lifts',
    ])
  })

  it('comes after an exception without proof, but where it rests on more than a name', () => {
    const allow = 'allow list news.example.com'
    assert.deepEqual(matched([allow, 'block from example.com']), [
      `${allow}: lifts`,
      'block from example.com: decides',
    ])
    for (const block of ['client 192.0.2.7', 'attachment iso', 'body "fax"']) {
      assert.deepEqual(matched([allow, `block ${block}`]), [`block ${block}: decides`], block)
    }
  })
})

describe('scores', () => {
  it('of all rules that apply count, each name once', () => {
    const lines = [
      'score 2 A subject "fax"',
      'score 3 A body "fax"',
      'score -1 B from example.com',
      'score 1 C from example.net',
    ]
    assert.deepEqual(say(lines).scores?.holding, [
      { name: 'A', weight: 2 },
      { name: 'B', weight: -1 },
    ])
  })

  it('end when 200 ms are used up, and say so', () => {
    let clock = 0
    const now = () => (clock += 90)
    const lines = ['score 1 A body "fax"', 'score 1 B body "fax"', 'score 1 C body "fax"']
    const { scores } = say(lines, { now })
    assert.deepEqual(
      scores?.holding.map(({ name }) => name),
      ['A', 'B'],
    )
    assert.equal(scores?.isCut, true)
  })
})

describe('a class', () => {
  it('is that of the first rule', () => {
    const { classRule } = say(['class updates subject "fax"', 'class primary from example.com'])
    assert.equal(classRule?.classification, 'updates')
  })
})
