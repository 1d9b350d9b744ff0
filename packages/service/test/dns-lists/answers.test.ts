import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { readAnswer } from '../../dns-lists/dns-lists.ts'
import { type DnsList, presetLists } from '../../dns-lists/settings.ts'

const [ZEN, DBL] = presetLists('spamhaus') as [DnsList, DnsList]
const [SURBL] = presetLists('surbl') as [DnsList]
const [URIBL] = presetLists('uribl') as [DnsList]

describe('readAnswer', () => {
  it('has the weightiest of several codes', () => {
    const { hit } = readAnswer(ZEN, '192.0.2.1', ['127.0.0.10', '127.0.0.4'])
    assert.deepEqual(hit, {
      listed: '192.0.2.1',
      meaning: 'infected or abused machine',
      logOdds: 3,
    })
  })
  it('reads the bits of the last number where a list has bits', () => {
    assert.equal(readAnswer(SURBL, 'example.com', ['127.0.0.80']).hit?.meaning, 'malware')
    assert.equal(readAnswer(SURBL, 'example.com', ['127.0.0.64']).hit?.meaning, 'spam')
    assert.equal(readAnswer(URIBL, 'example.com', ['127.0.0.2']).hit?.logOdds, 4)
  })

  for (const [list, address] of [
    [ZEN, '127.255.255.252'],
    [ZEN, '127.255.255.254'],
    [DBL, '127.255.255.255'],
    [SURBL, '127.0.0.1'],
    [URIBL, '127.0.0.1'],
  ] as const) {
    it(`takes ${address} of ${list.name} for a refusal`, () => {
      assert.deepEqual(readAnswer(list, 'example.com', [address]), { failure: 'REFUSED', address })
    })
  }

  it('takes an address outside 127.0.0.0/8 for that of a server which is no list', () => {
    const answer = ['127.0.1.2', '192.0.2.80']
    assert.deepEqual(readAnswer(DBL, 'example.com', answer), {
      failure: 'NOT_A_LIST',
      address: '192.0.2.80',
    })
  })
  it('makes nothing of a code that the list does not have', () => {
    assert.deepEqual(readAnswer(DBL, 'example.com', ['127.0.1.255']), {
      failure: 'UNKNOWN_CODE',
      address: '127.0.1.255',
    })
  })
})
