/** The latest verdicts, strongest reasons and top senders. */
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { FoundInMessage, JudgedAs } from '../../http/message-line.ts'
import type { JudgedMessage } from '../../http/message-stream.ts'
import { RecentMessages, RING_MAX } from '../../http/recent-messages.ts'
import type { Siblings } from '../../siblings/siblings.ts'
import { siblings } from '../helpers/siblings.ts'

const START = Date.parse('2026-11-20T12:00:00Z')
const MINUTE_MS = 60_000

const TEXT = { name: 'TAMIS_TEXT', points: 3.149, description: 'The wording.' }
const LINK = { name: 'LINK_IP_HOST', points: 2, description: 'A link leads to a bare IP address.' }
const REPLY = { name: 'QUOTED_REPLY', points: -1, description: 'It quotes another message.' }

const SPAM: JudgedAs = {
  verdict: 'spam',
  probability: 0.99129,
  class: 'promotions',
  reason: undefined,
  escalate: false,
}
const HAM: JudgedAs = {
  verdict: 'ham',
  probability: 0.1,
  class: 'primary',
  reason: 'user_rule',
  escalate: true,
}

function from(
  senderDomain: string,
  found: FoundInMessage = HAM,
  reasons: JudgedMessage['told']['reasons'] = [],
): JudgedMessage {
  return { told: { messageId: 'a1@example.com', senderDomain, judged: undefined, reasons }, found }
}

function watch() {
  const clock = { now: START }
  return {
    clock,
    recent: new RecentMessages({ now: () => clock.now }),
  }
}

/** Two processes, of which the second began a second later. */
function openTwo(clock: { now: number }): [RecentMessages, RecentMessages] {
  const [first, second] = siblings(2)
  const open = (each: Siblings | undefined) =>
    new RecentMessages({
      now: () => clock.now,
      ...(each && { siblings: each }),
    })
  const one = open(first)
  clock.now += 1_000
  return [one, open(second)]
}

describe('RecentMessages', () => {
  it('tells of each message its verdict, sender and reasons, and counts reasons and senders', async () => {
    const { clock, recent } = watch()
    recent.judged(from('shop.example.com', SPAM, [TEXT, LINK, REPLY]), 4.711)
    clock.now += 1_500
    recent.judged(from('shop.example.com', HAM, [LINK, REPLY]), 3)
    assert.deepEqual(await recent.of(), {
      since: '2026-11-20T12:00:00.000Z',
      messages: [
        {
          at: '2026-11-20T12:00:01.500Z',
          messageId: 'a1@example.com',
          verdict: 'ham',
          spamProbability: 0.1,
          classification: 'primary',
          bypassReason: 'user_rule',
          shouldEscalate: true,
          senderDomain: 'shop.example.com',
          reasons: [LINK, REPLY],
          ms: 3,
        },
        {
          at: '2026-11-20T12:00:00.000Z',
          messageId: 'a1@example.com',
          verdict: 'spam',
          spamProbability: 0.99129,
          classification: 'promotions',
          bypassReason: null,
          shouldEscalate: false,
          senderDomain: 'shop.example.com',
          reasons: [{ ...TEXT, points: 3.15 }, LINK, REPLY],
          ms: 4.7,
        },
      ],
      reasons: [
        { ...LINK, forSpam: 2, againstSpam: 0 },
        { ...TEXT, forSpam: 1, againstSpam: 0, points: 3.15 },
        { ...REPLY, forSpam: 0, againstSpam: 2, points: 1 },
      ],
      senders: [{ domain: 'shop.example.com', messages: 2, spam: 1, ham: 1 }],
    })
  })

  it('has no verdict and no reason of a message of which the class alone was asked for', async () => {
    const { recent } = watch()
    recent.judged(from('example.com', { classification: 'updates' }, [TEXT]), 3)
    const { messages, reasons, senders } = await recent.of()
    assert.deepEqual(messages[0], {
      at: '2026-11-20T12:00:00.000Z',
      messageId: 'a1@example.com',
      verdict: null,
      spamProbability: null,
      classification: 'updates',
      bypassReason: null,
      shouldEscalate: false,
      senderDomain: 'example.com',
      reasons: [],
      ms: 3,
    })
    assert.deepEqual(reasons, [])
    assert.deepEqual(senders, [{ domain: 'example.com', messages: 1, spam: 0, ham: 0 }])
  })

  it('counts mail as spam that is spam for some, and lists the last twelve messages and ten senders', async () => {
    const { clock, recent } = watch()
    for (let i = 0; i < 20; i++) {
      recent.judged(from(`${i}.example.com`, { ...SPAM, verdict: 'mixed' }, [REPLY]), i)
      clock.now += MINUTE_MS
    }
    const { messages, senders } = await recent.of()
    assert.deepEqual(
      messages.map(({ ms }) => ms),
      [19, 18, 17, 16, 15, 14, 13, 12, 11, 10, 9, 8],
    )
    assert.equal(senders.length, 10)
    assert.deepEqual(senders[0], { domain: '0.example.com', messages: 1, spam: 1, ham: 0 })
  })

  it('forgets after half an hour, and says since when it counts', async () => {
    const { clock, recent } = watch()
    clock.now += 4 * MINUTE_MS
    recent.judged(from('early.example.com'), 1)
    clock.now += 2 * MINUTE_MS
    recent.judged(from('late.example.com'), 1)
    const domains = async () => (await recent.of()).senders.map(({ domain }) => domain)
    clock.now = START + 34 * MINUTE_MS
    assert.deepEqual(await domains(), ['early.example.com', 'late.example.com'])
    assert.equal((await recent.of()).since, '2026-11-20T12:04:00.000Z')
    clock.now += 1
    assert.deepEqual(await domains(), ['late.example.com'])
    assert.equal((await recent.of()).since, '2026-11-20T12:04:00.001Z')
    clock.now += 2 * MINUTE_MS
    assert.deepEqual((await recent.of()).messages, [])
  })

  it('keeps the latest messages, and counts since the oldest of them', async () => {
    const { clock, recent } = watch()
    for (let i = 0; i < RING_MAX + 60; i++) {
      recent.judged(from(i % 5 === 0 ? 'loud.example.com' : `${i}.example.net`), 1)
      clock.now += 1_000
    }
    const { since, senders } = await recent.of()
    assert.equal(since, '2026-11-20T12:01:00.000Z')
    assert.deepEqual(senders[0], {
      ...{ domain: 'loud.example.com', messages: RING_MAX / 5 },
      ...{ spam: 0, ham: RING_MAX / 5 },
    })
  })

  it('puts together what all processes have, whichever is asked', async () => {
    const clock = { now: START }
    const [one, two] = openTwo(clock)
    for (let i = 0; i < 10; i++) {
      one.judged(from('shop.example.com', SPAM, [TEXT, LINK]), 2 * i)
      clock.now += 1_000
      two.judged(from(i % 2 ? 'shop.example.com' : 'other.example.com', HAM, [LINK]), 2 * i + 1)
      clock.now += 1_000
    }
    const found = await one.of()
    assert.deepEqual(found, await two.of())
    assert.deepEqual(
      found.messages.map(({ ms }) => ms),
      [19, 18, 17, 16, 15, 14, 13, 12, 11, 10, 9, 8],
    )
    assert.deepEqual(found.reasons, [
      { ...LINK, forSpam: 20, againstSpam: 0 },
      { ...TEXT, forSpam: 10, againstSpam: 0, points: 3.15 },
    ])
    assert.deepEqual(found.senders, [
      { domain: 'shop.example.com', messages: 15, spam: 10, ham: 5 },
      { domain: 'other.example.com', messages: 5, spam: 0, ham: 5 },
    ])
  })

  it('counts since the first process began, unless one of them keeps no more', async () => {
    const clock = { now: START }
    const [one, two] = openTwo(clock)
    one.judged(from('a.example.com'), 1)
    assert.equal((await two.of()).since, '2026-11-20T12:00:00.000Z')
    clock.now += MINUTE_MS
    for (let i = 0; i <= RING_MAX; i++) two.judged(from('b.example.com'), 1)
    const { since, senders } = await one.of()
    assert.equal(since, '2026-11-20T12:01:01.000Z')
    assert.deepEqual(
      senders.map(({ domain, messages }) => [domain, messages]),
      [['b.example.com', RING_MAX]],
    )
  })
})
