import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { readRows } from '../../../mail/test/helpers/rows.ts'
import {
  parseArcAuthenticationResults,
  parseAuthenticationResults,
} from '../../sender-authentication/authentication-results.ts'

/** `id | method=result property=value …` for each statement. */
function read(body: string): string | undefined {
  const results = parseAuthenticationResults(body)
  if (results === undefined) return undefined
  const statements = results.statements.map(({ method, result, properties }) =>
    [`${method}=${result}`, ...[...properties].map(([name, value]) => `${name}=${value}`)].join(
      ' ',
    ),
  )
  return [results.authservId, ...statements].join(' | ')
}

describe('parseAuthenticationResults', () => {
  const file = 'service/test/sender-authentication/authentication-results.cases'
  for (const [name, body, expected] of readRows(file)) {
    it(name!, () => assert.equal(read(body!) ?? '', expected ?? ''))
  }

  it('reads no more than 32 statements of 16 properties', () => {
    const properties = Array.from({ length: 40 }, (_, at) => ` header.p${at}=x`).join('')
    const results = parseAuthenticationResults(`a.example${`; dkim=pass${properties}`.repeat(20)}`)
    assert.equal(results?.statements[0]?.properties.size, 16)
    assert.equal(
      parseAuthenticationResults(`a.example${'; spf=pass'.repeat(99)}`)?.statements.length,
      32,
    )
  })
})

describe('parseArcAuthenticationResults', () => {
  it('reads the instance and then the same', () => {
    const results = parseArcAuthenticationResults(
      'i=2; mx.example.org; dmarc=pass header.from=example.com',
    )
    assert.equal(results?.instance, 2)
    assert.equal(results?.authservId, 'mx.example.org')
    assert.equal(results?.statements[0]?.properties.get('header.from'), 'example.com')
  })
})
