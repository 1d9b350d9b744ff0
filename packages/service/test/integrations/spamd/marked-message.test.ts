/** What stands above a message that was judged, and what no longer stands in it. */
import assert from 'node:assert/strict'
import { hostname } from 'node:os'
import { describe, it } from 'node:test'
import { type Marking, markedMessage } from '../../../integrations/spamd/marked-message.ts'

const FOUND: Marking = {
  isSpam: true,
  spamProbability: 0.99996,
  classification: 'promotions',
  textSpamScore: 0.9,
  metaSpamScore: 0.9,
  confidenceMargin: 0.03,
  entropy: 0,
  disagreement: 0,
  shouldEscalate: true,
  bypassReason: 'phishtank_match',
  senderAuthenticated: false,
  score: 11.1,
  requiredScore: 5,
  reasons: ['TAMIS_URL_FEED', 'RECIPIENTS_UNDISCLOSED', 'LINK_IP_HOST', 'DATE_IN_PAST'].map(
    (name) => ({ name, points: 1 }),
  ),
  summary: {
    messageId: 'a@example.com',
    senderDomain: 'example.com',
    reasons: [
      { name: 'LINK_IP_HOST', points: 2.04, description: 'A link leads to a bare IP address.' },
      { name: 'DATE_IN_PAST', points: -0.35, description: 'The Date is days ago.' },
    ],
  },
}

const FIELDS = [
  `X-Spam-Checker-Version: Tamis 0.1.0 on ${hostname()}`,
  'X-Spam-Flag: YES',
  'X-Spam-Level: ***********',
  'X-Spam-Status: Yes, score=11.1 required=5.0 tests=TAMIS_URL_FEED,',
  '\tRECIPIENTS_UNDISCLOSED,LINK_IP_HOST,DATE_IN_PAST autolearn=no version=0.1.0',
  'X-Tamis-Verdict: spam; probability=0.9999; reason=phishtank_match;',
  '\tescalate=yes',
  'X-Tamis-Class: promotions',
  'X-Tamis-Reasons: +2.0 LINK_IP_HOST (A link leads to a bare IP address);',
  ' -0.3 DATE_IN_PAST (The Date is days ago)',
  '',
].join('\n')

function marked(message: string, found = FOUND): string {
  const parts = markedMessage(Buffer.from(message, 'latin1'), found)
  return Buffer.concat(parts).toString('latin1')
}

describe('markedMessage', () => {
  it('takes out forged fields wherever they stand, with the lines on which they go on', () => {
    const message = [
      'X-Spam-Status: No, score=-100',
      '\ttests=NONE',
      ' autolearn=ham',
      'From: a@example.com',
      'x-TAMIS-verdict : ham',
      'X-Tamis-Reasons: -9.9 DKIM_ALIGNED (Signed)',
      ' ; -9.9 KNOWN_FROM_SIGNED (Known)',
      'Subject: X-Spam-Flag: NO',
      '\tX-Spam-Flag: NO',
      'X-Spam: no',
      'X-Spammer: stays',
      'X-SPAM-FLAG: NO',
      '',
      'X-Spam-Flag: in the body',
      '',
    ].join('\n')
    const kept = [
      'From: a@example.com',
      'Subject: X-Spam-Flag: NO',
      '\tX-Spam-Flag: NO',
      'X-Spammer: stays',
      '',
      'X-Spam-Flag: in the body',
      '',
    ].join('\n')
    assert.equal(marked(message), FIELDS + kept)
  })

  it('ends its lines as the message does', () => {
    const message = 'From: a@example.com\r\n\r\nHello\n\xff\r\n'
    assert.equal(marked(message), FIELDS.replaceAll('\n', '\r\n') + message)
  })

  it('leaves the first line of a mailbox file the first', () => {
    const first = 'From a@example.com Fri Nov 20 12:00:00 2026\n'
    assert.equal(marked(`${first}Subject: x\n\nHello\n`), `${first}${FIELDS}Subject: x\n\nHello\n`)
  })

  it('stands before a message without a header or without an end', () => {
    for (const message of ['', '\n', '\nHello', 'Subject: x', 'Subject: x\r']) {
      assert.ok(marked(message).endsWith(message))
    }
  })
})
