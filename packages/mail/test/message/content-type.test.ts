import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { parseParameterized } from '../../message/content-type.ts'
import { PARAMETERS_MAX } from '../../message/limits.ts'
import { readRows } from '../helpers/rows.ts'

describe('parseParameterized', () => {
  it('gives the value in lower case without what follows it', () => {
    assert.equal(parseParameterized('Text/HTML; charset=utf-8').value, 'text/html')
    assert.equal(parseParameterized('text/plain (a comment)').value, 'text/plain')
    assert.equal(parseParameterized('').value, '')
  })

  for (const [name, rawBody, ...expected] of readRows('mail/test/message/mime-parameters.cases')) {
    it(name!, () => {
      const found = [...parseParameterized(rawBody!).parameters].map((pair) => pair.join('='))
      assert.deepEqual(found, expected)
    })
  }

  it('keeps every boundary', () => {
    const { boundaries } = parseParameterized(
      'multipart/mixed; boundary=a; boundary="b "; boundary*0=c; boundary*1=d',
    )
    assert.deepEqual(boundaries, ['a', 'b', 'cd'])
  })

  it('reads as many parameters as may be', () => {
    const body = `a/b${Array.from({ length: PARAMETERS_MAX + 1 }, (_, i) => `; p${i}=v`).join('')}`
    assert.equal(parseParameterized(body).parameters.size, PARAMETERS_MAX)
  })
})
