/** What corrections do to mail that is unlike the corrected: the frames it is measured on, and how it is counted. */
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { readCanary, readModels } from '../../../artifact-files/artifact-files.ts'
import { PersonalTraining } from '../../../mail/learning/personal-training.ts'
import {
  effectOf,
  frameEffects,
  linesOf,
  unlikeMessages,
} from '../../evaluation/memory/after-corrections.ts'
import { frameFrom, readFrames } from '../../evaluation/memory/frames.ts'
import { shippedPolicy } from '../../evaluation/outcome.ts'

const models = await readModels()
const judges = { models, training: new PersonalTraining(models, await readCanary(models)) }

it('a frame gives a message for each block of values, with its label and its sender', () => {
  const { kind, messages } = frameFrom(`kind: quoted reply
=====
From: {from}

{text}
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
`)
  assert.equal(kind, 'quoted reply')
  assert.deepEqual(
    messages.map(({ spam, authentication }) => ({ spam, authentication })),
    [
      { spam: true, authentication: { result: 'unknown' } },
      { spam: false, authentication: { result: 'pass', domain: 'sender.example' } },
    ],
  )
  const text = Buffer.from(messages[0]!.bytes).toString()
  assert.match(text, /^From: Eve <eve@other\.example>\r$/m)
  assert.ok(text.endsWith('loans\r\n> I am looking for a kayak\r\n> with a spray deck.\r\n'))
})

it('the frames of the report pair spam and ham of each kind', async () => {
  const effects = await frameEffects(readFrames(), judges)
  assert.equal(effects.length, 13)
  for (const { kind, pairs } of effects) assert.ok(pairs >= 4, kind)
})

describe('the effect of corrections', async () => {
  const sample = ([spam, text]: readonly [boolean, string], i: number) => ({
    source: 'letters',
    id: String(i),
    spam,
    messageClass: undefined,
    bytes: Buffer.from(`From: a@${i}.example\r\nSubject: Note ${i}\r\n\r\n${text}\r\n`),
  })
  const texts: readonly (readonly [boolean, string])[] = [
    [false, 'The choir rehearses in the small hall this week, bring the green folder.'],
    [true, 'Buy cheap pills now at http://pills.example, free shipping, no prescription!'],
    [false, 'Thank you for the seedlings, half of them are already in the ground.'],
    [true, 'You have won 1,000,000 USD. Send your bank details to claim the prize.'],
  ]
  const mail = await unlikeMessages(texts.map(sample), judges)

  it('counts all mail but that of the corrected senders', () => {
    const { spam, ham } = effectOf([mail[0]!], mail, judges, shippedPolicy(models))
    assert.deepEqual({ spam, ham }, { spam: 2, ham: 1 })
  })

  it('is measured for no user who would have too little to correct', () => {
    const lines = new Map(linesOf(mail, judges).map(({ name, users }) => [name, users]))
    assert.equal(lines.get('one "not spam" of any ham'), 20)
    assert.equal(lines.get('twenty "not spam"'), undefined)
  })
})
