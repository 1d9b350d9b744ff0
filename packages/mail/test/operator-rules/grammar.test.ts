/** What a line of the operator's rules says, and what is wrong with one: each refusal once, here alone. */
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { parseInSteps, parseRules } from '../../operator-rules/grammar.ts'
import type { Rule } from '../../operator-rules/rule.ts'

function ruleIn(line: string): Rule {
  const { rules, faults } = parseRules(line, 'file')
  assert.deepEqual(faults, [])
  return rules[0]!
}

describe('a rule', () => {
  it('has its place, its text without the comment, and what it says', () => {
    const text = [
      '# Ours',
      '',
      '  score +2.5 PARTY_OFFER   subject "Party  tonight" and link host *.ru for example.org or ann@example.net if authenticated # hm',
      '',
    ].join('\r\n')
    assert.deepEqual(parseRules(text, 'stored'), {
      faults: [],
      rules: [
        {
          id: 'stored:3',
          text: 'score +2.5 PARTY_OFFER   subject "Party  tonight" and link host *.ru for example.org or ann@example.net if authenticated',
          action: { verb: 'score', weight: 2.5, name: 'PARTY_OFFER' },
          facts: ['link *.ru'],
          texts: [{ part: 'subject', words: 'party tonight' }],
          recipients: ['user example.org', 'domain example.org', 'user ann@example.net'],
          authenticated: true,
        },
      ],
    })
  })

  const ACTIONS: readonly (readonly [string, Rule['action']])[] = [
    ['allow from example.com', { verb: 'allow' }],
    ['block from example.com', { verb: 'block' }],
    ['score -6 X from example.com', { verb: 'score', weight: -6, name: 'X' }],
    ['class updates from example.com', { verb: 'class', class: 'updates' }],
    ['threshold strict', { verb: 'threshold', threshold: 'strict' }],
    ['threshold 0.97 for example.org', { verb: 'threshold', threshold: 0.97 }],
    ['reject-at 1 for example.org', { verb: 'reject-at', limit: 1 }],
    ['quarantine-at never', { verb: 'quarantine-at', limit: 'never' }],
    ['learning off for "#1"', { verb: 'learning', learning: 'off' }],
  ]
  for (const [line, action] of ACTIONS) {
    it(`does what it says: ${line}`, () => {
      assert.deepEqual(ruleIn(line).action, action)
    })
  }

  const FACTS: readonly (readonly [string, string])[] = [
    ['from Ann@Example.com', 'from ann@example.com'],
    ['from *@bücher.example', 'from *@xn--bcher-kva.example'],
    ['from *.top', 'from *.top'],
    ['envelope *.example.com', 'envelope *.example.com'],
    ['list <News.example.com>', 'list news.example.com'],
    ['list all@example.com', 'list all@example.com'],
    ['client 198.51.100.0/24', 'network 0 0 65535 3325256704/120'],
    ['client 2001:db8::/32', 'network 536939960 0 0 0/32'],
    ['client *.dyn.example', 'client *.dyn.example'],
    ['attachment EXE', 'attachment exe'],
    ['attachment *.ISO', 'file *.iso'],
    ['attachment "Invoice 7.pdf"', 'file invoice 7.pdf'],
    ['attachment image/*', 'type image/*'],
    ['link host *.ru', 'link *.ru'],
  ]
  for (const [condition, fact] of FACTS) {
    it(`compares in one form: ${condition}`, () => {
      assert.deepEqual(ruleIn(`block ${condition}`).facts, [fact])
    })
  }

  it('goes by the one address that From shows where it speaks against spam', () => {
    for (const action of ['allow', 'score -1 X', 'class updates']) {
      assert.deepEqual(ruleIn(`${action} from example.com`).facts, ['sender example.com'], action)
    }
  })

  it('looks into texts for words or a pattern', () => {
    assert.deepEqual(
      ruleIn('block header X-Mailer /^a\\/b # c$/ and body "a # b" and link /x/').texts,
      [
        { part: 'header', field: 'x-mailer', pattern: '^a\\/b # c$' },
        { part: 'body', words: 'a # b' },
        { part: 'link', pattern: 'x' },
      ],
    )
  })
})

describe('a fault', () => {
  const LINES: readonly (readonly [line: string, column: number, message: RegExp])[] = [
    ['bloc from example.com', 1, /"bloc" must be one of allow, block, score/],
    ['block', 6, /What comes next must be one of from, envelope/],
    ['block sender example.com', 7, /"sender" must be one of from/],
    ['block from', 11, /must be an address, a domain/],
    ['block from com', 12, /"com" must be an address/],
    ['block from a*b@example.com', 12, /must be an address/],
    ['allow from *.co.uk', 12, /allow covers no whole top-level domain/],
    ['allow client *.com', 14, /must be an IP address/],
    ['block client 192.0.2.1/24', 14, /whose other bits are 0/],
    ['block list *.example.com', 12, /must be a List-Id/],
    ['block link host 192.0.2.1', 17, /must be the name of a host/],
    ['block attachment pdf', 18, /must be one of exe, script/],
    ['allow subject "x"', 1, /allow needs one of the conditions from, envelope, list, client/],
    ['allow attachment exe', 1, /allow needs/],
    ['block subject x', 15, /expected: "words" or \/pattern\//],
    ['block subject "x', 15, /no closing "/],
    ['block subject /x', 15, /no closing \//],
    ['block subject "..."x', 15, /no closing "/],
    ['block subject " "', 15, /no words/],
    ['block subject /(x/', 15, /is not a pattern of RE2: missing closing \): `\(x`/],
    ['block subject /(a{99}){99}/', 15, /is not a pattern|compiles to/],
    ['block subject /a{250}/', 15, /compiles to \d+ instructions, more than 200/],
    ['block header a:b "x"', 14, /must be the name of a header field/],
    ['score 7 X from example.com', 7, /from -6 to 6, and not 0/],
    ['score 0 X from example.com', 7, /not 0/],
    ['score 1 x from example.com', 9, /capital letters/],
    ['class junk from example.com', 7, /must be one of primary/],
    ['threshold 1', 11, /above 0 and below 1/],
    ['reject-at 0', 11, /never, or a number above 0 and at most 1/],
    ['learning maybe', 10, /must be one of on, off/],
    ['learning off from example.com', 14, /not expected; allowed here: for/],
    ['threshold strict if authenticated', 18, /not expected; allowed here: for/],
    ['threshold strict for *@example.com', 22, /must be a user id, or a domain/],
    ['block from example.com from example.net', 24, /and, for or if authenticated/],
    ['block from example.com if signed', 27, /must be authenticated/],
    [`block subject "${'x'.repeat(1_000)}"`, 1_001, /beyond 1000 characters/],
  ]
  for (const [line, column, message] of LINES) {
    it(`has its column: ${line.slice(0, 50)}`, () => {
      const { faults } = parseRules(`\n${line}`, 'file')
      assert.equal(faults.length, 1)
      assert.deepEqual([faults[0]!.line, faults[0]!.column], [2, column])
      assert.match(faults[0]!.message, message)
    })
  }

  it('of every line is told, up to 20', () => {
    assert.deepEqual(
      parseRules('x\nblock from example.com\ny', 'file').faults.map(({ line }) => line),
      [1, 3],
    )
    assert.equal(parseRules('x\n'.repeat(100), 'file').faults.length, 20)
  })

  it('is the 201st rule that looks into texts, and no other', () => {
    const line = 'block subject "x"\nblock from example.com\n'
    assert.deepEqual(parseRules(line.repeat(200), 'file').faults, [])
    const [fault] = parseRules(line.repeat(201), 'file').faults
    assert.deepEqual([fault?.line, fault?.column], [401, 1])
  })
})

describe('a text that is read in steps', () => {
  it('pauses after each rule with a text, since a pattern may take as long as thousands of lines', () => {
    const pausesIn = (text: string) => [...parseInSteps(text, 'stored')].length
    assert.equal(pausesIn('block body /[\\p{L}\\p{N}]+x/\n'.repeat(3)), 3)
    assert.equal(pausesIn('block body /a{1000}/\n'.repeat(3)), 3)
    assert.equal(pausesIn('block from example.com\n'.repeat(3)), 0)
  })
})
