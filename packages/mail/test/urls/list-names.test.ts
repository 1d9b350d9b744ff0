import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { listNames } from '../../urls/list-names.ts'
import { parsed } from '../helpers/parsed.ts'

function namesIn(text: string) {
  return listNames(parsed(text.replaceAll('\n', '\r\n')))
}

function linking(...hrefs: string[]) {
  return namesIn(`Subject: Links\n\n${hrefs.join('\n')}\n`)
}

describe('listNames', () => {
  it('gives the registered domains of From and of links, each once', () => {
    const text = `From: Ada <ada@mail.example.co.uk>

See http://www.example.com/a and https://shop.example.com/b, or http://other.example.net.
`
    assert.deepEqual(namesIn(text), {
      domains: ['example.co.uk', 'example.com', 'example.net'],
      addresses: [],
    })
  })

  it('takes an international domain in Punycode', () => {
    assert.deepEqual(namesIn('From: a@bücher.example.com\n\nHello\n').domains, ['example.com'])
    assert.deepEqual(linking('http://bücher.de/').domains, ['xn--bcher-kva.de'])
  })

  it('opens wrappers and undoes disguises', () => {
    const wrapped =
      'https://eur01.safelinks.protection.outlook.com/?url=http%3A%2F%2Fa.example.com%2F&data=x'
    assert.deepEqual(linking(wrapped, 'http://bank.example.net@b.example.org/').domains, [
      'example.com',
      'example.org',
    ])
  })

  it('gives addresses in links as four numbers, however they are written', () => {
    assert.deepEqual(linking('http://0xc0000242/', 'http://192.0.2.66/pay').addresses, [
      '192.0.2.66',
    ])
  })

  it('leaves out hosts that strangers share, and keeps what one of them owns there', () => {
    const { domains } = linking(
      'https://www.google.com/maps',
      'https://bit.ly/3xyz',
      'https://evil.weebly.com/',
      'https://weebly.com/',
      'https://someone.github.io/page',
    )
    assert.deepEqual(domains, ['evil.weebly.com', 'someone.github.io'])
  })

  it('leaves out names of local networks, and links that name no host', () => {
    const { domains, addresses } = linking('http://intranet/', 'http://nas.local/', 'http://[::1]/')
    assert.deepEqual([domains, addresses], [[], []])
    assert.deepEqual(namesIn('From: root@localhost\n\nmailto:a@example.com\n').domains, [])
  })

  it('keeps the first and the last of a thousand domains', () => {
    const { domains } = linking(...Array.from({ length: 900 }, (_, at) => `http://www.d${at}.com/`))
    assert.equal(domains.length, 12)
    assert.deepEqual(
      [domains[0], domains[5], domains[6], domains[11]],
      ['d0.com', 'd5.com', 'd894.com', 'd899.com'],
    )
  })

  it('keeps four addresses of many', () => {
    const hrefs = Array.from({ length: 200 }, (_, at) => `http://192.0.2.${at}/`)
    assert.deepEqual(linking(...hrefs).addresses, [
      '192.0.2.0',
      '192.0.2.1',
      '192.0.2.198',
      '192.0.2.199',
    ])
  })

  it('leaves out names that are too long to be asked about', () => {
    const long = Array.from({ length: 4 }, () => 'a'.repeat(50)).join('.')
    assert.deepEqual(linking(`http://${long}.com/`).domains, [])
  })

  it('finds the author behind a name of 300 KB, and asks about four authors at most', () => {
    const from = `From: ${'x '.repeat(150_000)}<a@example.com>`
    assert.deepEqual(namesIn(`${from}\n\nHello\n`).domains, ['example.com'])
    const many = Array.from({ length: 100 }, (_, at) => `a@example${at}.com`)
    assert.equal(namesIn(`From: ${many.join(', ')}\n\nHello\n`).domains.length, 4)
  })
})
