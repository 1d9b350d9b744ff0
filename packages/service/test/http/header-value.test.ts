/** What a message says, where it goes into a header field: by itself, and through every integration. */
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { ReasonsResult } from '../../../client/client.ts'
import { asciiHeaderValue, headerValue } from '../../http/header-value.ts'
import { fieldsFor } from '../../integrations/milter/fields.ts'
import { markedMessage } from '../../integrations/spamd/marked-message.ts'
import { reportOf } from '../../integrations/spamd/report.ts'
import { ask as askSpamd, openSpamd, request as spamdRequest } from '../integrations/spamd/spamd.ts'
import { build, listen } from './service.ts'

/** Everything that a program may take for the end of a line, and NUL. */
const LINE_ENDS = ['\r\n', '\n', '\r', '\0', '\v', '\f', '\x1c', '\x85', '\u2028', '\u2029']

const CONTROL = /[\p{Cc}\u2028\u2029]/u

/** Words that would be a field of their own, were a line to end before them. */
const FIELD = 'Bcc: eve@example.com'

/** An encoded word of those, and of what is written so in other fields. */
function encoded(text: string): string {
  return `=?utf-8?B?${Buffer.from(text).toString('base64')}?=`
}

const HOSTILE = [
  `From: ${encoded(`Pharmacy\r\n${FIELD}`)} <deals@pills.example.net>`,
  'Reply-To: other@example.org',
  'To: undisclosed-recipients:;',
  `Subject: ${encoded(`Re: pills${LINE_ENDS.map((end) => end + FIELD).join('')}`)}`,
  'Date: Tue, 1 Jan 2030 12:00:00\v +0000',
  `Message-ID: <pills\v\x85@pills.example.net>`,
  'Content-Type: text/html; charset=utf-8',
  '',
  '<a href="http://192.0.2.1/&#13;&#10;Bcc:x">http://bank.example.com/&#13;&#10;Bcc: eve</a>',
  `<p>Buy${LINE_ENDS.map((end) => `${end}pills`).join('')}</p>`,
  '',
].join('\r\n')

/** All texts in `value`, names of fields included, wherever they stand. */
function textsIn(value: unknown): string[] {
  if (typeof value === 'string') return [value]
  if (typeof value !== 'object' || value === null) return []
  return Object.entries(value).flatMap(([name, each]) => [name, ...textsIn(each)])
}

describe('headerValue', () => {
  for (const end of LINE_ENDS) {
    it(`has no ${JSON.stringify(end)}`, () => {
      assert.equal(headerValue(`${end}a${end}${end}b${end}`), 'a b')
    })
  }

  it('leaves all else as it is, and mends half characters', () => {
    assert.equal(headerValue('Grüße, 漢字 \u{1f600}: a\u200db'), 'Grüße, 漢字 \u{1f600}: a\u200db')
    assert.equal(headerValue('\ud800'), '\ufffd')
  })

  it('has ASCII alone where that is wanted', () => {
    assert.equal(asciiHeaderValue('Grüße\r\nan \u{1f600}'), 'Gr??e an ?')
  })
})

describe('words of a message', () => {
  it("end no field of what Rspamd's clients are told", async (t) => {
    const { app } = await build(t, {
      config: { rspamdEndpoints: 'on', rspamdActions: ['rewrite subject=-15'], learning: 'off' },
    })
    const response = await app.inject({ method: 'POST', url: '/checkv2', payload: HOSTILE })
    const answer = response.json()
    assert.match(answer.subject, /^\*\*\* SPAM \*\*\* Re: pills Bcc: eve/)
    assert.equal(answer['message-id'], 'pills @pills.example.net')
    for (const text of textsIn(answer)) assert.doesNotMatch(text, CONTROL)
    for (const [, value] of Object.entries(response.headers))
      assert.doesNotMatch(`${value}`, CONTROL)
  })

  it("end no line of what SpamAssassin's clients are told", async (t) => {
    const { app } = await build(t, { config: { learning: 'off' } })
    const { spamd, port } = await openSpamd((await listen(app)).url)
    t.after(() => spamd.close())
    for (const command of ['CHECK', 'SYMBOLS', 'REPORT', 'HEADERS', 'PROCESS']) {
      const answer = await askSpamd(port, spamdRequest(command, HOSTILE))
      assert.doesNotMatch(answer, /^\s*Bcc:/m)
      // What follows is the message as it came.
      const [own = ''] = answer.split('From: ', 1)
      assert.doesNotMatch(own.replaceAll(/\r?\n\t?/g, ''), CONTROL)
    }
  })

  it('end no field though another service than ours should answer with them', () => {
    const name = `PILLS\r\n${FIELD}`
    const found = {
      isSpam: true,
      score: 7,
      requiredScore: 5,
      spamProbability: 0.9,
      classification: name,
      shouldEscalate: false,
      bypassReason: null,
      reasons: [{ name, points: 2, description: name, evidence: name }],
      summary: {
        messageId: name,
        senderDomain: name,
        reasons: [{ name, points: 2, description: name }],
      },
    } as unknown as ReasonsResult
    const marked = Buffer.concat(markedMessage(Buffer.from('Subject: a\n\n'), found, '1'))
    assert.doesNotMatch(marked.toString(), /^Bcc/m)
    assert.doesNotMatch(reportOf(found, '1'), /^Bcc/m)

    const judged = { kind: 'judged', verdict: 'spam', probability: 1, class: name } as const
    const fields = fieldsFor(
      {
        ...judged,
        class: name as 'primary',
        reason: undefined,
        escalate: false,
        summary: found.summary,
        usersLeft: 0,
        limited: [],
      },
      false,
      true,
    )
    for (const { body } of fields) assert.doesNotMatch(body.replaceAll(/\n[ \t]/g, ''), CONTROL)
  })
})
