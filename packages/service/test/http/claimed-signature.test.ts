/** A signature that a message claims of its sender, told by the trusted field of the receiving server whether it holds. */
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { buildOnce, post } from './service.ts'

const RECEIVED =
  'Received: from mail.example.net ([192.0.2.66]) by mx.example.org; Fri, 20 Nov 2026 18:00:01 +0000\n'

const SIGNATURE =
  'DKIM-Signature: v=1; a=rsa-sha256; d=example.com; s=s; h=from:to:subject; bh=AAAA; b=AAAA\n'

const MESSAGE = `From: Example <service@example.com>
To: ada@example.org
Subject: Your statement for October
Date: Fri, 20 Nov 2026 18:00:00 +0000
Message-ID: <statement-10@example.com>

Dear Ada, your statement for October is ready.
`

interface Explained {
  readonly result: { readonly spamProbability: number }
  readonly explanation: {
    readonly for: readonly { readonly kind: string }[]
  }
}

describe('a signature of the domain in From', () => {
  const app = buildOnce({ config: { trustedAuthservIds: ['mx.example.org'] } })

  const explained = async (field: string): Promise<Explained> => {
    const message = `${field}${RECEIVED}${SIGNATURE}${MESSAGE}`.replaceAll('\n', '\r\n')
    const { statusCode, body } = await post(app(), '/classify/diagnostic-stream', message)
    assert.equal(statusCode, 200, body)
    return JSON.parse(body) as Explained
  }

  it('is believed while nobody has checked it', async () => {
    const unchecked = await explained('')
    const holds = await explained(
      'Authentication-Results: mx.example.org; dkim=pass header.d=example.com\n',
    )
    assert.equal(unchecked.result.spamProbability, holds.result.spamProbability)
  })

  it('counts as missing where it does not hold, and the explanation says so', async () => {
    const unchecked = await explained('')
    const failed = await explained(
      'Authentication-Results: mx.example.org; dkim=fail header.d=example.com\n',
    )
    assert.ok(failed.result.spamProbability > unchecked.result.spamProbability)
    assert.ok(failed.explanation.for.some(({ kind }) => kind === 'signature'))
    assert.ok(!unchecked.explanation.for.some(({ kind }) => kind === 'signature'))
  })
})
