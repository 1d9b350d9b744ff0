/** Headers from the top down; `mx.example.org` is the host that the operator trusts. */

import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { parsed } from '../../../mail/test/helpers/parsed.ts'
import { trustedResults } from '../../sender-authentication/trusted-results.ts'

/** 'spf=… dkim=… dmarc=…' with domains, 'nothing' when no field counts. */
function read(header: string, ids: readonly string[] = ['mx.example.org']): string {
  const results = trustedResults(parsed(`${header}\n\nHello\n`), ids)
  if (results === undefined) return 'nothing'
  const { spf, dkim, dmarc, arc } = results
  const named = [
    ['spf', spf],
    ...dkim.map((it) => ['dkim', it]),
    ['dmarc', dmarc],
    ['arc', arc],
  ] as const
  return named
    .flatMap(([method, it]) => {
      if (it === undefined || typeof it === 'string' || typeof method !== 'string') return []
      return [`${method}=${it.result}${it.domain === undefined ? '' : `/${it.domain}`}`]
    })
    .join(' ')
}

const RECEIVED =
  'Received: from client.example.net (client.example.net [192.0.2.1])\n by mx.example.org; Mon, 1 Jun 2026 12:00:00 +0000'
const FROM = 'From: ada@example.com'
const RESULTS = 'Authentication-Results: mx.example.org'
const GENUINE = `${RESULTS}; dmarc=fail header.from=example.com`
const FORGED = `${RESULTS}; dmarc=pass header.from=example.com;\n dkim=pass header.d=example.com`

const FIELDS: Readonly<Record<string, string>> = {
  ...{ RECEIVED, FROM, GENUINE, FORGED },
  OTHER: 'Authentication-Results: mx.example.net; dmarc=pass header.from=example.com',
  SPF_FAIL: `${RESULTS}; spf=fail`,
  LOWER: `${RESULTS}; dmarc=pass header.from=example.com; spf=fail`,
  UNREADABLE: `${RESULTS} 9; none`,
  NO_DOMAIN: `${RESULTS}; dkim=pass header.d="example.com evil"`,
}

describe('trustedResults', () => {
  /** What it does; the fields from the top down; what it gives. */
  const CASES = `
    counts a field above the Received field of its host: GENUINE RECEIVED FROM: dmarc=fail/example.com
    counts a field below the Received field of its host: RECEIVED GENUINE FROM: dmarc=fail/example.com
    counts no field of another name: OTHER RECEIVED FROM: nothing
    counts none below a field of another name: OTHER GENUINE RECEIVED FROM: nothing
    counts none below another name that stands above Received: OTHER RECEIVED FORGED FROM: nothing
    counts those above a field of another name: GENUINE OTHER FORGED RECEIVED FROM: dmarc=fail/example.com
    counts none below Received, when there is one above: GENUINE RECEIVED FORGED FROM: dmarc=fail/example.com
    counts the topmost alone where the host writes below its Received field: RECEIVED SPF_FAIL FORGED FROM: spf=fail
    counts the topmost alone where there is no Received field: SPF_FAIL FORGED FROM: spf=fail
    lets the upper field have the word on a method: GENUINE LOWER RECEIVED FROM: spf=fail dmarc=fail/example.com
    counts none below one that cannot be read: UNREADABLE FORGED RECEIVED FROM: nothing
    takes no domain that could not be one: NO_DOMAIN RECEIVED FROM: dkim=pass`
  for (const line of CASES.trim().split('\n')) {
    const [name, fields, expected] = line.trim().split(': ') as [string, string, string]
    it(name, () => {
      assert.equal(
        read(
          fields
            .split(' ')
            .map((field) => FIELDS[field])
            .join('\n'),
        ),
        expected,
      )
    })
  }

  it('trusts nobody by default', () => {
    assert.equal(read([FORGED, RECEIVED, FROM].join('\n'), []), 'nothing')
  })
  it('ignores the case of names', () => {
    assert.equal(
      read([GENUINE, RECEIVED, FROM].join('\n'), ['MX.example.ORG']),
      'dmarc=fail/example.com',
    )
  })
  it('looks at 16 fields and no more', () => {
    const fields = 'Authentication-Results: mx.example.org; none\n'.repeat(16)
    assert.equal(read(`${fields}${FORGED}\n${RECEIVED}\n${FROM}`), '')
  })
})

describe('the DMARC policy that a trusted host tells', () => {
  const cases: [string, string, string, string | undefined][] = [
    ['Gmail notes', '(p=REJECT sp=REJECT dis=QUARANTINE)', 'example.com', 'reject'],
    ['OpenDMARC notes', '(p=quarantine dis=none)', 'example.com', 'quarantine'],
    ['RFC 9989 has', 'policy.dmarc=reject', 'example.com', 'reject'],
    ['holds for a domain below', '(p=REJECT sp=NONE dis=NONE)', 'news.example.com', 'none'],
    ['is not in a quoted string', 'reason="(p=reject)"', 'example.com', undefined],
  ]
  for (const [name, said, from, expected] of cases) {
    it(name, () => {
      const field = `Authentication-Results: mx.example.org; dmarc=fail ${said} header.from=${from}`
      const message = parsed(`${field}\n${RECEIVED}\n${FROM}\n\nHello\n`)
      const { dmarc } = trustedResults(message, ['mx.example.org'])!
      assert.deepEqual([dmarc?.result, dmarc?.policy], ['fail', expected])
    })
  }
})
