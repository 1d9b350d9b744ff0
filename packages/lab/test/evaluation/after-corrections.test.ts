/** What corrections do to mail that is unlike the corrected: the frames it is measured on, and how it is counted. */
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { readCanary, readModels } from '../../../artifact-files/artifact-files.ts'
import { PersonalTraining } from '../../../mail/learning/personal-training.ts'
import {
  effectOf,
  frameEffects,
  type Judges,
  linesOf,
  unlikeMessages,
} from '../../evaluation/memory/after-corrections.ts'
import { frameFrom, readFrames } from '../../evaluation/memory/frames.ts'
import { shippedPolicy } from '../../evaluation/outcome.ts'

const FILE = `kind: quoted reply
=====
From: {from}
Subject: Re: Kayak

{text}

On Wed, Ines wrote:
{quote}
=====
label: spam
from: Eve <eve@other.example>
text: Cheap loans
quote: > I am looking for a kayak
  > with a spray deck.
=====
label: ham
from: Marta <marta@sender.example>
text: Mine is red.
quote: > I am looking for a kayak
authenticated: sender.example
`

const models = await readModels()
const judges: Judges = {
  models,
  training: new PersonalTraining(models, await readCanary(models)),
}

describe('a file of a frame', () => {
  const { kind, messages } = frameFrom(FILE)

  it('gives a message for each block of values, with its label and what is known of its sender', () => {
    assert.equal(kind, 'quoted reply')
    assert.deepEqual(
      messages.map(({ spam, authentication }) => ({ spam, authentication })),
      [
        { spam: true, authentication: { result: 'unknown' } },
        { spam: false, authentication: { result: 'pass', domain: 'sender.example' } },
      ],
    )
  })

  it('fills the places of the frame, values of several lines too', () => {
    const text = Buffer.from(messages[0]!.bytes).toString()
    assert.match(text, /^From: Eve <eve@other\.example>\r$/m)
    assert.ok(text.endsWith('wrote:\r\n> I am looking for a kayak\r\n> with a spray deck.\r\n'))
  })
})

describe('the frames of the report', () => {
  it('have at least two spam and two ham messages of each kind, of which all have a verdict', async () => {
    const kinds = Map.groupBy(readFrames(), ({ kind }) => kind)
    assert.equal(kinds.size, 13)
    for (const [kind, frames] of kinds) {
      const messages = frames.flatMap((frame) => frame.messages)
      assert.ok(messages.filter(({ spam }) => spam).length >= 2, kind)
      assert.ok(messages.filter(({ spam }) => !spam).length >= 2, kind)
    }
    const effects = await frameEffects(readFrames(), judges)
    assert.deepEqual(
      effects.map(({ kind }) => kind),
      [...kinds.keys()],
    )
    for (const { pairs } of effects) assert.ok(pairs >= 4)
  })
})

describe('the effect of corrections', async () => {
  const letter = (i: number, spam: boolean, text: string) => ({
    source: 'letters',
    id: String(i),
    spam,
    messageClass: undefined,
    bytes: Buffer.from(
      `From: a@${i}.example\r\nTo: b@reader.example\r\nSubject: Note ${i}\r\n\r\n${text}\r\n`,
    ),
  })
  const mail = await unlikeMessages(
    [
      letter(1, false, 'The choir rehearses in the small hall this week, bring the green folder.'),
      letter(
        2,
        true,
        'Buy cheap pills now at http://pills.example, free shipping, no prescription!',
      ),
      letter(3, false, 'Thank you for the seedlings, half of them are already in the ground.'),
      letter(4, true, 'You have won 1,000,000 USD. Send your bank details to claim the prize.'),
    ],
    judges,
  )

  it('counts all mail but that of the corrected senders', () => {
    const { spam, ham } = effectOf([mail[0]!], mail, judges, shippedPolicy(models))
    assert.deepEqual({ spam, ham }, { spam: 2, ham: 1 })
  })

  it('is measured for no user who would have too little to correct', () => {
    const lines = new Map(linesOf(mail, judges).map(({ name, effects }) => [name, effects.length]))
    assert.equal(lines.get('one "not spam" of any ham'), 20)
    assert.equal(lines.get('twenty "not spam"'), 0)
  })
})
