/**
 * What the results of the methods, as the trusted host `mx.example.org` wrote them, say of the sender: the answer for
 * rules, and the finding for the log-odds with its excuses. http/spoof.test.ts has spoofs that are verified by DNS.
 */
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { memoryOctets } from '../../../mail/message/octets.ts'
import { trustedSender } from '../../sender-authentication/sender-authentication.ts'
import { crlf, RECEIVED_AT } from './signing.ts'

interface Arrived {
  readonly from?: string
  readonly fields?: string
  readonly mailFrom?: string
  readonly trusted?: readonly string[]
}

function authenticated(results: string, { from = 'example.com', ...arrived }: Arrived = {}) {
  const { fields = '', mailFrom, trusted = ['mx.example.org'] } = arrived
  const text = `Authentication-Results: mx.example.org; ${results}
Received: from mail.example.net ([192.0.2.1]) by mx.example.org; Mon, 1 Jun 2026 12:00:00 +0000
${fields}From: Ada <ada@${from}>\n\nHello\n`
  const delivery = { now: RECEIVED_AT, ...(mailFrom !== undefined && { mailFrom }) }
  return trustedSender(memoryOctets(Buffer.from(crlf(text))), delivery, trusted)
}

describe('the answer', () => {
  /** What it does; what the field says; the domain in From; the answer. */
  const CASES = `
    passes by DMARC | dmarc=pass header.from=example.com | example.com | pass
    fails by DMARC | dmarc=fail header.from=example.com; dkim=pass header.d=example.com | example.com | fail
    does not pass by DMARC of another domain | dmarc=pass header.from=example.net | example.com | unknown
    passes without a record by an aligned signature | dmarc=none; dkim=pass header.d=mail.example.com | news.example.com | pass
    passes without a record by an aligned envelope | dmarc=none; spf=pass smtp.mailfrom=a@bounce.example.com | example.com | pass
    does not pass without a record by a third party | dmarc=none; dkim=pass header.d=example.net | example.com | unknown
    does not fail without a record by SPF, which fails with every forwarded message | dmarc=none; spf=fail smtp.mailfrom=a@example.com | example.com | unknown
    does not pass without DMARC by a domain of the same organisation | dkim=pass header.d=mail.example.com | example.com | unknown
    does not pass by ARC | arc=pass header.d=example.com | example.com | unknown`
  for (const line of CASES.trim().split('\n')) {
    const [name = '', results = '', from = '', expected] = line.trim().split(' | ')
    it(name, () => {
      const sender = authenticated(results, { from })
      assert.deepEqual([sender.result, sender.details.source], [expected, 'trusted field'])
      if (sender.result === 'pass') assert.equal(sender.domain, from)
    })
  }

  it('is unknown when nobody is trusted and nobody asked', () => {
    const sender = authenticated('dmarc=pass header.from=example.com', { trusted: [] })
    assert.deepEqual([sender.result, sender.details.source], ['unknown', 'none'])
  })
})

describe('the finding', () => {
  const FAILED = 'dmarc=fail (p=reject) header.from=example.com'
  const LIST = 'List-Id: Lunch <lunch.lists.example.net>\n'
  const SPF_PASS = `${FAILED}; spf=pass smtp.mailfrom=x@forward.example`
  const ARC_PASS = `${FAILED}; arc=pass header.d=example.net`
  const TRUSTED = ['mx.example.org', 'mx.example.net']
  const set = (instance: number, results: string) =>
    `ARC-Authentication-Results: i=${instance}; mx.example.net; ${results}\n`
  const seen = set(1, 'dmarc=pass header.from=example.com')
  const srs = (domain: string) => ({ mailFrom: `SRS0=hash=XY=${domain}=ada@forward.example` })
  const twice = 'SRS1=hash=first.example==hash=XY=bounce.example.com=ada@forward.example'

  // biome-ignore format: a row each
  const CASES: readonly [what: string, results: string, expected: string, arrived?: Arrived][] = [
    ['passes by DMARC', 'dmarc=pass (p=reject) header.from=example.com', 'passed'],
    ['passes without a record by an aligned signature', 'dmarc=none; dkim=pass header.d=mail.example.com', 'passed'],
    ['fails by DMARC, under the policy', FAILED, 'failed reject'],
    ['fails by SPF alone where the domain has no record', 'dmarc=none; dkim=none; spf=fail smtp.mailfrom=a@example.com', 'failed'],
    ['does not fail by SPF where a signature may hold', 'dmarc=none; dkim=temperror header.d=example.com; spf=fail smtp.mailfrom=a@example.com', 'unknown'],
    ['does not fail by SPF where nobody looked at its signature', 'spf=fail smtp.mailfrom=a@example.com', 'unknown', { fields: 'DKIM-Signature: v=1; d=example.com; s=s; bh=AAAA; b=AAAA\n' }],
    ['is unknown where nothing was found', 'dmarc=temperror; dkim=none', 'unknown'],
    ['is excused by a signature of the list that holds', `${FAILED}; dkim=fail header.d=example.com; dkim=pass header.d=example.net`, 'unknown list', { fields: LIST }],
    ['fails where the list signs nothing', FAILED, 'failed reject', { fields: LIST }],
    ['fails where the signature of the list does not hold', `${FAILED}; dkim=fail header.d=example.net`, 'failed reject', { fields: LIST }],
    ['fails where no list is named', `${FAILED}; dkim=pass header.d=example.net`, 'failed reject'],
    ['is excused where SPF knows the forwarder, and the envelope was of the domain in From', SPF_PASS, 'unknown forwarded', srs('example.com')],
    ['is excused by a second forwarder', SPF_PASS, 'unknown forwarded', { mailFrom: twice }],
    ['fails where the envelope was of another domain', SPF_PASS, 'failed reject', srs('example.net')],
    ['fails where the envelope is not rewritten', SPF_PASS, 'failed reject', { mailFrom: 'x@forward.example' }],
    ['is excused where the sealer is trusted and saw it pass', ARC_PASS, 'unknown sealed', { fields: seen, trusted: TRUSTED }],
    ['fails where the sealer is not trusted', ARC_PASS, 'failed reject', { fields: seen }],
    ['fails where only an earlier sealer says that it passed', ARC_PASS, 'failed reject', { fields: set(2, 'dmarc=fail header.from=example.com; arc=pass') + seen, trusted: TRUSTED }],
  ]
  for (const [what, results, expected, arrived] of CASES) {
    it(what, () => {
      const { finding } = authenticated(results, arrived)
      assert.equal(Object.values(finding).join(' '), expected)
    })
  }
})
