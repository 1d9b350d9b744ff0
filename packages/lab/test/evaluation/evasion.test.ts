/** Tricks played with one message that is written here. */
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { memoryOctets } from '../../../mail/message/octets.ts'
import { parseMessage } from '../../../mail/message/parse.ts'
import { combinations, combined } from '../../evaluation/evasion/combinations.ts'
import type { Judged, SpamSource } from '../../evaluation/evasion/evaluate-evasion.ts'
import { InnocentText } from '../../evaluation/evasion/evaluate-evasion.ts'
import { type Letter, letterOf, plainText } from '../../evaluation/evasion/letter.ts'
import { severalLosses, trickLosses } from '../../evaluation/evasion/report.ts'
import { TRICKS, UNTRICKED } from '../../evaluation/evasion/tricks.ts'

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

describe('a message put together without a trick', () => {
  it('says what it said', () => {
    for (const { name, play } of UNTRICKED) {
      const { texts } = parseMessage(memoryOctets(play(letter())))
      assert.equal(texts.length, name === 'as both' ? 2 : 1)
      for (const { visible, html } of texts) {
        assert.equal(visible.trim(), html ? letter().text : plainText(letter()), name)
      }
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
      combined: [],
    }
    assert.equal(trickLosses([source])[0]?.loss, 0.5)
  })
})

describe('several tricks with one message', () => {
  const trick = (name: string) => TRICKS.find((it) => it.name === name)!
  const textsOf = (bytes: Buffer) => {
    const { texts } = parseMessage(memoryOctets(bytes))
    return texts.map(({ visible }) => visible).join('\n')
  }

  it('are each played with what the one before makes of it', () => {
    const tricks = [trick('digits for letters'), trick('a long signature')]
    const text = textsOf(combined(tricks).play(letter())!)
    assert.match(text, /w1nn3r/)
    assert.match(text, /-- \n.*committee/s)
  })
  it('are as many as are asked for, each once, the same each time', () => {
    for (const size of [2, 3]) {
      const names = combinations(size, 20, 1).map(({ name }) => name)
      assert.equal(new Set(names).size, 20)
      assert.deepEqual(
        combinations(size, 20, 1).map(({ name }) => name),
        names,
      )
      assert.notDeepEqual(
        combinations(size, 20, 2).map(({ name }) => name),
        names,
      )
    }
  })
  it('are not those of which the second undoes the first, or hides the spam from itself', () => {
    const pairs = combinations(2, 400, 3)
    const firsts = new Set(pairs.map(({ tricks }) => tricks[0]!.name))
    for (const name of [
      'UTF-7',
      'in yEnc',
      'in an attached page',
      'after a thousand empty parts',
    ]) {
      assert.ok(!firsts.has(name), name)
    }
    assert.ok(firsts.has('digits for letters') && firsts.has('an answer that quotes nothing'))
  })
  it('lose what is caught of the same letters as received', () => {
    const judged = (...caught: boolean[]) =>
      caught.map((isSpam) => ({
        isSpam,
        wholeIsSpam: isSpam,
        escalated: false,
      }))
    const played = (name: string, ...caught: boolean[]) => ({
      name,
      judged: judged(...caught),
      asReceived: judged(true, true),
    })
    const source: SpamSource = {
      source: 'household_2025',
      models: 'shipped',
      asReceived: judged(true, true),
      tricks: TRICKS.map(({ name }) => ({
        name,
        judged: judged(true, true),
      })),
      combined: [{ size: 2, played: [played('a + b', true, true), played('c + d', true, false)] }],
    }
    const [one, two] = severalLosses([source])
    assert.deepEqual([one?.meanLoss, one?.worstLoss], [0, 0])
    assert.deepEqual(two, {
      tricks: 2,
      combinations: 2,
      meanLoss: 0.25,
      worstLoss: 0.5,
      worst: 'c + d',
    })
  })
})
