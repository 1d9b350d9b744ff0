/** What a weighted rule may say, and what is wrong with one that says something else. */
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { checkWeightedRule } from '../../personalization/check-weighted-rule.ts'
import type { Condition, WeightedRule } from '../../personalization/weighted-rule.ts'

const RULE: WeightedRule = {
  name: 'ACME_FAX',
  weight: 2.5,
  conditions: [{ part: 'subject', contains: 'fax' }],
}

const withCondition = (condition: object) =>
  checkWeightedRule({ ...RULE, conditions: [condition as Condition] })

describe('checkWeightedRule', () => {
  it('gives a rule as it is compared', () => {
    const conditions: Condition[] = [
      { part: 'header', field: 'X-Mailer', contains: '  Ｆax \n Machine ' },
      { part: 'link', matches: '^https://[^/]*\\.top/' },
      { part: 'attachment', kind: 'exe' },
    ]
    assert.deepEqual(checkWeightedRule({ ...RULE, conditions }), {
      ...RULE,
      conditions: [
        { part: 'header', field: 'x-mailer', contains: 'fax machine' },
        { part: 'link', matches: '^https://[^/]*\\.top/' },
        { part: 'attachment', kind: 'exe' },
      ],
    })
  })

  it('refuses names that are no symbols', () => {
    for (const name of ['', 'acme', '1ACME', 'ACME-FAX', 'A'.repeat(41)]) {
      assert.deepEqual(checkWeightedRule({ ...RULE, name }), {
        field: 'name',
        fault: 'must be at most 40 capital letters, digits and _, the first a letter',
      })
    }
  })

  it('refuses weights of 0, beyond 6, and none', () => {
    const fault = { field: 'weight', fault: 'must be between -6 and 6, and not 0' }
    for (const weight of [0, -0, 6.01, -7, Number.NaN, Number.POSITIVE_INFINITY]) {
      assert.deepEqual(checkWeightedRule({ ...RULE, weight }), fault)
    }
    for (const weight of [6, -6, 0.01]) assert.ok('name' in checkWeightedRule({ ...RULE, weight }))
  })

  it('refuses no condition, and more than five', () => {
    for (const conditions of [[], Array(6).fill(RULE.conditions[0])]) {
      const fault = { field: 'conditions', fault: 'must be 1 to 5' }
      assert.deepEqual(checkWeightedRule({ ...RULE, conditions }), fault)
    }
  })

  const wrong: readonly (readonly [condition: object, field: string, fault: RegExp])[] = [
    [{ part: 'subject' }, 'contains', /or matches must be given/],
    [{ part: 'subject', contains: 'a', matches: 'b' }, 'contains', /not both/],
    [{ part: 'subject', contains: ' \u200b ' }, 'contains', /must be words/],
    [{ part: 'text', contains: 'a'.repeat(201) }, 'contains', /at most 200/],
    [{ part: 'subject', field: 'X', contains: 'a' }, 'field', /for header alone/],
    [{ part: 'header', contains: 'a' }, 'field', /must be the name of a header field/],
    [{ part: 'header', field: 'a b', contains: 'a' }, 'field', /must be the name/],
    [{ part: 'text', kind: 'exe' }, 'kind', /for attachment alone/],
    [{ part: 'attachment', kind: 'pdf' }, 'kind', /must be one of exe, script, iso/],
    [{ part: 'attachment', kind: 'exe', contains: 'a' }, 'contains', /not for attachment/],
    [{ part: 'text', matches: '' }, 'matches', /must be a pattern/],
    [{ part: 'text', matches: 'a'.repeat(201) }, 'matches', /at most 200/],
    [
      { part: 'text', matches: '(a' },
      'matches',
      /^is not a pattern of RE2: missing closing \): `\(a`$/,
    ],
    [
      { part: 'text', matches: '.{500}' },
      'matches',
      /compiles to 50\d instructions, more than 200/,
    ],
  ]
  for (const [condition, field, fault] of wrong) {
    it(`refuses ${JSON.stringify(condition).slice(0, 60)}`, () => {
      const result = withCondition(condition)
      assert.ok('fault' in result)
      assert.equal(result.field, `conditions/0/${field}`)
      assert.match(result.fault, fault)
    })
  }
})
