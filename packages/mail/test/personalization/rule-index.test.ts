/** Rules are found by what a message has, and what it costs hardly depends on how many there are. */
import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { describe, it } from 'node:test'
import { KINDS, type Kind, type RuleType } from '../../personalization/kinds.ts'
import type { Patterns } from '../../personalization/patterns.ts'
import { type ExplicitRule, fittingRules, indexRules } from '../../personalization/rule-index.ts'
import { matchClassRule, matchRules, UNKNOWN_SENDER } from '../../personalization/rules.ts'
import { inCpuMs } from '../helpers/cpu-time.ts'

const MADE_AT = new Date('2026-06-01')

/** Rules of one kind that a user can have (storage/rules.ts). */
const RULES = 2_000

/** Longest that a message may take to be compared with all rules of a user, in milliseconds of CPU. */
const MATCH_MS_MAX = 2

function rule(kind: Kind, ruleType: RuleType, pattern: string): ExplicitRule {
  const label = kind === 'spam' ? 'spam' : 'updates'
  return {
    id: `${kind} ${ruleType} ${pattern}`,
    kind,
    ruleType,
    pattern,
    label,
    unverified: true,
    createdAt: MADE_AT,
  }
}

/** A template with sketches, unlike that of every other number. */
function template(number: number, domain = 'example.com'): string {
  const bytes = Array.from({ length: 4 }, (_, i) =>
    createHash('sha256').update(`${number} ${i}`).digest(),
  )
  return `t1:${domain}:${Buffer.concat(bytes).subarray(0, 120).toString('base64url')}`
}

/** The same with a few places changed, as after a word was. */
function alike(number: number, domain = 'example.com'): string {
  const [version, , fingerprint = ''] = template(number).split(':')
  const sketches = Buffer.from(fingerprint, 'base64url')
  for (let place = 0; place < 10; place++) sketches[place]! ^= 1
  return `${version}:${domain}:${sketches.toString('base64url')}`
}

function idsFitting(rules: readonly ExplicitRule[], patterns: Patterns): string[] {
  return fittingRules(indexRules(rules, []), 'spam', patterns).map(({ pattern }) => pattern)
}

describe('fittingRules', () => {
  it('finds the blocks of all authors where From names several, and no allow', () => {
    const blocks = [
      rule('spam', 'Sender', 'eve@example.net'),
      rule('spam', 'Sender', 'example.org'),
    ]
    const allow = { ...rule('spam', 'Sender', 'ada@example.com'), label: 'ham' }
    const authors = ['ada@example.com', 'eve@example.net', 'bob@example.org']
    assert.deepEqual(idsFitting([...blocks, allow], { authors }), [
      'eve@example.net',
      'example.org',
    ])
    assert.deepEqual(idsFitting([...blocks, allow], { sender: 'ada@example.com' }), [
      'ada@example.com',
    ])
  })

  it('finds templates that are alike, of the same domain alone', () => {
    const rules = [rule('spam', 'Template', alike(1)), rule('spam', 'Template', template(2))]
    assert.deepEqual(idsFitting(rules, { template: template(1) }), [alike(1)])
    assert.deepEqual(idsFitting(rules, { template: template(1, 'example.net') }), [])
  })

  it('finds a template with a digest by that very digest', () => {
    const digests = ['A', 'B'].map((letter) => `t1:example.com:${letter.repeat(24)}`)
    const rules = digests.map((pattern) => rule('spam', 'Template', pattern))
    assert.deepEqual(idsFitting(rules, { template: digests[1]! }), [digests[1]])
  })

  it('finds no rule of another type that has the same pattern', () => {
    const rules = [rule('spam', 'List', 'example.com')]
    assert.deepEqual(idsFitting(rules, { sender: 'ada@example.com' }), [])
  })

  it('finds the domain of an address and all that it lies below', () => {
    const patterns = ['mail.example.com', 'example.com', 'com', 'news.example.com', 'ample.com']
    const rules = patterns.map((pattern) => rule('spam', 'Sender', pattern))
    assert.deepEqual(idsFitting(rules, { sender: 'ada@mail.example.com' }), [
      'mail.example.com',
      'example.com',
      'com',
    ])
  })
})

describe('what a message costs a user with as many rules as there may be', () => {
  const PATTERNS: Patterns = {
    sender: 'ada@mail.example.com',
    senderDomain: 'example.com',
    list: 'news.example.com',
    thread: '<1@example.com>',
    template: template(-1),
  }

  const kinds: [name: string, ruleType: RuleType, pattern: (i: number) => string][] = [
    ['templates of its sender', 'Template', (i) => template(i)],
    ['templates that it is like', 'Template', () => alike(-1)],
    ['addresses', 'Sender', (i) => `ada-${i}@mail.example.com`],
    ['domains', 'Sender', (i) => `mail-${i}.example.com`],
    ['threads', 'Thread', (i) => `<${i}@example.com>`],
    ['lists', 'List', (i) => `news-${i}.example.com`],
  ]
  for (const [name, ruleType, pattern] of kinds) {
    it(`is below ${MATCH_MS_MAX} ms of CPU for 2,000 ${name} about spam and 2,000 about classes`, () => {
      const numbers = Array.from({ length: RULES }, (_, i) => i)
      const index = indexRules(
        KINDS.flatMap((kind) => numbers.map((i) => rule(kind, ruleType, pattern(i)))),
        [],
      )
      assert.equal(index.count, 2 * RULES)
      const match = () => {
        matchRules(index, PATTERNS, UNKNOWN_SENDER)
        matchClassRule(index, PATTERNS)
      }
      for (let warmUp = 0; warmUp < 20; warmUp++) match()
      const times = 50
      inCpuMs(times * MATCH_MS_MAX, () => {
        for (let time = 0; time < times; time++) match()
      })
    })
  }
})
