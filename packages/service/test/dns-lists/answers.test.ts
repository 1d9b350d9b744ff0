/** What lists are asked, and what their answers mean. */
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { wordsOf } from '../../../../test/words.ts'
import { questionsOf, readAnswer } from '../../dns-lists/dns-lists.ts'
import { type DnsList, presetLists } from '../../dns-lists/settings.ts'

const [ZEN, DBL] = presetLists('spamhaus') as [DnsList, DnsList]
const [SURBL] = presetLists('surbl') as [DnsList]
const [URIBL] = presetLists('uribl') as [DnsList]

describe('readAnswer', () => {
  const hit = (meaning: string, logOdds: number) => ({
    hit: { listed: 'example.com', meaning, logOdds },
  })
  for (const [what, list, answer, expected] of [
    [
      'the weightiest of several codes',
      ZEN,
      ['127.0.0.10', '127.0.0.4'],
      hit('infected or abused machine', 3),
    ],
    ['a refusal of Spamhaus', ZEN, ['127.255.255.252'], { failure: 'REFUSED' }],
    ['one of a public resolver', ZEN, ['127.255.255.254'], { failure: 'REFUSED' }],
    ['one of too many questions', DBL, ['127.255.255.255'], { failure: 'REFUSED' }],
    ['a refusal of SURBL', SURBL, ['127.0.0.1'], { failure: 'REFUSED' }],
    ['a refusal of URIBL', URIBL, ['127.0.0.1'], { failure: 'REFUSED' }],
    ['a server that is no list', DBL, ['192.0.2.80', '127.0.1.2'], { failure: 'NOT_A_LIST' }],
    ['a code that the list does not have', DBL, ['127.0.1.255'], { failure: 'UNKNOWN_CODE' }],
  ] as const) {
    it(`finds ${what}`, () => {
      const address = 'failure' in expected ? { address: answer[0] } : {}
      assert.deepEqual(readAnswer(list, 'example.com', answer), { ...expected, ...address })
    })
  }
  it('reads the bits of the last number where a list has bits', () => {
    assert.equal(readAnswer(SURBL, 'example.com', ['127.0.0.80']).hit?.meaning, 'malware')
    assert.equal(readAnswer(SURBL, 'example.com', ['127.0.0.64']).hit?.meaning, 'spam')
    assert.equal(readAnswer(URIBL, 'example.com', ['127.0.0.2']).hit?.logOdds, 4)
  })
})

describe('questionsOf', () => {
  const namesOf = (kind: DnsList['kind'], senderIp: string | undefined) => {
    const list: DnsList = { name: kind, zone: `${kind}.example.org`, kind, codes: new Map() }
    const listable = { senderIp, domains: ['example.com'], addresses: ['192.0.2.66', '10.0.0.1'] }
    return questionsOf(list, listable).map(({ name }) => name.replace('.example.org', ''))
  }
  it('asks a list of addresses about the client, backwards, of IPv6 digit by digit', () => {
    for (const [address, name] of [
      ['203.0.113.7', '7.113.0.203'],
      ['2a00:1450::1f', 'f.1.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.5.4.1.0.0.a.2'],
      [
        '2a00:1450:4001:81b:1:2:3:4',
        '4.0.0.0.3.0.0.0.2.0.0.0.1.0.0.0.b.1.8.0.1.0.0.4.0.5.4.1.0.0.a.2',
      ],
    ] as const) {
      assert.deepEqual(namesOf('ip', address), [`${name}.ip`])
    }
    assert.deepEqual(namesOf('ip', undefined), [])
  })
  it('asks a list of URLs about domains and public addresses', () => {
    assert.deepEqual(namesOf('url', '203.0.113.7'), ['example.com.url', '66.2.0.192.url'])
  })
  it('asks nothing about addresses of a house', () => {
    for (const address of wordsOf(`
      127.0.0.1 10.1.2.3 100.64.0.1 169.254.1.1 172.16.0.1 192.168.1.1 198.18.0.1 224.0.0.251
      255.255.255.255 ::1 fd00::1 fe80::1 ff02::1
    `)) {
      assert.deepEqual(namesOf('ip', address), [], address)
    }
  })
})
