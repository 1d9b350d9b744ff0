import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { RULE_TYPES, type RuleType } from '../../personalization/kinds.ts'
import type { Patterns } from '../../personalization/patterns.ts'
import {
  type CorrectionRule,
  type ExplicitRule,
  indexRules,
} from '../../personalization/rule-index.ts'
import {
  checkNewPattern,
  checkPattern,
  matchClassRule,
  matchRules,
  patternFor,
  type SenderAuthentication,
  undisputedRules,
} from '../../personalization/rules.ts'

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
  return matchRules(indexRules(rules, automaticRules), PATTERNS, UNKNOWN)[0]?.id
}

describe('matchRules', () => {
  it('takes the most specific: Thread, Template, address, domain, List', () => {
    const order = [THREAD, TEMPLATE, ADDRESS, DOMAIN, LIST]
    order.forEach((first, i) => {
      assert.equal(decidingId(order.slice(i).reverse()), first.id)
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

  it('takes a bare domain for every host at or below it, and for no other', () => {
    for (const pattern of ['example.com', 'mail.example.com']) {
      assert.ok(decidingId([rule('Sender', pattern)]), pattern)
    }
    for (const pattern of ['xample.com', 'news.example.com', 'a.mail.example.com', 'com.example']) {
      assert.equal(decidingId([rule('Sender', pattern)]), undefined, pattern)
    }
  })

  it('takes *@domain for the addresses at that host alone, and *.domain for those below it alone', () => {
    const covers = (pattern: string, sender: string) =>
      matchRules(indexRules([rule('Sender', pattern)], []), { sender }, UNKNOWN).length > 0
    const [at, below] = ['*@example.com', '*.example.com']
    for (const [sender, ...covering] of [
      ['ada@example.com', at],
      ['ada@mail.example.com', below],
      ['ada@a.mail.example.com', below],
      ['ada@notexample.com'],
      ['ada@example.com.example.net'],
    ] as const) {
      for (const pattern of [at, below]) {
        assert.equal(
          covers(pattern, sender),
          covering.some((each) => each === pattern),
          sender,
        )
      }
    }
  })
})

describe('what a rule can do by authentication', () => {
  const allow = (ruleType: RuleType, pattern: string, more: Partial<ExplicitRule> = {}) =>
    rule(ruleType, pattern, { label: 'ham', ...more })

  it('leaves out one that only lifts behind one that decides', () => {
    const lifting = allow('List', 'news.example.com')
    const found = matchRules(indexRules([lifting, ADDRESS], []), PATTERNS, UNKNOWN)
    assert.deepEqual(
      found.map(({ id }) => id),
      [ADDRESS.id],
    )
  })
})

describe('matchClassRule', () => {
  it('gives the class of the most specific rule', () => {
    const rules = [
      rule('List', 'news.example.com', { kind: 'tabs', label: 'updates' }),
      rule('Sender', 'example.com', { kind: 'tabs', label: 'primary' }),
      rule('Thread', '<1@example.com>'),
    ]
    assert.deepEqual(matchClassRule(indexRules(rules, []), PATTERNS), {
      id: 'Sender example.com',
      ruleType: 'Sender',
      pattern: 'example.com',
      classification: 'primary',
    })
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

  it('drops a rule made from an authenticated message for what is said of another such alone', () => {
    const authenticatedDomain = 'example.com'
    const verified = automatic('spam', { authenticatedDomain })
    const forged = { label: 'ham', senderKey: Uint8Array.of(1) }
    assert.deepEqual(undisputedRules([verified, spam], [forged]), [verified])
    const proved = { ...forged, authenticatedDomain }
    assert.deepEqual(undisputedRules([verified, spam], [proved]), [])
  })
})

describe('patternFor', () => {
  it('names the field when the message has nothing of that type', () => {
    for (const ruleType of RULE_TYPES) {
      assert.throws(() => patternFor(ruleType, {}), {
        code: 'FIELD_INVALID',
        details: { field: 'ruleType' },
      })
    }
  })
})

describe('a wildcard', () => {
  it('is refused where it would match nothing, or half the world', () => {
    for (const [ruleType, pattern] of [
      ['Sender', '*'],
      ['Sender', '*@*'],
      ['Sender', '*@com'],
      ['Sender', '*.co.uk'],
      ['Sender', 'ann*@example.com'],
      ['Sender', 'ann@*.example.com'],
      ['Sender', '*@*.example.com'],
      ['Sender', '*example.com'],
      ['Sender', 'news.*.example.com'],
      ['List', '*@example.com'],
      ['List', '*.example.com'],
    ] as const) {
      assert.throws(
        () => checkNewPattern(ruleType, pattern),
        { code: 'FIELD_INVALID', details: { field: 'pattern' } },
        `${ruleType} ${pattern}`,
      )
    }
  })

  it('is never made from a message, whose sender may write one as the address', () => {
    assert.throws(() => patternFor('Sender', { sender: '*@bank.example' }), {
      code: 'FIELD_INVALID',
      details: { field: 'ruleType' },
    })
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

  it('takes 998 bytes, as many as a line of a message may have, and no more', () => {
    const longest = `${'é'.repeat(489)}s <news.example.com>`
    assert.equal(Buffer.byteLength(longest), 998)
    assert.equal(checkPattern('List', longest), 'news.example.com')
    assert.throws(() => checkPattern('List', `${longest} `), { code: 'FIELD_INVALID' })
  })

  it('takes no domain under which all the world is', () => {
    for (const suffix of ['com', 'co.uk', 'localhost']) {
      assert.throws(() => checkPattern('Sender', suffix), { code: 'FIELD_INVALID' }, suffix)
    }
  })
})
