import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { readConfig } from '../../config.ts'
import { dnsListsOf } from '../../dns-lists/settings.ts'

const OWN = {
  name: 'ours',
  zone: 'bl.example.org',
  kind: 'ip',
  codes: { '127.0.0.2': { meaning: 'sent us spam', logOdds: 2 } },
}

function fromEnvironment(text: string) {
  return dnsListsOf(readConfig({ TAMIS_DNS_LISTS: text }, () => '{}').dnsLists)
}

function fromFile(dnsLists: unknown) {
  const file = JSON.stringify({ dnsLists })
  return dnsListsOf(readConfig({ TAMIS_CONFIG: 'tamis.json' }, () => file).dnsLists)
}

describe('TAMIS_DNS_LISTS', () => {
  it('names lists that Tamis knows', () => {
    assert.deepEqual(
      fromEnvironment('spamhaus, surbl,uribl,spamcop').map(({ zone }) => zone),
      [
        'zen.spamhaus.org',
        'dbl.spamhaus.org',
        'multi.surbl.org',
        'multi.uribl.com',
        'bl.spamcop.net',
      ],
    )
  })
  it('takes the key of a customer of Spamhaus', () => {
    assert.deepEqual(
      fromEnvironment('spamhaus:AbC123').map(({ name, zone }) => `${name} ${zone}`),
      ['spamhaus-zen abc123.zen.dq.spamhaus.net', 'spamhaus-dbl abc123.dbl.dq.spamhaus.net'],
    )
  })
  it('takes lists of the operator from the file', () => {
    const [list] = fromFile([OWN])
    assert.equal(list?.zone, 'bl.example.org')
    assert.deepEqual(list?.codes.get('127.0.0.2'), { meaning: 'sent us spam', logOdds: 2 })
  })
  it('does not show a key in an error', () => {
    assert.throws(
      () => fromEnvironment('spamhaus:not-a-key'),
      (error: Error) => {
        assert.match(error.message, /^TAMIS_DNS_LISTS has a value that is not allowed/)
        assert.doesNotMatch(error.message, /not-a-key/)
        return true
      },
    )
  })
  for (const [what, lists] of [
    ['a list that Tamis does not know', ['spamhouse']],
    ['a zone that is no name', [{ ...OWN, zone: 'bl' }]],
    ['a code outside 127.0.0.0/8', [{ ...OWN, codes: { '192.0.2.1': OWN.codes['127.0.0.2'] } }]],
    ['no code', [{ ...OWN, codes: {} }]],
    ['a weight for ham', [{ ...OWN, codes: { 'bit 2': { meaning: 'good', logOdds: -1 } } }]],
    ['a weight beyond 6', [{ ...OWN, codes: { 'bit 2': { meaning: 'bad', logOdds: 7 } } }]],
    ['two lists of one name', [OWN, OWN]],
    ['nine lists', Array.from({ length: 9 }, (_, at) => ({ ...OWN, name: `ours-${at}` }))],
  ] as const) {
    it(`refuses ${what}`, () => {
      assert.throws(() => fromFile(lists), { code: 'CONFIG_INVALID' })
    })
  }
})
