/**
 * Similarities are made by hand: the embedding says nothing of items of another model, so that
 * the similarity is the share of equal words, w of 100.
 */
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import {
  type MemoryQuery,
  packMemory,
  type StoredMemoryItem,
} from '../../personalization/memory.ts'
import { encodeMemoryItem } from '../../personalization/memory-item.ts'
import { classVote, memoryVote } from '../../personalization/memory-votes.ts'
import { type SenderAuthentication, UNKNOWN_SENDER } from '../../personalization/rules.ts'

const WORDS = 100
const SENDER = Uint8Array.of(1)
const MESSAGE = Uint8Array.of(2)

/** `WORDS` words, the first `own` of them unlike those of the message asked about. */
function words(own: number, seed: number): Uint32Array {
  const numbers = Array.from({ length: WORDS }, (_, i) => (i < own ? 1_000 * seed + i : i))
  return Uint32Array.from(numbers, (number) => (number << 8) | 255).sort()
}

/** A correction of a message that has `percent` of its words in common with the one asked about. */
function corrected(
  label: string,
  percent: number,
  more: Partial<StoredMemoryItem> = {},
): StoredMemoryItem {
  const memory = encodeMemoryItem(new Float32Array(384), words(WORDS - percent, 1 + percent))
  const made = { feedbackId: `${label} ${percent}`, embeddingModel: 'other-1' }
  return { ...made, label, memory, createdAt: new Date('2025-06-01'), ...more }
}

const QUERY: MemoryQuery = {
  vector: { dense: new Int8Array(384), sparse: words(0, 0) },
  embeddingModel: 'model-1',
  senderKey: SENDER,
  messageKey: MESSAGE,
}

function vote(...items: StoredMemoryItem[]) {
  return memoryVote(packMemory(items), QUERY, UNKNOWN_SENDER)
}

describe('memoryVote', () => {
  it('says nothing without corrections', () => {
    assert.equal(vote(), undefined)
  })

  it('calls spam what is like one message called spam, and names it', () => {
    const { decidedBy, ...rest } = vote(corrected('spam', 80))!
    assert.deepEqual(rest, { label: 'spam', spamShare: 1, sameMessage: false, force: 'decides' })
    assert.equal(decidedBy.feedbackId, 'spam 80')
    assert.deepEqual(decidedBy.createdAt, new Date('2025-06-01'))
    assert.equal(decidedBy.similarity.toFixed(3), '0.800')
  })

  it('says nothing of what is less alike than 0.45', () => {
    assert.equal(vote(corrected('spam', 46))?.label, 'spam')
    assert.equal(vote(corrected('spam', 44)), undefined)
  })

  it('calls good only what is of the same sender and more alike than 0.6', () => {
    assert.equal(vote(corrected('ham', 61, { senderKey: SENDER }))?.label, 'ham')
    assert.equal(vote(corrected('ham', 59, { senderKey: SENDER })), undefined)
    assert.equal(vote(corrected('ham', 99, { senderKey: Uint8Array.of(9) })), undefined)
    assert.equal(vote(corrected('ham', 99)), undefined)
  })

  it('decides that a message is good where both prove the same sender, and else lifts at most', () => {
    const forged = { result: 'fail' } as const
    const proved = { result: 'pass', domain: 'example.com' } as const
    const cases: [sender: SenderAuthentication, authenticatedDomain: string, force: unknown][] = [
      [forged, '', undefined],
      [UNKNOWN_SENDER, '', 'lifts'],
      [proved, '', 'lifts'],
      [forged, 'example.com', undefined],
      [UNKNOWN_SENDER, 'example.com', 'lifts'],
      [proved, 'example.com', 'decides'],
      [proved, 'example.net', undefined],
    ]
    for (const [sender, authenticatedDomain, force] of cases) {
      const more = { senderKey: SENDER, ...(authenticatedDomain && { authenticatedDomain }) }
      const found = memoryVote(packMemory([corrected('ham', 80, more)]), QUERY, sender)
      assert.equal(found?.force, force, `${sender.result} ${authenticatedDomain}`)
      if (found !== undefined) assert.equal(found.label, 'ham')
    }
  })

  it('decides by what is proved, though what is not is nearer', () => {
    const proved = { result: 'pass', domain: 'example.com' } as const
    const near = corrected('ham', 90, { senderKey: SENDER })
    const verified = { senderKey: SENDER, authenticatedDomain: 'example.com' }
    const found = memoryVote(packMemory([near, corrected('ham', 80, verified)]), QUERY, proved)
    assert.deepEqual([found?.force, found?.decidedBy.feedbackId], ['decides', 'ham 80'])
  })

  it('decides that this very message is good, unless it was found forged', () => {
    const same = packMemory([corrected('ham', 0, { messageKey: MESSAGE })])
    assert.equal(memoryVote(same, QUERY, UNKNOWN_SENDER)?.force, 'decides')
    assert.equal(memoryVote(same, QUERY, { result: 'fail' }), undefined)
  })

  it('calls spam no message of one who proves who he is for a report of one that did not', () => {
    const proved = { result: 'pass', domain: 'example.com' } as const
    const voteFrom = (sender: SenderAuthentication, more: Partial<StoredMemoryItem>) =>
      memoryVote(packMemory([corrected('spam', 80, more)]), QUERY, sender)?.label
    assert.equal(voteFrom(proved, { senderKey: SENDER }), undefined)
    assert.equal(voteFrom(UNKNOWN_SENDER, { senderKey: SENDER }), 'spam')
    assert.equal(voteFrom(proved, { senderKey: Uint8Array.of(9) }), 'spam')
    const verified = { senderKey: SENDER, authenticatedDomain: 'example.com' }
    assert.equal(voteFrom(proved, verified), 'spam')
  })

  it('calls good what one of the sender decides, though another is nearer', () => {
    const mine = corrected('ham', 80, { senderKey: SENDER })
    assert.equal(vote(corrected('ham', 90), mine)?.decidedBy.feedbackId, 'ham 80')
  })

  it('says nothing where neighbors disagree', () => {
    assert.equal(vote(corrected('spam', 80), corrected('ham', 79)), undefined)
  })

  it('goes with the nearer where it weighs three times as much', () => {
    // 0.9^4 : 0.6^4 = 5 : 1, 0.8^4 : 0.7^4 = 1.7 : 1
    assert.equal(vote(corrected('spam', 90), corrected('ham', 60))?.spamShare.toFixed(3), '0.835')
    assert.equal(vote(corrected('spam', 80), corrected('ham', 70)), undefined)
  })

  it('is enough for three of four that are alike to agree', () => {
    const spam = Array.from({ length: 3 }, () => corrected('spam', 100))
    assert.equal(vote(...spam, corrected('ham', 100))?.spamShare, 0.75)
  })

  it('asks the five that are most alike', () => {
    const spam = Array.from({ length: 5 }, () => corrected('spam', 80))
    assert.equal(vote(...spam, corrected('ham', 79))?.spamShare, 1)
    assert.equal(vote(...spam.slice(1), corrected('ham', 79))?.spamShare.toFixed(3), '0.808')
  })

  it('lets messages called good that are too far to decide speak against spam', () => {
    assert.equal(vote(corrected('spam', 60), corrected('ham', 59)), undefined)
  })

  it('takes the word on this very message, whatever its neighbors say', () => {
    const same = corrected('ham', 0, { messageKey: MESSAGE })
    const { label, spamShare, sameMessage, decidedBy } = vote(corrected('spam', 99), same)!
    assert.deepEqual(
      [label, spamShare, sameMessage, decidedBy.feedbackId],
      ['ham', 0, true, 'ham 0'],
    )
  })
})

describe('classVote', () => {
  const voteOf = (...items: StoredMemoryItem[]) => classVote(packMemory(items), QUERY)

  it('says nothing without neighbors', () => {
    assert.equal(voteOf(corrected('updates', 44)), undefined)
  })

  it('gives shares that sum to 1, and more than half of the say to neighbors of one mind', () => {
    const { shares, weight, decidedBy } = voteOf(corrected('updates', 46))!
    assert.deepEqual(shares, { primary: 0, transactions: 0, updates: 1, promotions: 0 })
    assert.ok(weight > 0.5 && weight < 0.7, String(weight))
    assert.equal(decidedBy.feedbackId, 'updates 46')
  })

  it('has more of a say the nearer the nearest: 0.6 at 0.45, all of it at 1', () => {
    const weightAt = (percent: number) => voteOf(corrected('updates', percent))!.weight.toFixed(3)
    // 0.6 + 0.4 (0.56 - 0.45) / 0.55
    assert.deepEqual([46, 56, 78, 100].map(weightAt), ['0.607', '0.680', '0.840', '1.000'])
  })

  it('divides the shares by nearness', () => {
    const { shares, decidedBy } = voteOf(corrected('primary', 60), corrected('updates', 90))!
    assert.equal(shares.updates.toFixed(3), '0.835')
    assert.equal(shares.primary.toFixed(3), '0.165')
    assert.equal(decidedBy.feedbackId, 'updates 90')
  })

  it('is all there is for the very same message', () => {
    const same = corrected('primary', 0, { messageKey: MESSAGE })
    const { shares, weight } = voteOf(corrected('updates', 99), same)!
    assert.deepEqual([shares.primary, weight], [1, 1])
  })
})
