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
  sparse: words(0, 0),
  hosts: Uint32Array.of(7),
  senderKey: SENDER,
  messageKey: MESSAGE,
}

const SHOP: SenderAuthentication = { result: 'pass', domain: 'example.com' }
const FORGED: SenderAuthentication = { result: 'fail' }

function vote(...items: StoredMemoryItem[]) {
  return memoryVote(packMemory(items), QUERY, UNKNOWN_SENDER)
}

/** What one report of spam, this much alike, does with the message asked about. */
function forceOf(
  percent: number,
  more: Partial<StoredMemoryItem> = {},
  asked: Partial<MemoryQuery> = {},
  sender = UNKNOWN_SENDER,
) {
  const memory = packMemory([corrected('spam', percent, more)])
  return memoryVote(memory, { ...QUERY, ...asked }, sender)?.force
}

describe('memoryVote for spam', () => {
  it('decides about mail of the sender that was reported, and names the correction', () => {
    const { decidedBy, ...rest } = vote(corrected('spam', 80, { senderKey: SENDER }))!
    assert.deepEqual(rest, { label: 'spam', spamShare: 1, sameMessage: false, force: 'decides' })
    assert.equal(decidedBy.feedbackId, 'spam 80')
    assert.deepEqual(decidedBy.createdAt, new Date('2025-06-01'))
    assert.equal(decidedBy.similarity.toFixed(3), '0.800')
  })

  it('says nothing of mail of that sender that is less alike than 0.25', () => {
    assert.equal(forceOf(26, { senderKey: SENDER }), 'decides')
    assert.equal(forceOf(24, { senderKey: SENDER }), undefined)
  })

  it('takes an address through which many write for no identity', () => {
    assert.equal(forceOf(30, { senderKey: SENDER }, { isSharedSender: true }), undefined)
  })

  it('decides about mail that was authenticated for the same domain', () => {
    const reported = { authenticatedDomain: 'example.com' }
    assert.equal(forceOf(41, reported, {}, SHOP), 'decides')
    assert.equal(forceOf(39, reported, {}, SHOP), undefined)
    assert.equal(forceOf(30, reported, {}, UNKNOWN_SENDER), undefined)
    const mailbox: SenderAuthentication = { result: 'pass', domain: 'gmail.com' }
    assert.equal(forceOf(41, { authenticatedDomain: 'gmail.com' }, {}, mailbox), undefined)
  })

  it("lifts similar text that leads to the same stranger's host", () => {
    const terms = words(WORDS - 30, 9)
    const memory = encodeMemoryItem(new Float32Array(384), terms, Uint32Array.of(7))
    assert.equal(forceOf(0, { memory }), 'lifts')
    assert.equal(forceOf(30), undefined)
  })

  it('lifts nearly the same text of any sender, unless it is a formula or in a frame', () => {
    assert.equal(forceOf(34), 'lifts')
    assert.equal(forceOf(32), undefined)
    assert.equal(forceOf(84, {}, { isFramed: true }), undefined)
    assert.equal(forceOf(86, {}, { isFramed: true }), 'lifts')
    // The same words, but hardly particular: a weight of 0.006 each.
    const faint = words(0, 0).map((term) => (term & ~0xff) | 20)
    assert.equal(forceOf(100, {}, { sparse: faint }), undefined)
    const short = QUERY.sparse.slice(0, 40)
    assert.equal(forceOf(100, {}, { sparse: short }), undefined)
  })

  it('says nothing against an authenticated sender of another identity, however alike', () => {
    assert.equal(forceOf(100, {}, {}, SHOP), undefined)
    assert.equal(forceOf(100, { authenticatedDomain: 'example.net' }, {}, SHOP), undefined)
  })

  it('says nothing against the true sender for a report of a forged message', () => {
    assert.equal(forceOf(100, { senderKey: SENDER }, {}, SHOP), undefined)
    const verified = { senderKey: SENDER, authenticatedDomain: 'example.com' }
    assert.equal(forceOf(100, verified, {}, SHOP), 'decides')
  })

  it('decides about this very message, whoever sent it', () => {
    assert.equal(forceOf(0, { messageKey: MESSAGE }, {}, SHOP), 'decides')
  })
})

describe('memoryVote for ham', () => {
  it('takes the same sender and a similarity of 0.4', () => {
    assert.equal(vote(corrected('ham', 41, { senderKey: SENDER }))?.label, 'ham')
    assert.equal(vote(corrected('ham', 39, { senderKey: SENDER })), undefined)
    assert.equal(vote(corrected('ham', 99, { senderKey: Uint8Array.of(9) })), undefined)
    assert.equal(vote(corrected('ham', 99)), undefined)
  })

  it('decides where both prove the same sender, and else lifts at most', () => {
    const cases: [sender: SenderAuthentication, authenticatedDomain: string, force: unknown][] = [
      [FORGED, '', undefined],
      [UNKNOWN_SENDER, '', 'lifts'],
      [SHOP, '', 'lifts'],
      [FORGED, 'example.com', undefined],
      [UNKNOWN_SENDER, 'example.com', 'lifts'],
      [SHOP, 'example.com', 'decides'],
      [SHOP, 'example.net', undefined],
    ]
    for (const [sender, authenticatedDomain, force] of cases) {
      const more = { senderKey: SENDER, ...(authenticatedDomain && { authenticatedDomain }) }
      const found = memoryVote(packMemory([corrected('ham', 80, more)]), QUERY, sender)
      assert.equal(found?.force, force, `${sender.result} ${authenticatedDomain}`)
      if (found !== undefined) assert.equal(found.label, 'ham')
    }
  })

  it('decides by what is proved, though what is not is nearer', () => {
    const near = corrected('ham', 90, { senderKey: SENDER })
    const verified = { senderKey: SENDER, authenticatedDomain: 'example.com' }
    const found = memoryVote(packMemory([near, corrected('ham', 80, verified)]), QUERY, SHOP)
    assert.deepEqual([found?.force, found?.decidedBy.feedbackId], ['decides', 'ham 80'])
  })

  it('decides about this very message, unless it was found forged', () => {
    const same = packMemory([corrected('ham', 0, { messageKey: MESSAGE })])
    assert.equal(memoryVote(same, QUERY, UNKNOWN_SENDER)?.force, 'decides')
    assert.equal(memoryVote(same, QUERY, FORGED), undefined)
  })
})

describe('memoryVote of several corrections', () => {
  const ofSender = (label: string, percent: number) =>
    corrected(label, percent, { senderKey: SENDER })

  it('says nothing where neighbors disagree', () => {
    assert.equal(vote(ofSender('spam', 80), ofSender('ham', 79)), undefined)
  })

  it('goes with the nearer where it weighs three times as much', () => {
    // 0.9^4 : 0.6^4 = 5 : 1, 0.8^4 : 0.7^4 = 1.7 : 1
    const clear = vote(ofSender('spam', 90), ofSender('ham', 60))
    assert.equal(clear?.spamShare.toFixed(3), '0.835')
    assert.equal(vote(ofSender('spam', 80), ofSender('ham', 70)), undefined)
  })

  it('takes the word on this very message, whatever its neighbors say', () => {
    const same = corrected('ham', 0, { messageKey: MESSAGE })
    const { label, spamShare, sameMessage, decidedBy } = vote(ofSender('spam', 99), same)!
    assert.deepEqual(
      [label, spamShare, sameMessage, decidedBy.feedbackId],
      ['ham', 0, true, 'ham 0'],
    )
  })
})

describe('classVote', () => {
  const voteOf = (...items: StoredMemoryItem[]) => classVote(packMemory(items), QUERY)
  const ofSender = (label: string, percent: number) =>
    corrected(label, percent, { senderKey: SENDER })

  it('says nothing of mail of another sender that is not nearly the same', () => {
    assert.equal(voteOf(corrected('updates', 84)), undefined)
    assert.equal(voteOf(corrected('updates', 86))?.shares.updates, 1)
  })

  it('gives shares that sum to 1, and more than half of the say to neighbors of one mind', () => {
    const { shares, weight, decidedBy } = voteOf(ofSender('updates', 26))!
    assert.deepEqual(shares, { primary: 0, transactions: 0, updates: 1, promotions: 0 })
    assert.ok(weight > 0.5 && weight < 0.7, String(weight))
    assert.equal(decidedBy.feedbackId, 'updates 26')
  })

  it('has more of a say the nearer the nearest: 0.6 at 0.25, all of it at 1', () => {
    const weightAt = (percent: number) => voteOf(ofSender('updates', percent))!.weight.toFixed(3)
    // 0.6 + 0.4 (0.55 - 0.25) / 0.75
    assert.deepEqual([25, 55, 100].map(weightAt), ['0.600', '0.760', '1.000'])
  })

  it('is all there is for the very same message', () => {
    const same = corrected('primary', 0, { messageKey: MESSAGE })
    const { shares, weight } = voteOf(ofSender('updates', 99), same)!
    assert.deepEqual([shares.primary, weight], [1, 1])
  })
})
