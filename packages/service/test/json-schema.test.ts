import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { answerWriter } from '../http/json-body.ts'
import { faultIn, Type } from '../json-schema.ts'

describe('faultIn', () => {
  const schema = Type.Object(
    {
      name: Type.String({ minLength: 2, pattern: '^[a-z]*$' }),
      since: Type.Optional(Type.String({ format: 'date-time' })),
      counts: Type.Array(Type.Integer({ minimum: 1 }), { maxItems: 2, uniqueItems: true }),
      kind: Type.Union([Type.Enum(['a', 'b', 'c']), Type.Object({ x: Type.Number() })]),
    },
    { additionalProperties: false },
  )
  const sound = { name: 'ab', counts: [1, 2], kind: 'a' }
  for (const [fields, path, what] of [
    [{ name: undefined }, 'name', 'is missing'],
    [{ more: 1 }, 'more', 'is not a known field'],
    [{ name: 7 }, 'name', 'must be a string'],
    [{ name: '😀' }, 'name', 'must have at least 2 characters'],
    [{ name: 'aB' }, 'name', 'must match pattern "^[a-z]*$"'],
    [{ since: '2026-11-28' }, 'since', 'must match format "date-time"'],
    [{ since: '2026-11-32T10:00:00Z' }, 'since', 'must match format "date-time"'],
    [{ counts: [1, 1.5] }, 'counts/1', 'must be an integer'],
    [{ counts: [1, 0] }, 'counts/1', 'must be >= 1'],
    [{ counts: [1, 2, 3] }, 'counts', 'must have at most 2 items'],
    [{ counts: [1, 1] }, 'counts', 'must not have duplicate items'],
    [{ kind: 'd' }, 'kind', 'must be one of a, b, c'],
    [{ kind: { x: '1' } }, 'kind/x', 'must be a number'],
  ] as const) {
    it(`says of ${JSON.stringify(fields)} that ${path} ${what}`, () => {
      assert.deepEqual(faultIn(schema, { ...sound, ...fields }), { path, what })
    })
  }

  it('finds none in what is described', () => {
    for (const fields of [{}, { since: '2026-11-28T10:00:00.5+01:00' }, { kind: { x: 1, y: 2 } }]) {
      assert.equal(faultIn(schema, { ...sound, ...fields }), undefined)
    }
  })
})

describe('answerWriter', () => {
  it('writes no field that the schema does not have', () => {
    const inner = Type.Object({ a: Type.Optional(Type.String()), b: Type.Number() })
    const write = answerWriter(
      Type.Object({ list: Type.Array(inner), one: Type.Union([inner, Type.Null()]) }),
    )
    assert.equal(
      write({ secret: 1, list: [{ a: '"', b: 1, secret: 1 }, { b: 2 }], one: { b: 3, secret: 1 } }),
      '{"list":[{"b":1,"a":"\\""},{"b":2}],"one":{"b":3}}',
    )
    assert.equal(write({ list: [], one: null }), '{"list":[],"one":null}')
  })
})
