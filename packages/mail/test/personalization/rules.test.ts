/** Which of a user's rules has a say about a message, and which patterns a rule may have. */
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

const DIGEST = `t1:example.com:${'A'.repeat(24)}`

/** A message that has every pattern. */
const PATTERNS: Patterns = {
  sender: 'ada@mail.example.com',
  senderDomain: 'example.com',
  list: 'news.example.com',
  thread: '<1@example.com>',
  template: DIGEST,
}

const UNKNOWN: SenderAuthentication = { result: 'unknown' }

function rule(ruleType: RuleType, pattern: string, more: Partial<ExplicitRule> = {}): ExplicitRule {
  const made = {
    id: `${ruleType} ${pattern}`,
    kind: 'spam',
    label: 'spam',
    unverified: true,
  } as const
  return { ...made, createdAt: new Date('2025-06-01'), ruleType, pattern, ...more }
}

function automatic(label: string, more: Partial<CorrectionRule> = {}): CorrectionRule {
  const made = { feedbackId: `correction ${label}`, createdAt: new Date('2025-06-01') }
  return { ...made, label, pattern: 'ada@mail.example.com', senderKey: Uint8Array.of(1), ...more }
}

const sender = (pattern: string, more?: Partial<ExplicitRule>) => rule('Sender', pattern, more)

/** The ids of the rules that have a say. */
function idsFor(
  rules: readonly ExplicitRule[],
  patterns: Patterns = PATTERNS,
  corrections: readonly CorrectionRule[] = [],
): string[] {
  return matchRules(indexRules(rules, corrections), patterns, UNKNOWN).map(({ id }) => id)
}

/** A template with sketches, unlike that of every other letter, of which `changed` places are as after a word was. */
function template(letter: string, domain = 'example.com', changed = 0): string {
  const bytes = Buffer.from(Array.from({ length: 120 }, (_, i) => (i * letter.charCodeAt(0)) % 251))
  for (let place = 0; place < changed; place++) bytes[place]! ^= 1
  return `t1:${domain}:${bytes.toString('base64url')}`
}

describe('the rule that decides', () => {
  it('is the most specific: Thread, Template, address, domain, List', () => {
    const order = [
      ...[rule('Thread', '<1@example.com>'), rule('Template', DIGEST)],
      ...[sender('ada@mail.example.com'), sender('example.com'), rule('List', 'news.example.com')],
    ]
    order.forEach((first, i) => {
      assert.deepEqual(idsFor(order.slice(i).reverse()), [first.id])
    })
  })

  it('is the stated one before one made from a correction, of one address', () => {
    const newer = automatic('ham', { createdAt: new Date('2026-01-01') })
    const stated = sender('ada@mail.example.com')
    assert.deepEqual(idsFor([stated], PATTERNS, [newer]), [stated.id])
    assert.deepEqual(idsFor([sender('example.com')], PATTERNS, [newer]), [
      'correction ham',
      'Sender example.com',
    ])
  })

  it('is the newer of two alike, and none that only lifts behind it', () => {
    const newer = sender('mail.example.com', { createdAt: new Date('2025-06-02') })
    for (const rules of [
      [sender('example.com'), newer],
      [newer, sender('example.com')],
    ]) {
      assert.deepEqual(idsFor([...rules, rule('List', 'news.example.com', { label: 'ham' })]), [
        newer.id,
      ])
    }
  })

  // biome-ignore format: a row each
  const covering: [pattern: string, covers: string[], not: string[]][] = [
    [
      'example.com',
      ['ada@example.com', 'ada@mail.example.com'],
      ['ada@notexample.com', 'ada@example.com.example.net'],
    ],
    ['mail.example.com', ['ada@mail.example.com'], ['ada@example.com', 'ada@news.example.com']],
    ['*@example.com', ['ada@example.com'], ['ada@mail.example.com', 'ada@notexample.com']],
    ['*.example.com', ['ada@mail.example.com', 'ada@a.mail.example.com'], ['ada@example.com']],
  ]
  for (const [pattern, covered, others] of covering) {
    it(`covers by ${pattern} ${covered.join(', ')}, and not ${others.join(', ')}`, () => {
      const covers = (address: string) => idsFor([sender(pattern)], { sender: address }).length > 0
      assert.deepEqual([covered.every(covers), others.some(covers)], [true, false])
    })
  }

  it('is a block of any author where From names several, and no allow', () => {
    const rules = [sender('ada@example.com', { label: 'ham' }), sender('example.org')]
    const authors = ['ada@example.com', 'eve@example.net', 'bob@example.org']
    assert.deepEqual(idsFor(rules, { authors }), ['Sender example.org'])
    assert.deepEqual(idsFor(rules, { sender: 'ada@example.com' }), ['Sender ada@example.com'])
  })

  it('is of a template that is alike, of the same domain; of one with a digest, of that very digest', () => {
    const near = template('a', 'example.com', 10)
    const rules = [near, template('b'), DIGEST].map((pattern) => rule('Template', pattern))
    assert.deepEqual(idsFor(rules, { template: template('a') }), [`Template ${near}`])
    assert.deepEqual(idsFor(rules, { template: template('a', 'example.net') }), [])
    assert.deepEqual(idsFor(rules, { template: DIGEST }), [`Template ${DIGEST}`])
    assert.deepEqual(idsFor(rules, { template: DIGEST.replace(/A$/, 'B') }), [])
  })

  it('gives the class of the most specific', () => {
    const rules = [
      rule('List', 'news.example.com', { kind: 'tabs', label: 'updates' }),
      sender('example.com', { kind: 'tabs', label: 'primary' }),
      rule('Thread', '<1@example.com>'),
    ]
    const made = { id: 'Sender example.com', ruleType: 'Sender', pattern: 'example.com' }
    const expected = { ...made, classification: 'primary' }
    assert.deepEqual(matchClassRule(indexRules(rules, []), PATTERNS), expected)
  })
})

describe('a rule made from a correction', () => {
  const said = (label: string, key: number, authenticatedDomain?: string) => ({
    ...{ label, senderKey: Uint8Array.of(key) },
    ...(authenticatedDomain && { authenticatedDomain }),
  })
  const proved = { authenticatedDomain: 'example.com' }
  // biome-ignore format: a row each
  const cases: [what: string, of: object, corrections: ReturnType<typeof said>[], kept: boolean][] =
    [
      ['stays where its sender was corrected one way', {}, [said('spam', 1), said('ham', 2)], true],
      [
        'goes where its sender was corrected the other way',
        {},
        [said('spam', 1), said('ham', 1)],
        false,
      ],
      [
        'of authenticated mail stays, whatever is said of what may be forged',
        proved,
        [said('ham', 1)],
        true,
      ],
      [
        'of authenticated mail goes for what is said of such',
        proved,
        [said('ham', 1, 'example.com')],
        false,
      ],
    ]
  for (const [what, more, corrections, kept] of cases) {
    it(what, () => {
      const rules = [automatic('spam', more)]
      assert.deepEqual(undisputedRules(rules, corrections), kept ? rules : [])
    })
  }
})

const refused = (field: string) => ({ code: 'FIELD_INVALID', details: { field } })

describe('a pattern', () => {
  it('is none of a message that has nothing of that type, or a wildcard for its address', () => {
    for (const ruleType of RULE_TYPES) {
      assert.throws(() => patternFor(ruleType, {}), refused('ruleType'))
    }
    assert.throws(() => patternFor('Sender', { sender: '*@bank.example' }), refused('ruleType'))
  })

  for (const [ruleType, written, compared] of [
    ['Sender', ' Ada@Bücher.example ', 'ada@xn--bcher-kva.example'],
    ['Sender', 'Example.co.uk', 'example.co.uk'],
    ['List', 'News <News.Example.com>', 'news.example.com'],
    ['List', 'News@Example.com', 'news@example.com'],
    ['List', `${'é'.repeat(489)}s <news.example.com>`, 'news.example.com'],
    ['Thread', '1@example.com', '<1@example.com>'],
    ['Thread', '<1@Example.com>', '<1@Example.com>'],
  ] as const) {
    it(`has the form in which ${ruleType} rules compare: ${written.slice(0, 30)}`, () => {
      assert.equal(checkPattern(ruleType, written), compared)
    })
  }

  // biome-ignore format: a row each
  const wrong: Readonly<Record<RuleType, readonly string[]>> = {
    Sender: [
      ...['', '@example.com', 'ada@', 'ada byron@example.com', `${'a'.repeat(1_000)}@example.com`],
      // All the world would be covered, or nobody.
      ...['com', 'co.uk', 'localhost', '*', '*@*', '*@com', '*.co.uk', '*@example.com.'],
      ...['ann*@example.com', 'ann@*.example.com', '*@*.example.com', '*example.com'],
      'news.*.example.com',
    ],
    List: [
      '',
      'our news',
      '*@example.com',
      '*.example.com',
      `${'é'.repeat(490)} <news.example.com>`,
    ],
    Thread: ['', '<1@example.com> <2@example.com>'],
    Template: ['spring sale', '<1@example.com>'],
  }
  for (const ruleType of RULE_TYPES) {
    it(`is refused for ${ruleType} where no message could have it, or half the world`, () => {
      for (const pattern of wrong[ruleType]) {
        assert.throws(() => checkNewPattern(ruleType, pattern), refused('pattern'), pattern)
      }
    })
  }
})
