/** Streams of messages made of a few words, and TREC's measures worked by hand. */
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { emptyModels } from '../../../mail/models/models.ts'
import { NO_META, words } from '../../../mail/test/learning/corrections.ts'
import { lettersOf } from '../../evaluation/letters.ts'
import { replay, streamMeasures } from '../../evaluation/stream.ts'
import { examplesOf } from '../../training/features.ts'

/** Every other message is spam; each label has two words of its own and all share one. */
function stream(count: number) {
  return Array.from({ length: count }, (_, i) => ({
    id: `message ${i}`,
    spam: i % 2 === 1,
    domain: 'one.example',
    at: new Date(i * 1_000),
    text: i % 2 === 1 ? words(1, 10, 11) : words(1, 20, 21),
    meta: NO_META,
  }))
}

describe('lettersOf', () => {
  it('gives the labelled mail of a source by time of arrival, then by id', () => {
    const sample = (source: string, id: string, fields: string, spam: boolean | undefined) => ({
      source,
      id,
      spam,
      messageClass: undefined,
      bytes: Buffer.from(`From: a@mail.one.example\n${fields}\n\nHello\n`),
    })
    // The topmost Received counts: the sender may lie about the Date.
    const late = `Received: from b by a; Tue, 2 Jul 2002 10:00:00 +0200
Received: from c by b; Mon, 1 Jul 2002 09:00:00 +0000
Date: Mon, 1 Jan 2001 00:00:00 +0000`
    const early = 'Date: Mon, 1 Jul 2002 09:00:00 +0000'
    const samples = [
      sample('lists', 'c', late, true),
      sample('lists', 'b', early, false),
      sample('lists', 'a', early, true),
      sample('lists', 'd', early, undefined),
      sample('finds', 'e', early, true),
    ]
    assert.deepEqual(
      lettersOf(samples, examplesOf(samples), 'lists').map(({ id, domain, at }) => [
        id,
        domain,
        at,
      ]),
      [
        ['a', 'one.example', new Date('2002-07-01T09:00:00Z')],
        ['b', 'one.example', new Date('2002-07-01T09:00:00Z')],
        ['c', 'one.example', new Date('2002-07-02T08:00:00Z')],
      ],
    )
  })
})

describe('replay', () => {
  const scores = (delay: number, share: number) =>
    replay(emptyModels(), stream(8), { delay, share }).map(({ score }) => score)

  it('judges each message before it is corrected', () => {
    const verdicts = replay(emptyModels(), stream(40))
    assert.equal(verdicts[0]!.score, 0)
    assert.ok(verdicts.slice(10).every(({ spam, calledSpam }) => spam === calledSpam))
  })

  it('learns nothing before a correction that is late', () => {
    assert.deepEqual(scores(4, 1).slice(0, 5), [0, 0, 0, 0, 0])
    assert.notDeepEqual(scores(4, 1).slice(5), [0, 0, 0])
  })
})

/** `count` verdicts alike. */
function verdicts(count: number, spam: boolean, calledSpam: boolean, score: number) {
  return Array.from({ length: count }, () => ({ spam, calledSpam, score }))
}

it('streamMeasures gives errors in percent, and their mean in natural log-odds', () => {
  // logit 1/100 and 1/5: (ln 1/99 + ln 1/4) / 2 = ln 1/√396, lam = 1 / (1 + √396)
  const measures = streamMeasures([
    ...verdicts(99, false, false, -1),
    ...verdicts(1, false, true, 1),
    ...verdicts(8, true, true, 2),
    ...verdicts(2, true, false, 0),
  ])
  const expected = {
    // One ham in a hundred above two spam in ten.
    oneMinusRoca: 0.2,
    // Of a hundred ham none may be lost: only what is above the highest is caught.
    spamMissedAtHamLoss: 20,
    hamLost: 1,
    spamMissed: 20,
    logisticAverage: 100 / (1 + Math.sqrt(396)),
  }
  for (const [name, value] of Object.entries(measures)) {
    assert.ok(Math.abs(value - expected[name as keyof typeof expected]) < 1e-9, name)
  }
  // No error counts as half of one.
  const flawless = [...verdicts(50, false, false, -1), ...verdicts(50, true, true, 1)]
  assert.ok(Math.abs(streamMeasures(flawless).logisticAverage - 1) < 1e-9)
})
