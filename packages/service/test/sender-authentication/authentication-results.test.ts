import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import {
  parseArcAuthenticationResults,
  parseAuthenticationResults,
} from '../../sender-authentication/authentication-results.ts'
import { parseReceivedSpf } from '../../sender-authentication/received-spf.ts'

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
  const cases: [string, string, string | undefined][] = [
    ['reads one method', 'mx.example.org; spf=pass', 'mx.example.org | spf=pass'],
    [
      'reads several methods and their properties',
      'mx.example.org; spf=pass smtp.mailfrom=a@example.com; dkim=fail header.d=example.com header.s=s',
      'mx.example.org | spf=pass smtp.mailfrom=a@example.com | dkim=fail header.d=example.com header.s=s',
    ],
    ['reads none', 'mx.example.org; none', 'mx.example.org'],
    ['takes no other version', 'mx.example.org 2; spf=pass', undefined],
    [
      'takes no other version of a method',
      'mx.example.org; dkim/2=pass; spf=fail',
      'mx.example.org | spf=fail',
    ],
    [
      'passes over comments wherever they stand',
      '(a (b) c) mx.example.org (d) 1 (e); (f) spf (g) = (h) pass (i) smtp (j) . (k) mailfrom (l) = (m) example.com (n)',
      'mx.example.org | spf=pass smtp.mailfrom=example.com',
    ],
    [
      'reads no result out of a comment',
      'mx.example.org; spf=fail (see; dkim=pass header.d=example.com); dmarc=fail',
      'mx.example.org | spf=fail | dmarc=fail',
    ],
    [
      'reads no result out of a comment that hides its end',
      'mx.example.org; spf=fail (a \\) ; dkim=pass); dmarc=fail',
      'mx.example.org | spf=fail | dmarc=fail',
    ],
    [
      'reads no result out of a quoted string',
      'mx.example.org; spf=fail reason="; dkim=pass \\"; dmarc=pass" smtp.helo=example.net',
      'mx.example.org | spf=fail reason=; dkim=pass "; dmarc=pass smtp.helo=example.net',
    ],
    [
      'keeps the first of a repeated property',
      'mx.example.org; dkim=pass header.d=example.com header.d=example.net',
      'mx.example.org | dkim=pass header.d=example.com',
    ],
    [
      'reads properties up to what is none',
      'mx.example.org; dkim=pass header.d=example.com and header.from=example.net',
      'mx.example.org | dkim=pass header.d=example.com',
    ],
    [
      'gives nothing without a name, as Outlook writes it',
      'spf=pass (sender IP is 192.0.2.1) smtp.mailfrom=example.com; dkim=pass',
      undefined,
    ],
    [
      'reads nothing behind an open comment',
      'mx.example.org; spf=fail (oops; dkim=pass',
      'mx.example.org | spf=fail',
    ],
    [
      'reads nothing behind an open quote',
      'mx.example.org; spf=fail reason="oops; dkim=pass',
      'mx.example.org | spf=fail reason=',
    ],
  ]
  for (const [name, body, expected] of cases) {
    it(name, () => assert.equal(read(body), expected))
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

describe('parseReceivedSpf', () => {
  it('reads the result and the pairs behind a comment', () => {
    const spf = parseReceivedSpf(
      'Pass (mailfrom) identity=mailfrom; client-ip=192.0.2.1; envelope-from="a b"@example.com; receiver=<mx.example.org>',
    )
    assert.equal(spf?.result, 'pass')
    assert.deepEqual(
      [...spf!.pairs],
      [
        ['identity', 'mailfrom'],
        ['client-ip', '192.0.2.1'],
        ['envelope-from', 'a b@example.com'],
        ['receiver', 'mx.example.org'],
      ],
    )
  })
})
