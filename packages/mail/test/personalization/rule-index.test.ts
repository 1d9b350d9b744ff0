/** Rules are found by what a message has. */
import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { describe, it } from 'node:test'
import type { Kind, RuleType } from '../../personalization/kinds.ts'
import type { Patterns } from '../../personalization/patterns.ts'
import { type ExplicitRule, fittingRules, indexRules } from '../../personalization/rule-index.ts'

const MADE_AT = new Date('2026-06-01')

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
})
