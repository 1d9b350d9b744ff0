import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { Patterns } from '../../src/personalization/patterns.ts'
import {
  type CorrectionRule,
  checkPattern,
  type ExplicitRule,
  matchClassRule,
  matchRule,
  patternFor,
  type RuleType,
  type SenderAuthentication,
  undisputedRules,
} from '../../src/personalization/rules.ts'

const FINGERPRINT = 'A'.repeat(24)

/** A message that has every pattern. */
const PATTERNS: Patterns = {
  sender: 'ada@mail.example.com',
  senderDomain: 'example.com',
  list: 'news.example.com',
  thread: '<1@example.com>',
  template: `t1:example.com:${FINGERPRINT}`,
}

const UNKNOWN: SenderAuthentication = { result: 'unknown' }
const FAIL: SenderAuthentication = { result: 'fail' }
const PASS: SenderAuthentication = { result: 'pass', domain: 'example.com' }
const PASS_OTHER: SenderAuthentication = { result: 'pass', domain: 'example.net' }

function rule(ruleType: RuleType, pattern: string, more: Partial<ExplicitRule> = {}): ExplicitRule {
  const name = `${ruleType} ${pattern}`
  const made = { id: name, kind: 'spam', label: 'spam', unverified: true } as const
  return { ...made, createdAt: new Date('2025-06-01'), ruleType, pattern, ...more }
}

function automatic(label: string, more: Partial<CorrectionRule> = {}): CorrectionRule {
  const made = { feedbackId: `correction ${label}`, createdAt: new Date('2025-06-01') }
  return { ...made, label, pattern: 'ada@mail.example.com', senderKey: Uint8Array.of(1), ...more }
}

const THREAD = rule('Thread', '<1@example.com>')
const TEMPLATE = rule('Template', `t1:example.com:${FINGERPRINT}`)
const ADDRESS = rule('Sender', 'ada@mail.example.com')
const DOMAIN = rule('Sender', 'example.com')
const LIST = rule('List', 'news.example.com')

function decidingId(rules: ExplicitRule[], automaticRules: CorrectionRule[] = []) {
  return matchRule(rules, automaticRules, PATTERNS, UNKNOWN)?.id
}

describe('matchRule', () => {
  it('takes the most specific: Thread, Template, address, domain, List', () => {
    const order = [THREAD, TEMPLATE, ADDRESS, DOMAIN, LIST]
    order.forEach((first, i) => {
      assert.equal(decidingId(order.slice(i).reverse()), first.id)
    })
  })

  it('says which rule it was and where it came from', () => {
    assert.deepEqual(matchRule([ADDRESS], [], PATTERNS, UNKNOWN), {
      id: 'Sender ada@mail.example.com',
      ruleType: 'Sender',
      pattern: 'ada@mail.example.com',
      label: 'spam',
      verified: false,
      source: 'explicit',
    })
  })

  it('takes an explicit rule before a newer one made from a correction', () => {
    const newer = automatic('ham', { createdAt: new Date('2026-01-01') })
    assert.equal(decidingId([ADDRESS], [newer]), ADDRESS.id)
  })

  it('takes a rule for the address made from a correction before an explicit one for the domain', () => {
    assert.equal(decidingId([DOMAIN], [automatic('ham')]), 'correction ham')
  })

  it('takes the newer of two alike', () => {
    const newer = rule('Sender', 'mail.example.com', { createdAt: new Date('2025-06-02') })
    assert.equal(decidingId([DOMAIN, newer]), newer.id)
    assert.equal(decidingId([newer, DOMAIN]), newer.id)
  })

  it('knows nothing of rules about classes', () => {
    assert.equal(decidingId([rule('Thread', '<1@example.com>', { kind: 'tabs' })]), undefined)
  })

  it('takes a bare domain for every host at or below it, and for no other', () => {
    for (const pattern of ['example.com', 'mail.example.com']) {
      assert.ok(decidingId([rule('Sender', pattern)]), pattern)
    }
    for (const pattern of ['xample.com', 'news.example.com', 'a.mail.example.com', 'com.example']) {
      assert.equal(decidingId([rule('Sender', pattern)]), undefined, pattern)
    }
  })

  it('matches nothing where the message has no such pattern', () => {
    const all = [THREAD, TEMPLATE, ADDRESS, DOMAIN, LIST]
    assert.equal(matchRule(all, [automatic('spam')], {}, UNKNOWN), undefined)
  })
})

describe('authentication', () => {
  /** Whether a Sender rule applies to messages of unknown, failed, proved and otherwise proved origin. */
  const appliesTo = (more: Partial<ExplicitRule>) =>
    [UNKNOWN, FAIL, PASS, PASS_OTHER].map(
      (authentication) =>
        matchRule([rule('Sender', 'example.com', more)], [], PATTERNS, authentication) !==
        undefined,
    )
  const VERIFIED = { unverified: false, authenticatedDomain: 'example.com' }

  it('of the same domain is what a verified allow asks for', () => {
    assert.deepEqual(appliesTo({ label: 'ham', ...VERIFIED }), [false, false, true, false])
  })

  it('must not have failed for an unverified allow', () => {
    assert.deepEqual(appliesTo({ label: 'ham' }), [true, false, true, true])
  })

  it('does not matter to a verified block', () => {
    assert.deepEqual(appliesTo({ label: 'spam', ...VERIFIED }), [true, true, true, true])
  })

  it('of any domain keeps an unverified block away', () => {
    assert.deepEqual(appliesTo({ label: 'spam' }), [true, true, false, false])
  })

  it('lets the next rule decide where the most specific does not apply', () => {
    const allow = rule('Thread', '<1@example.com>', { label: 'ham', ...VERIFIED })
    assert.equal(matchRule([allow, LIST], [], PATTERNS, UNKNOWN)?.id, LIST.id)
    assert.equal(matchRule([allow, LIST], [], PATTERNS, PASS)?.id, allow.id)
  })

  it('holds for rules made from corrections by the domain they were authenticated for', () => {
    const allow = automatic('ham', { authenticatedDomain: 'example.com' })
    assert.equal(matchRule([], [allow], PATTERNS, UNKNOWN), undefined)
    assert.equal(matchRule([], [allow], PATTERNS, PASS)?.verified, true)
    assert.equal(matchRule([], [automatic('ham')], PATTERNS, UNKNOWN)?.verified, false)
  })
})

describe('matchClassRule', () => {
  it('gives the class of the most specific rule', () => {
    const rules = [
      rule('List', 'news.example.com', { kind: 'tabs', label: 'updates' }),
      rule('Sender', 'example.com', { kind: 'tabs', label: 'primary' }),
      rule('Thread', '<1@example.com>'),
    ]
    assert.deepEqual(matchClassRule(rules, PATTERNS), {
      id: 'Sender example.com',
      ruleType: 'Sender',
      pattern: 'example.com',
      classification: 'primary',
    })
  })

  it('gives nothing without a rule that fits', () => {
    assert.equal(matchClassRule([ADDRESS], PATTERNS), undefined)
  })
})

describe('undisputedRules', () => {
  const spam = automatic('spam')

  it('keeps a rule whose sender was corrected one way only', () => {
    const corrections = [
      { label: 'spam', senderKey: Uint8Array.of(1) },
      { label: 'ham', senderKey: Uint8Array.of(2) },
    ]
    assert.deepEqual(undisputedRules([spam], corrections), [spam])
  })

  it('drops a rule whose sender was also corrected the other way', () => {
    const corrections = [
      { label: 'spam', senderKey: Uint8Array.of(1) },
      { label: 'ham', senderKey: Uint8Array.of(1) },
    ]
    assert.deepEqual(undisputedRules([spam], corrections), [])
  })
})

describe('patternFor', () => {
  it('gives what the message has of that type', () => {
    assert.equal(patternFor('Sender', PATTERNS), 'ada@mail.example.com')
    assert.equal(patternFor('List', PATTERNS), 'news.example.com')
    assert.equal(patternFor('Thread', PATTERNS), '<1@example.com>')
    assert.equal(patternFor('Template', PATTERNS), `t1:example.com:${FINGERPRINT}`)
  })

  it('names the field when the message has nothing of that type', () => {
    for (const ruleType of ['Sender', 'List', 'Thread', 'Template'] as const) {
      assert.throws(() => patternFor(ruleType, {}), {
        code: 'FIELD_INVALID',
        details: { field: 'ruleType' },
      })
    }
  })
})

describe('checkPattern', () => {
  it('gives the form in which rules compare', () => {
    assert.equal(checkPattern('Sender', ' Ada@Bücher.example '), 'ada@xn--bcher-kva.example')
    assert.equal(checkPattern('Sender', 'Example.co.uk'), 'example.co.uk')
    assert.equal(checkPattern('List', 'News <News.Example.com>'), 'news.example.com')
    assert.equal(checkPattern('List', 'News@Example.com'), 'news@example.com')
    assert.equal(checkPattern('Thread', '1@example.com'), '<1@example.com>')
    assert.equal(checkPattern('Thread', '<1@Example.com>'), '<1@Example.com>')
  })

  it('names the field for what no message of that type could have', () => {
    const wrong: [RuleType, string][] = [
      ['Sender', ''],
      ['Sender', '@example.com'],
      ['Sender', 'ada@'],
      ['Sender', 'ada byron@example.com'],
      ['Sender', '*@example.com.'],
      ['Sender', `${'a'.repeat(1_000)}@example.com`],
      ['List', ''],
      ['List', 'our news'],
      ['Thread', ''],
      ['Thread', '<1@example.com> <2@example.com>'],
      ['Template', 'spring sale'],
      ['Template', '<1@example.com>'],
    ]
    for (const [ruleType, pattern] of wrong) {
      assert.throws(
        () => checkPattern(ruleType, pattern),
        { code: 'FIELD_INVALID', details: { field: 'pattern' } },
        `${ruleType} ${pattern}`,
      )
    }
  })

  it('takes no domain under which all the world is', () => {
    for (const suffix of ['com', 'co.uk', 'localhost']) {
      assert.throws(() => checkPattern('Sender', suffix), { code: 'FIELD_INVALID' }, suffix)
    }
  })
})
