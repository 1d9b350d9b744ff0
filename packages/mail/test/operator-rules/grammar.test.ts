/** What a line of the operator's rules says, and what is wrong with one: each refusal once, here alone. */
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { parseRules } from '../../operator-rules/grammar.ts'
import type { Rule } from '../../operator-rules/rule.ts'
import { readRows } from '../helpers/rows.ts'
import { parsedRules } from './parsed-rules.ts'

function ruleIn(line: string): Rule {
  const { rules, faults } = parsedRules(line)
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
    assert.deepEqual(parsedRules(text, 'stored'), {
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

  for (const [condition, fact] of readRows('mail/test/operator-rules/facts.cases')) {
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
  it('is a line beyond 1000 characters', () => {
    const { faults } = parsedRules(`block subject "${'x'.repeat(1_000)}"`)
    assert.deepEqual([faults.length, faults[0]!.column], [1, 1_001])
    assert.match(faults[0]!.message, /beyond 1000 characters/)
  })

  for (const [line, column, message] of readRows('mail/test/operator-rules/faults.cases')) {
    it(`has its column: ${line}`, () => {
      const { faults } = parsedRules(`\n${line}`)
      assert.equal(faults.length, 1)
      assert.deepEqual([faults[0]!.line, faults[0]!.column], [2, Number(column)])
      assert.match(faults[0]!.message, new RegExp(message!))
    })
  }

  it('of every line is told, up to 20', () => {
    assert.deepEqual(
      parsedRules('x\nblock from example.com\ny').faults.map(({ line }) => line),
      [1, 3],
    )
    assert.equal(parsedRules('x\n'.repeat(100)).faults.length, 20)
  })

  it('is the 201st rule that looks into texts, and no other', () => {
    const line = 'block subject "x"\nblock from example.com\n'
    assert.deepEqual(parsedRules(line.repeat(200)).faults, [])
    const [fault] = parsedRules(line.repeat(201)).faults
    assert.deepEqual([fault?.line, fault?.column], [401, 1])
  })
})

describe('a text that is read in steps', () => {
  it('pauses after each rule with a text, since a pattern may take as long as thousands of lines', () => {
    const pausesIn = (text: string) => [...parseRules(text, 'stored')].length
    assert.equal(pausesIn('block body /[\\p{L}\\p{N}]+x/\n'.repeat(3)), 3)
    assert.equal(pausesIn('block body /a{1000}/\n'.repeat(3)), 3)
    assert.equal(pausesIn('block from example.com\n'.repeat(3)), 0)
  })
})
