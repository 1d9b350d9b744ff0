/** The allowance for keys, by a table in place of the DNS. Work is counted in keys that are given, not timed. */

import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { parsed } from '../../../mail/test/helpers/parsed.ts'
import { keysWithinWork } from '../../sender-authentication/signature-keys.ts'
import { ed25519Key, rsaRecord } from './signing.ts'

const USUAL = rsaRecord(2048, 65_537n)
/** Takes some 15 times the work of the usual key. */
const COSTLY = rsaRecord(4096, 2n ** 32n - 1n)

/** Which of the signatures `by`, 'selector domain', get their key, asked for in this order; all names have the records of their selector. */
async function given(
  by: readonly string[],
  records: Readonly<Record<string, string>>,
  authors: readonly string[] = [],
): Promise<string[]> {
  const header = by.map((signer) => {
    const [selector, domain] = signer.split(' ')
    return `DKIM-Signature: v=1; d=${domain};\r\n\ts=${selector}; b=x\r\n`
  })
  const { fields } = parsed(`${header.join('')}\r\n`)
  const resolve = async (name: string) => {
    const record = records[name.slice(0, name.indexOf('.'))]
    if (record === undefined) throw Object.assign(new Error('no key'), { code: 'ENOTFOUND' })
    return [[record.slice(0, 200), record.slice(200)]]
  }
  const keys = keysWithinWork(fields, authors, { resolve })
  const found: string[] = []
  for (const signer of new Set(by)) {
    const [selector, domain] = signer.split(' ')
    const isGiven = await keys(`${selector}._domainkey.${domain}`, 'TXT').then(
      () => true,
      () => false,
    )
    if (isGiven) found.push(signer)
  }
  return found
}

describe('keysWithinWork', () => {
  const cases: [string, string, boolean][] = [
    ['the usual key', USUAL, true],
    ['a short key with a small exponent', rsaRecord(1024, 3n), true],
    ['a key of 4,096 bits', rsaRecord(4096, 65_537n), true],
    ['one with the largest exponent', rsaRecord(4096, 2n ** 32n - 1n), true],
    ['an Ed25519 key', ed25519Key().record, true],
    ['a revoked key', 'v=DKIM1; p=', true],
    ['a key of more than 4,096 bits', rsaRecord(4104, 65_537n), false],
    ['an exponent above 2^32', rsaRecord(2048, 2n ** 32n + 1n), false],
    ['an exponent as long as the modulus', rsaRecord(3072, 2n ** 3_070n + 1n), false],
    ['such a key behind another', `${USUAL}; ${rsaRecord(3072, 2n ** 3_070n + 1n)}`, false],
  ]
  for (const [name, record, isGiven] of cases) {
    it(`${isGiven ? 'gives' : 'refuses'} ${name}`, async () => {
      assert.deepEqual(
        await given(['s example.com'], { s: record }),
        isGiven ? ['s example.com'] : [],
      )
    })
  }

  it('stops where costly keys have used up the work', async () => {
    const by = Array.from({ length: 8 }, (_, at) => `s a${at}.example`)
    assert.deepEqual(await given(by, { s: COSTLY }), by.slice(0, 2))
  })

  it('counts each signature by one key', async () => {
    assert.deepEqual(await given(['s a.example', 's a.example'], { s: COSTLY }), ['s a.example'])
    assert.deepEqual(await given(Array(8).fill('s a.example'), { s: COSTLY }), [])
  })

  it('gives the keys of the domain in From first, wherever its signature stands', async () => {
    const others = Array.from({ length: 7 }, (_, at) => `s a${at}.example`)
    const by = [...others, 's mail.example.com']
    const found = await given(by, { s: COSTLY }, ['example.com'])
    assert.deepEqual(found, ['s a0.example', 's mail.example.com'])
  })

  it('counts a name that no signature has for all of them', async () => {
    const { fields } = parsed(`${'DKIM-Signature: v=1\r\n'.repeat(8)}\r\n`)
    const keys = keysWithinWork(fields, [], { resolve: async () => [[COSTLY]] })
    await assert.rejects(keys('s._domainkey.example.com', 'TXT'), { code: 'EKEYREFUSED' })
  })
})
