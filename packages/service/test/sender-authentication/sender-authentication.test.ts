/** The one answer, and what it makes of spoofs that are no plain failure of DMARC (http/spoof.test.ts has all); `example.com` is the brand. */
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { memoryOctets } from '../../../mail/message/octets.ts'
import type { SenderAuthentication } from '../../../mail/personalization/rules.ts'
import {
  type AuthenticatedSender,
  type AuthenticationSettings,
  authenticateSender,
} from '../../sender-authentication/sender-authentication.ts'
import type { Delivery } from '../../sender-authentication/verify.ts'
import { crlf, RECEIVED_AT } from './signing.ts'

const IDS = ['mx.example.org']
const RECEIVED =
  'Received: from mail.example.net ([192.0.2.1]) by mx.example.org; Mon, 1 Jun 2026 12:00:00 +0000\n'

function authenticate(
  text: string,
  settings: Partial<AuthenticationSettings>,
  delivery: Partial<Delivery> = {},
): Promise<AuthenticatedSender> {
  return authenticateSender(
    memoryOctets(Buffer.from(crlf(text), 'latin1')),
    { now: RECEIVED_AT, ...delivery },
    { authservIds: [], resolver: undefined, timeoutMs: 2_000, ...settings },
  )
}

/** 'pass example.com', 'fail' or 'unknown'. */
function told(sender: SenderAuthentication): string {
  return sender.result === 'pass' ? `pass ${sender.domain}` : sender.result
}

describe('by the fields of a trusted host', () => {
  /** What it does; what the field says; the domain in From; the answer. */
  const CASES = `
    passes by DMARC | dmarc=pass header.from=example.com | example.com | pass example.com
    fails by DMARC | dmarc=fail header.from=example.com; dkim=pass header.d=example.com | example.com | fail
    does not pass by DMARC of another domain | dmarc=pass header.from=example.net | example.com | unknown
    passes without a record by an aligned signature | dmarc=none; dkim=pass header.d=mail.example.com | news.example.com | pass news.example.com
    passes without a record by an aligned envelope | dmarc=none; spf=pass smtp.mailfrom=a@bounce.example.com | example.com | pass example.com
    does not pass without a record by a third party | dmarc=none; dkim=pass header.d=example.net | example.com | unknown
    does not fail without a record by SPF, which fails with every forwarded message | dmarc=none; spf=fail smtp.mailfrom=a@example.com | example.com | unknown
    does not pass without DMARC by a domain of the same organisation | dkim=pass header.d=mail.example.com | example.com | unknown
    does not pass by ARC | arc=pass header.d=example.com | example.com | unknown`
  for (const line of CASES.trim().split('\n')) {
    const [name, results, from, expected] = line.trim().split(' | ') as [
      string,
      string,
      string,
      string,
    ]
    it(name, async () => {
      const text = `Authentication-Results: mx.example.org; ${results}\n${RECEIVED}From: a@${from}\n\nHello\n`
      const sender = await authenticate(text, { authservIds: IDS })
      assert.equal(told(sender), expected)
      assert.equal(sender.details.source, 'trusted field')
    })
  }

  it('is unknown when nobody is trusted and nobody asked', async () => {
    const sender = await authenticate(
      `Authentication-Results: mx.example.org; dmarc=pass header.from=example.com\n${RECEIVED}From: a@example.com\n\nHello\n`,
      {},
    )
    assert.deepEqual(sender, {
      result: 'unknown',
      details: { spf: undefined, dkim: [], dmarc: undefined, arc: undefined, source: 'none' },
      finding: { result: 'unknown' },
    })
  })
})
