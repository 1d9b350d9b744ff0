import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { refuseForeign, refusePublicBind } from '../../access/loopback.ts'

const OWN = ['localhost', 'LocalHost', '127.0.0.1', '127.1.2.3', '::1', '[::1]']

const FOREIGN = [
  '',
  'tamis.example.com',
  'localhost.example.com',
  '127.0.0.1.example.com',
  '0.0.0.0',
  '192.0.2.1',
  '::',
  '[::2]',
  // One bracket makes no address of what stands beside it.
  '[127.0.0.12',
  '1127.0.0.1]',
]

describe('refusePublicBind', () => {
  it('lets the service listen for this machine alone', () => {
    for (const host of OWN) refusePublicBind(host)
    for (const host of FOREIGN) {
      assert.throws(() => refusePublicBind(host), { code: 'CONFIG_INVALID' }, host)
    }
  })
})

describe('refuseForeign', () => {
  type Fields = Readonly<Record<string, string>>

  const isLetIn = (method: string, headers: Fields): boolean => {
    try {
      refuseForeign({ method, headers })
      return true
    } catch (error) {
      assert.equal((error as { code?: string }).code, 'ORIGIN_FORBIDDEN')
      return false
    }
  }

  const host = 'localhost:8025'
  const link = { 'sec-fetch-site': 'cross-site', 'sec-fetch-mode': 'navigate' }

  const rows: [sentence: string, method: string, headers: Fields, letIn: boolean][] = [
    ['a program', 'POST', { host }, true],
    ['a program that names no host', 'POST', {}, true],
    ['a program that asks at another port', 'POST', { host: '[::1]:9000' }, true],
    ['a host name that leads here from elsewhere', 'POST', { host: 'evil.example:8025' }, false],
    ['its own page', 'POST', { host, origin: 'http://localhost:8025' }, true],
    ['its own page over TLS', 'POST', { host, origin: 'https://localhost:8025' }, true],
    ['a page of another port', 'POST', { host, origin: 'http://localhost:3000' }, false],
    ['a page in a sandbox', 'POST', { host, origin: 'null' }, false],
    [
      'a page that follows a link, with its origin',
      'GET',
      { host, origin: 'null', ...link },
      false,
    ],
    ['what the browser calls its own', 'POST', { host, 'sec-fetch-site': 'same-origin' }, true],
    ['what a person typed', 'GET', { host, 'sec-fetch-site': 'none' }, true],
    ['a link that is followed', 'GET', { host, ...link }, true],
    ['a form that is sent', 'POST', { host, ...link }, false],
    ['an image of another page', 'GET', { host, ...link, 'sec-fetch-mode': 'no-cors' }, false],
  ]
  for (const [sentence, method, headers, letIn] of rows) {
    it(`${letIn ? 'lets in' : 'refuses'} ${sentence}, whoever came before`, () => {
      for (const before of [{}, { host }, headers]) {
        isLetIn('GET', before)
        assert.equal(isLetIn(method, headers), letIn)
      }
    })
  }
})
