/** What checks of the sender add to a verdict, as the trusted field of the receiving server tells them. */
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { buildOnce, post } from './service.ts'

const RECEIVED =
  'Received: from mail.example.net ([192.0.2.66]) by mx.example.org; Fri, 20 Nov 2026 18:00:01 +0000\n'

const MESSAGE = `From: Amazon <order-update@amazon.com>
To: ada@example.org
Subject: Your statement for October
Date: Fri, 20 Nov 2026 18:00:00 +0000
Message-ID: <statement-10@amazon.com>

Dear Ada, your statement for October is ready.
`

interface Explained {
  readonly email: { readonly authentication: { readonly dmarc?: object } | null }
  readonly explanation: {
    readonly logit: number
    readonly for: readonly object[]
    readonly against: readonly object[]
  }
}

describe('the sender of a message from a known domain', () => {
  const app = buildOnce({ config: { trustedAuthservIds: ['mx.example.org'] } })

  const explained = async (results: string): Promise<Explained> => {
    const field = results === '' ? '' : `Authentication-Results: mx.example.org; ${results}\n`
    const message = `${field}${RECEIVED}${MESSAGE}`.replaceAll('\n', '\r\n')
    const { statusCode, body } = await post(app(), '/classify/diagnostic-stream', message)
    assert.equal(statusCode, 200, body)
    return JSON.parse(body) as Explained
  }
  const near = (actual: number, expected: number) =>
    assert.ok(Math.abs(actual - expected) < 1e-9, `${actual} is not ${expected}`)

  it('that fails under a strict policy speaks for spam, and the explanation says so', async () => {
    const unchecked = await explained('')
    const failed = await explained('dmarc=fail (p=REJECT) header.from=amazon.com')
    near(failed.explanation.logit, unchecked.explanation.logit + 5)
    const term = { kind: 'sender', result: 'failed', fromDomain: 'known', logit: 5 }
    assert.ok(failed.explanation.for.some((it) => JSON.stringify(it) === JSON.stringify(term)))
    assert.deepEqual(failed.email.authentication?.dmarc, {
      result: 'fail',
      domain: 'amazon.com',
      policy: 'reject',
    })
  })

  it('that passes speaks against spam', async () => {
    const unchecked = await explained('')
    const passed = await explained('dmarc=pass (p=REJECT) header.from=amazon.com')
    near(passed.explanation.logit, unchecked.explanation.logit - 1.5)
  })

  it('that nobody has checked speaks neither way', async () => {
    const unchecked = await explained('')
    const silent = await explained('dmarc=temperror; dkim=temperror header.d=amazon.com')
    near(silent.explanation.logit, unchecked.explanation.logit)
  })
})
