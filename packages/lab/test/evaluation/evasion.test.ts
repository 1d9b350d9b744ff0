/** Tricks played with one message that is written here. */
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
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

describe('a letter', () => {
  it('keeps the header as received but for what describes the body', () => {
    assert.equal(
      letter().header,
      'Received: from a.example (a.example [192.0.2.7]) by mx.example.org; Tue, 3 Jun 2025 09:00:00 +0000\r\n' +
        'From: Prize Office <prize@example.com>\r\nSubject: You have won\r\nDate: Tue, 3 Jun 2025 08:59:00 +0000\r\n',
    )
  })
  it('has the text as a reader sees it, and the markup', () => {
    assert.equal(
      letter().text,
      'You are the winner of our lottery.\nClaim your prize today & send us the fee.',
    )
    assert.match(letter().html, /<a href="http:\/\/example.net\/claim">/)
  })
  it('has as much innocent text as is asked for, without quotations', () => {
    const text = letter().innocent(200)
    assert.match(text, /^The committee has met again/)
    assert.doesNotMatch(text, /quoted/)
    assert.ok(text.length > 120 && text.length <= 200)
  })
})

describe('a trick', () => {
  it('gives the same bytes each time', () => {
    for (const { name, play } of TRICKS) {
      assert.ok(play(letter()).equals(play(letter())), name)
    }
  })
  it('gives a message with the header of the spam, or with its subject under that of a mailbox provider', () => {
    for (const { family, name, play } of TRICKS) {
      const { fields } = parseMessage(memoryOctets(play(letter())))
      assert.ok(
        fields.some(({ body }) => /prize@example\.com|You have won/.test(body)),
        name,
      )
      const isClaimed = fields.some(({ body }) => body.includes('m.hartmann.office@'))
      assert.equal(isClaimed, family === 'claimed', name)
    }
  })
})

describe('a disguise', () => {
  it('leaves the links as they are: a reader has to get there', () => {
    for (const { family, name, play } of TRICKS) {
      if (family !== 'disguised') continue
      const { links } = parseMessage(memoryOctets(play(letter())))
      assert.ok(
        links.some(({ href }) => href === 'http://example.net/claim'),
        name,
      )
    }
  })
})

describe('the loss of a trick', () => {
  const judged = (caught: number): Judged[] =>
    Array.from({ length: 10 }, (_, i) => ({
      isSpam: i < caught,
      wholeIsSpam: i < caught,
      escalated: false,
    }))

  it('counts against the message as received', () => {
    const source: SpamSource = {
      source: 'household_2025',
      models: 'shipped',
      asReceived: judged(8),
      tricks: TRICKS.map(({ name }) => ({ name, judged: judged(4) })),
    }
    assert.equal(trickLosses([source])[0]?.loss, 0.5)
  })
})
