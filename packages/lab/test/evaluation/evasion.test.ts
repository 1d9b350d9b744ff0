/** Tricks played with one message that is written here. */
import assert from 'node:assert/strict'
import { it } from 'node:test'
import { memoryOctets } from '../../../mail/message/octets.ts'
import { parseMessage } from '../../../mail/message/parse.ts'
import {
  InnocentText,
  type Judged,
  type SpamSource,
  trickLosses,
} from '../../evaluation/evasion/evaluate-evasion.ts'
import { type Letter, letterOf } from '../../evaluation/evasion/letter.ts'
import { TRICKS } from '../../evaluation/evasion/tricks.ts'

const SPAM =
  Buffer.from(`Received: from a.example (a.example [192.0.2.7]) by mx.example.org; Tue, 3 Jun 2025 09:00:00 +0000
From: Prize Office <prize@example.com>
Subject: You have won
Date: Tue, 3 Jun 2025 08:59:00 +0000
MIME-Version: 1.0
Content-Type: text/html;
 charset=utf-8

<html><body><p>You are the winner of our lottery.</p>
<p>Claim <a href="http://example.net/claim">your prize</a> today &amp; send us the fee.</p></body></html>
`)

const INNOCENT = {
  source: 'lists',
  id: '1',
  bytes: Buffer.from(`From: Ben <ben@example.com>
Subject: Notes

The committee has met again and talked about the roof of the old library.
> A quoted line that is left out of what innocent people have written themselves.
`),
  spam: false,
  messageClass: undefined,
}

function letter(): Letter {
  const message = parseMessage(memoryOctets(SPAM))
  return letterOf(SPAM, message, new InnocentText([INNOCENT]).from('1'), '1')!
}

it('a letter keeps its own header, text and markup, and has innocent text of others', () => {
  const { header, text, html, innocent } = letter()
  assert.equal(
    header,
    'Received: from a.example (a.example [192.0.2.7]) by mx.example.org; Tue, 3 Jun 2025 09:00:00 +0000\r\n' +
      'From: Prize Office <prize@example.com>\r\nSubject: You have won\r\nDate: Tue, 3 Jun 2025 08:59:00 +0000\r\n',
  )
  assert.equal(
    text,
    'You are the winner of our lottery.\nClaim your prize today & send us the fee.',
  )
  assert.match(html, /<a href="http:\/\/example.net\/claim">/)
  // Without quotations.
  assert.match(innocent(200), /^(?:The committee has met again[^>]*)$/)
  assert.ok(innocent(200).length > 120 && innocent(200).length <= 200)
})

it('every trick gives the same bytes each time, with the header or the subject of the spam', () => {
  for (const { family, name, play } of TRICKS) {
    const bytes = play(letter())
    assert.ok(bytes.equals(play(letter())), name)
    const { fields, links } = parseMessage(memoryOctets(bytes))
    const bodies = fields.map(({ body }) => body).join('\n')
    assert.match(bodies, /prize@example\.com|You have won/, name)
    assert.equal(bodies.includes('m.hartmann.office@'), family === 'claimed', name)
    // A reader has to get there.
    const isLinked = links.some(({ href }) => href === 'http://example.net/claim')
    if (family === 'disguised') assert.ok(isLinked, name)
  }
})

it('the loss of a trick counts against the message as received', () => {
  const judged = (caught: number): Judged[] =>
    Array.from({ length: 10 }, (_, i) => {
      return { isSpam: i < caught, wholeIsSpam: i < caught, escalated: false }
    })
  const source: SpamSource = {
    source: 'household_2025',
    models: 'shipped',
    asReceived: judged(8),
    tricks: TRICKS.map(() => judged(4)),
  }
  assert.equal(trickLosses([source])[0]?.loss, 0.5)
})
