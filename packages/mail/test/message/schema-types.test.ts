import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { JSON_LD_LENGTH_MAX } from '../../message/limits.ts'
import { jsonLdTypes, microdataTypes } from '../../message/schema-types.ts'

describe('jsonLdTypes', () => {
  it('gives single types and lists of them, in order', () => {
    assert.deepEqual(
      jsonLdTypes('[{"@type":"Order","seller":{"@type" : ["Organization", "Brand"]}}]'),
      ['Order', 'Organization', 'Brand'],
    )
  })
  it('gives the name at the end of an address', () => {
    assert.deepEqual(jsonLdTypes('{"@type":"http://schema.org/Order"}'), ['Order'])
  })
  it('passes over what is not a name', () => {
    assert.deepEqual(jsonLdTypes('{"@type":""},{"@type":"a b"},{"@type":5},{"@type"'), [])
  })
  it('reads broken JSON as far as it goes', () => {
    assert.deepEqual(jsonLdTypes('{{"@type":"Order",'), ['Order'])
  })
  it('reads up to its limit', () => {
    assert.deepEqual(jsonLdTypes(`${' '.repeat(JSON_LD_LENGTH_MAX)}"@type":"Order"`), [])
  })
})

describe('microdataTypes', () => {
  it('gives the last step of each address', () => {
    assert.deepEqual(microdataTypes('http://schema.org/Order https://example.com/a#Parcel'), [
      'Order',
      'Parcel',
    ])
  })
  it('gives nothing for an empty value', () => {
    assert.deepEqual(microdataTypes(''), [])
  })
})
