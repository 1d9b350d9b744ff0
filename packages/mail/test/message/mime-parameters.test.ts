import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { PARAMETERS_MAX } from '../../message/limits.ts'
import { parseParameterized } from '../../message/mime-parameters.ts'

function parameters(rawBody: string): Record<string, string> {
  return Object.fromEntries(parseParameterized(rawBody).parameters)
}

describe('parseParameterized', () => {
  it('gives the value in lower case without what follows it', () => {
    assert.equal(parseParameterized('Text/HTML; charset=utf-8').value, 'text/html')
    assert.equal(parseParameterized('text/plain (a comment)').value, 'text/plain')
    assert.equal(parseParameterized('').value, '')
  })

  const cases: [string, string, Record<string, string>][] = [
    ['reads tokens and quoted strings', 'a/b; X=1; y="2; \\"3\\""', { x: '1', y: '2; "3"' }],
    ['reads past missing semicolons', 'a/b x=1 y="2" z=3', { x: '1', y: '2', z: '3' }],
    ['reads past doubled semicolons and comments', 'a/b;; (c) x=1 (d);', { x: '1' }],
    [
      'keeps spaces in a file name without quotes',
      'a/b; name=my file (1).pdf',
      { name: 'my file (1).pdf' },
    ],
    ['closes a quote left open', 'a/b; x="1; y=2', { x: '1', y: '2' }],
    ['takes the first of a repeated name', 'a/b; x=1; x=2', { x: '1' }],
    ['decodes an encoded word', 'a/b; name="=?utf-8?Q?=C3=A9.pdf?="', { name: 'é.pdf' }],
    ['reads raw UTF-8', 'a/b; name="\xc3\xa9.pdf"', { name: 'é.pdf' }],
    [
      'decodes a charset and percent signs',
      "a/b; name*=iso-8859-1'en'caf%E9.pdf",
      { name: 'café.pdf' },
    ],
    ['joins continuations in order of their number', 'a/b; name*1=b; name*0=a', { name: 'ab' }],
    [
      'joins a character split over continuations',
      "a/b; name*0*=utf-8''%C3; name*1*=%A9; name*2=.x",
      { name: 'é.x' },
    ],
    [
      'puts the extended value before the plain one',
      "a/b; name=plain; name*=utf-8''rich",
      { name: 'rich' },
    ],
  ]
  for (const [name, rawBody, expected] of cases) {
    it(name, () => assert.deepEqual(parameters(rawBody), expected))
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
