/**
 * What checks say of the domain in From, and which failures the way explains. The results are those that the
 * trusted host `mx.example.org` wrote; From is at example.com.
 */
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { memoryOctets } from '../../../mail/message/octets.ts'
import { authenticateSender } from '../../sender-authentication/sender-authentication.ts'
import { crlf, RECEIVED_AT } from './signing.ts'

const RECEIVED =
  'Received: from mail.example.net ([192.0.2.1]) by mx.example.org; Mon, 1 Jun 2026 12:00:00 +0000\n'

interface Arrived {
  readonly fields?: string
  readonly mailFrom?: string
  readonly trusted?: readonly string[]
}

/** 'failed reject', 'unknown list', 'passed'. */
async function found(results: string, { fields = '', mailFrom, trusted = [] }: Arrived = {}) {
  const text = `Authentication-Results: mx.example.org; ${results}\n${RECEIVED}${fields}From: Ada <ada@example.com>\n\nHello\n`
  const delivery = { now: RECEIVED_AT, ...(mailFrom !== undefined && { mailFrom }) }
  const sender = await authenticateSender(memoryOctets(Buffer.from(crlf(text))), delivery, {
    authservIds: ['mx.example.org', ...trusted],
    resolver: undefined,
    timeoutMs: 1_000,
  })
  return Object.values(sender.finding).join(' ')
}

const FAILED = 'dmarc=fail (p=reject) header.from=example.com'
const SIGNATURE = 'DKIM-Signature: v=1; d=example.com; s=s; bh=AAAA; b=AAAA\n'

describe('the sender', () => {
  /** What it does; what the trusted host found; the finding. */
  const CASES = `
    passes by DMARC | dmarc=pass (p=reject) header.from=example.com | passed
    passes without a record by an aligned signature | dmarc=none; dkim=pass header.d=mail.example.com | passed
    fails by DMARC, under the policy | ${FAILED} | failed reject
    fails by SPF alone where the domain has no record | dmarc=none; dkim=none; spf=fail smtp.mailfrom=a@example.com | failed
    does not fail by SPF where a signature may hold | dmarc=none; dkim=temperror header.d=example.com; spf=fail smtp.mailfrom=a@example.com | unknown
    is unknown where nothing was found | dmarc=temperror; dkim=none | unknown`
  for (const line of CASES.trim().split('\n')) {
    const [name, results, expected] = line.trim().split(' | ') as [string, string, string]
    it(name, async () => assert.equal(await found(results), expected))
  }

  it('does not fail by SPF where nobody looked at its signature', async () => {
    const results = 'spf=fail smtp.mailfrom=a@example.com'
    assert.equal(await found(results, { fields: SIGNATURE }), 'unknown')
  })
})

describe('a failure on the way of a mailing list', () => {
  const LIST = { fields: 'List-Id: Lunch <lunch.lists.example.net>\n' }

  it('is excused by a signature of the list that holds', async () => {
    assert.equal(
      await found(
        `${FAILED}; dkim=fail header.d=example.com; dkim=pass header.d=example.net`,
        LIST,
      ),
      'unknown list',
    )
  })
  it('counts where the list signs nothing, or its signature does not hold', async () => {
    assert.equal(await found(FAILED, LIST), 'failed reject')
    assert.equal(await found(`${FAILED}; dkim=fail header.d=example.net`, LIST), 'failed reject')
  })
  it('counts where no list is named', async () => {
    assert.equal(await found(`${FAILED}; dkim=pass header.d=example.net`), 'failed reject')
  })
})

describe('a failure on the way of a forwarder', () => {
  const REWRITTEN = 'SRS0=hash=XY=example.com=ada@forward.example'
  const PASSES = `${FAILED}; spf=pass smtp.mailfrom=x@forward.example`

  it('is excused where SPF knows the forwarder, and the envelope was of the domain in From', async () => {
    assert.equal(await found(PASSES, { mailFrom: REWRITTEN }), 'unknown forwarded')
    const twice = 'SRS1=hash=first.example==hash=XY=bounce.example.com=ada@forward.example'
    assert.equal(await found(PASSES, { mailFrom: twice }), 'unknown forwarded')
  })
  it('counts where the envelope was of somebody else', async () => {
    const other = 'SRS0=hash=XY=example.net=ada@forward.example'
    assert.equal(await found(PASSES, { mailFrom: other }), 'failed reject')
    assert.equal(await found(PASSES, { mailFrom: 'x@forward.example' }), 'failed reject')
  })
})

describe('a failure of a message that was sealed', () => {
  const SEALED = `${FAILED}; arc=pass header.d=example.net`
  const set = (instance: number, results: string) =>
    `ARC-Authentication-Results: i=${instance}; mx.example.net; ${results}\n`
  const passed = set(1, 'dmarc=pass header.from=example.com')

  it('is excused where the sealer is trusted and saw it pass', async () => {
    const arrived = { fields: passed, trusted: ['mx.example.net'] }
    assert.equal(await found(SEALED, arrived), 'unknown sealed')
  })
  it('counts where the sealer is not trusted', async () => {
    assert.equal(await found(SEALED, { fields: passed }), 'failed reject')
  })
  it('counts where only an earlier sealer says that it passed', async () => {
    const fields = set(2, 'dmarc=fail header.from=example.com; arc=pass') + passed
    const arrived = { fields, trusted: ['mx.example.net'] }
    assert.equal(await found(SEALED, arrived), 'failed reject')
  })
})
