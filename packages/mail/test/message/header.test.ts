import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { readHeader } from '../../message/header.ts'
import { FIELDS_MAX, HEADER_BYTES_MAX, HEADER_FIRST_READ_BYTES } from '../../message/limits.ts'
import { memoryOctets } from '../../message/octets.ts'

const options = {
  fieldsMax: FIELDS_MAX,
  bytesMax: HEADER_BYTES_MAX,
  firstReadBytes: HEADER_FIRST_READ_BYTES,
  isDelimiter: (line: string) => line === '--b',
  outOfTime: () => false,
}

function read(source: string) {
  const octets = memoryOctets(Buffer.from(source, 'latin1'))
  const header = readHeader(octets, 0, octets.length, options)
  return {
    fields: header.fields.map(({ spelledName, body }) => `${spelledName}: ${body}`),
    body: source.slice(header.bodyStart),
    oddities: header.oddities,
    limitsReached: header.limitsReached,
  }
}

describe('readHeader', () => {
  it('gives name, spelling, raw and decoded body', () => {
    const octets = memoryOctets(Buffer.from('SUBJECT :  =?utf-8?Q?=C3=A9?= \r\n\r\n'))
    assert.deepEqual(readHeader(octets, 0, octets.length, options).fields, [
      { name: 'subject', spelledName: 'SUBJECT', rawBody: '=?utf-8?Q?=C3=A9?=', body: 'é' },
    ])
  })

  it('unfolds lines and keeps their white space', () => {
    assert.deepEqual(read('A: one\r\n two\n\tthree\n\nx').fields, ['A: one two\tthree'])
  })

  it('ends at an empty line, whatever its line end', () => {
    for (const source of [
      'A: b\n\nbody',
      'A: b\r\n\r\nbody',
      'A: b\r\n\nbody',
      'A: b\n\r\r\nbody',
    ]) {
      assert.equal(read(source).body, 'body')
      assert.deepEqual(read(source).oddities, [])
    }
  })

  it('has no fields when the first line is empty', () => {
    assert.deepEqual(read('\nbody'), { fields: [], body: 'body', oddities: [], limitsReached: [] })
  })

  it('does not take the last byte of a character for a space', () => {
    assert.deepEqual(read('A: \xc3\xa0\n\n').fields, ['A: à'])
  })

  it('passes over a line that is no field', () => {
    const { fields, body, oddities } = read('A: b\nnot a field\nC: d\n\nbody')
    assert.deepEqual(fields, ['A: b', 'C: d'])
    assert.equal(body, 'body')
    assert.deepEqual(oddities, ['HEADER_LINE_MALFORMED'])
  })

  it('takes two such lines in a row for the body', () => {
    const { fields, body, oddities } = read('A: b\nDear Ada,\nhow are you?\n\nYours')
    assert.deepEqual(fields, ['A: b'])
    assert.equal(body, 'Dear Ada,\nhow are you?\n\nYours')
    assert.deepEqual(oddities, ['HEADER_UNTERMINATED', 'HEADER_LINE_MALFORMED'])
  })

  it('takes such a line for the body when no empty line comes', () => {
    assert.equal(read('A: b\nDear Ada').body, 'Dear Ada')
  })

  it('ends at the delimiter of an open multipart', () => {
    const { fields, body, oddities } = read('A: b\n--b\nC: d\n\nbody')
    assert.deepEqual(fields, ['A: b'])
    assert.equal(body, '--b\nC: d\n\nbody')
    assert.deepEqual(oddities, ['HEADER_UNTERMINATED'])
  })

  it('ends at a delimiter of its own boundary', () => {
    const source = 'Content-Type: multipart/mixed; boundary="x y"\n--x y\nC: d\n\nbody'
    assert.equal(read(source).body, '--x y\nC: d\n\nbody')
    assert.equal(read(source.replace('--x y', '--z')).body, 'body')
  })

  it('notes a bare CR, a NUL and an encoded word that cannot be read', () => {
    assert.deepEqual(read('A: b\rC: d\n\n').oddities, ['BARE_CR'])
    assert.deepEqual(read('A: b\rC: d\n\n').fields, ['A: b C: d'])
    assert.deepEqual(read('A: \0\n\n').oddities, ['NUL_BYTE'])
    assert.deepEqual(read('A: =?utf-8?Q?a?= =?x?Z?y?=\n\n').oddities, ['ENCODED_WORD_MALFORMED'])
  })
})
