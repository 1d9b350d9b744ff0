/**
 * Messages that are made to cost: each is answered, whatever is in it, and what is too dear is not verified.
 */
import assert from 'node:assert/strict'
import { describe, it, type TestContext } from 'node:test'
import fc from 'fast-check'
import type { Zone } from '../helpers/dns-server.ts'
import { CLIENT, crlf, ed25519Key, rsaKey, signed, verifier } from './signing.ts'

const KEY = rsaKey()
const ED25519 = ed25519Key()
const ZONE: Zone = {
  's._domainkey.example.com': { TXT: [KEY.record] },
  'ed._domainkey.example.com': { TXT: [ED25519.record] },
}
const MIB = 1024 * 1024
const LINE = 'The quick brown fox jumps over the lazy dog, and nobody knows quite why.\n'

/** Results of DKIM. */
async function dkimOf(t: TestContext, text: string) {
  const { verify } = await verifier(t, ZONE)
  await verify('From: a@example.com\r\n\r\n')
  const { results, failure } = await verify(text, { senderIp: CLIENT, mailFrom: 'a@example.com' })
  assert.equal(failure, undefined)
  return results.dkim.map(({ result }) => result).join(' ')
}

describe('a message that is made to cost', () => {
  const signature =
    'DKIM-Signature: v=1; a=rsa-sha256; c=relaxed/relaxed; d=example.com; s=s; bh=x; b=x; h=from'
  const cases: [string, string, string][] = [
    [
      'of a field of 30,000 lines is not verified',
      `${signature}\nX-Long: x\n${' x\n'.repeat(30_000)}From: a@example.com\n\nHello\n`,
      'neutral',
    ],
    [
      'of a header of 400 KB is not verified',
      `${signature}\nX-Long: ${'x'.repeat(400_000)}\nFrom: a@example.com\n\nHello\n`,
      'neutral',
    ],
    [
      'of a signature over 60,000 names is not verified',
      `${signature}${':x'.repeat(60_000)}\nFrom: a@example.com\n\nHello\n`,
      'none',
    ],
    [
      'of 500 signatures has eight verified',
      `${`${signature}\n`.repeat(500)}From: a@example.com\n\nHello\n`,
      'fail fail fail fail fail fail fail fail',
    ],
    [
      'of a line of 20 MB is not verified',
      `${signature}\nFrom: a@example.com\n\n${'x'.repeat(20 * MIB)}\n`,
      'neutral',
    ],
    [
      'of 10 MB of blanks is verified in time',
      `${signature}\nFrom: a@example.com\n\n${`${' \t'.repeat(500_000)}\n`.repeat(10)}`,
      'fail',
    ],
    [
      'of lengths by the dozen (l=) has three hash a large body',
      `${Array.from({ length: 12 }, (_, at) => `${signature}; l=${at}\n`).join('')}From: a@example.com\n\n${LINE.repeat(150_000)}`,
      'fail fail fail',
    ],
  ]
  for (const [name, text, expected] of cases) {
    it(name, async (t) => {
      assert.equal(await dkimOf(t, crlf(text)), expected)
    })
  }
})

describe('any bytes at all', () => {
  it('end in results and in no failure', async (t) => {
    const { verify } = await verifier(t, ZONE)
    const good = await signed('From: a@example.com\nTo: b@example.org\n\nHello\n', {
      key: ED25519,
      domain: 'example.com',
      selector: 'ed',
    })
    const cut = fc.record({
      at: fc.nat(good.length),
      remove: fc.nat(40),
      add: fc.string({ unit: 'binary', maxLength: 20 }),
    })
    await fc.assert(
      fc.asyncProperty(fc.array(cut, { minLength: 1, maxLength: 3 }), async (cuts) => {
        let text = good
        for (const { at, remove, add } of cuts)
          text = text.slice(0, at) + Buffer.from(add).toString('latin1') + text.slice(at + remove)
        const { failure } = await verify(text)
        assert.equal(failure, undefined)
      }),
      { numRuns: 300 },
    )
  })
})
