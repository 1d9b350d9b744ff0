import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { wordsOf } from '../../../../test/words.ts'
import { questionsOf } from '../../dns-lists/dns-lists.ts'
import type { DnsList } from '../../dns-lists/settings.ts'

function list(kind: DnsList['kind']): DnsList {
  return { name: kind, zone: `${kind}.example.org`, kind, codes: new Map() }
}

function namesOf(kind: DnsList['kind'], senderIp: string | undefined) {
  const listable = { senderIp, domains: ['example.com'], addresses: ['192.0.2.66', '10.0.0.1'] }
  return questionsOf(list(kind), listable).map(({ name }) => name)
}

describe('questionsOf', () => {
  it('asks a list of addresses about the client, backwards', () => {
    assert.deepEqual(namesOf('ip', '203.0.113.7'), ['7.113.0.203.ip.example.org'])
    assert.deepEqual(namesOf('ip', undefined), [])
  })
  it('asks it about an IPv6 address digit by digit', () => {
    assert.deepEqual(namesOf('ip', '2a00:1450::1f'), [
      'f.1.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.5.4.1.0.0.a.2.ip.example.org',
    ])
    assert.deepEqual(namesOf('ip', '2a00:1450:4001:81b:1:2:3:4'), [
      '4.0.0.0.3.0.0.0.2.0.0.0.1.0.0.0.b.1.8.0.1.0.0.4.0.5.4.1.0.0.a.2.ip.example.org',
    ])
  })
  it('asks a list of URLs about domains and public addresses', () => {
    assert.deepEqual(namesOf('url', '203.0.113.7'), [
      'example.com.url.example.org',
      '66.2.0.192.url.example.org',
    ])
  })
  for (const address of wordsOf(`
    127.0.0.1 10.1.2.3 100.64.0.1 169.254.1.1 172.16.0.1 192.168.1.1 198.18.0.1 224.0.0.251
    255.255.255.255 ::1 fd00::1 fe80::1 ff02::1
  `)) {
    it(`asks nothing about ${address}`, () => {
      assert.deepEqual(namesOf('ip', address), [])
    })
  }
})
