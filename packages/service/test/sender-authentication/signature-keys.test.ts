/** Which keys are given, by a table in place of the DNS. */

import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { acceptableKeys } from '../../sender-authentication/signature-keys.ts'
import { ed25519Key, rsaRecord } from './signing.ts'

describe('acceptableKeys', () => {
  const USUAL = rsaRecord(2048, 65_537n)
  const LONG_EXPONENT = rsaRecord(3072, 2n ** 3_070n + 1n)
  const cases: [string, string, boolean][] = [
    ['the usual key', USUAL, true],
    ['a short key with a small exponent', rsaRecord(1024, 3n), true],
    ['a key of 4,096 bits', rsaRecord(4096, 65_537n), true],
    ['an Ed25519 key', ed25519Key().record, true],
    ['a revoked key', 'v=DKIM1; p=', true],
    ['a key of more than 4,096 bits', rsaRecord(4104, 65_537n), false],
    ['an exponent above 65,537', rsaRecord(2048, 65_539n), false],
    ['an exponent as long as the modulus', LONG_EXPONENT, false],
    ['such a key behind another', `${USUAL}; ${LONG_EXPONENT}`, false],
  ]
  for (const [name, record, isGiven] of cases) {
    it(`${isGiven ? 'gives' : 'refuses'} ${name}`, async () => {
      const resolve = async () => [[record.slice(0, 200), record.slice(200)]]
      const answer = acceptableKeys([], { resolve })('s._domainkey.example.com', 'TXT')
      if (isGiven) assert.deepEqual(await answer, await resolve())
      else await assert.rejects(answer, { code: 'EKEYREFUSED' })
    })
  }
})
