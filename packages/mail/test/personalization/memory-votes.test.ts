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

describe('a report of spam', () => {
  const faint = words(0, 0).map((term) => (term & ~0xff) | 20)
  const host = encodeMemoryItem(new Float32Array(384), words(WORDS - 30, 9), Uint32Array.of(7))
  const ofSender = { senderKey: SENDER }
  const ofDomain = { authenticatedDomain: 'example.com' }
  const mailbox: SenderAuthentication = { result: 'pass', domain: 'gmail.com' }
  // biome-ignore format: a row each
  const cases: [what: string, force: string | undefined, ...of: Parameters<typeof forceOf>][] = [
    ['decides about mail of its sender', 'decides', 26, ofSender],
    ['says nothing of what is less alike than 0.25', undefined, 24, ofSender],
    ['takes an address through which many write for no identity', undefined, 30, ofSender, { isSharedSender: true }],
    ['decides about mail authenticated for its domain', 'decides', 41, ofDomain, {}, SHOP],
    ['says nothing of such mail that is less alike than 0.4', undefined, 39, ofDomain, {}, SHOP],
    ['says nothing of what is not authenticated', undefined, 30, ofDomain],
    ['takes a provider of mailboxes for no identity', undefined, 41, { authenticatedDomain: 'gmail.com' }, {}, mailbox],
    ["lifts similar text that leads to the same stranger's host", 'lifts', 0, { memory: host }],
    ['says nothing of such text that leads elsewhere', undefined, 30],
    ['lifts nearly the same long text of any sender', 'lifts', 34],
    ['says nothing of a long text that is less alike', undefined, 32],
    ['lifts a text in a frame that is nearly the same', 'lifts', 86, {}, { isFramed: true }],
    ['says nothing of one that has the frame in common', undefined, 84, {}, { isFramed: true }],
    ['says nothing of common words', undefined, 100, {}, { sparse: faint }],
    ['says nothing of a formula', undefined, 100, {}, { sparse: QUERY.sparse.slice(0, 40) }],
    ['says nothing against an authenticated stranger, however alike', undefined, 100, {}, {}, SHOP],
    ['says nothing against one of another domain', undefined, 100, { authenticatedDomain: 'example.net' }, {}, SHOP],
    ['of a forgery says nothing against the true sender', undefined, 100, ofSender, {}, SHOP],
    ['of the true sender does', 'decides', 100, { ...ofSender, ...ofDomain }, {}, SHOP],
    ['decides about this very message, whoever sent it', 'decides', 0, { messageKey: MESSAGE }, {}, SHOP],
  ]
  for (const [what, force, ...of] of cases) it(what, () => assert.equal(forceOf(...of), force))

  it('is named by the vote', () => {
    const { decidedBy, ...rest } = vote(corrected('spam', 80, ofSender))!
    assert.deepEqual(rest, { label: 'spam', spamShare: 1, sameMessage: false, force: 'decides' })
    const { similarity, ...named } = decidedBy
    const createdAt = new Date('2025-06-01')
    assert.deepEqual(named, { feedbackId: 'spam 80', label: 'spam', createdAt })
    assert.equal(similarity.toFixed(3), '0.800')
  })
})

describe('"not spam"', () => {
  const proved = { senderKey: SENDER, authenticatedDomain: 'example.com' }
  // biome-ignore format: a row each
  const cases: [what: string, force: string | undefined, percent: number, more: Partial<StoredMemoryItem>, sender: SenderAuthentication][] = [
    ['lifts mail of the same sender', 'lifts', 41, { senderKey: SENDER }, UNKNOWN_SENDER],
    ['says nothing of such mail that is less alike than 0.4', undefined, 39, { senderKey: SENDER }, UNKNOWN_SENDER],
    ['says nothing of mail of another, however alike', undefined, 99, { senderKey: Uint8Array.of(9) }, UNKNOWN_SENDER],
    ['says nothing of mail that names nobody', undefined, 99, {}, UNKNOWN_SENDER],
    ['says nothing of a forgery', undefined, 80, { senderKey: SENDER }, FORGED],
    ['of mail that was not authenticated lifts what is', 'lifts', 80, { senderKey: SENDER }, SHOP],
    ['of authenticated mail says nothing of a forgery', undefined, 80, proved, FORGED],
    ['of authenticated mail lifts what is not', 'lifts', 80, proved, UNKNOWN_SENDER],
    ['of authenticated mail decides about such', 'decides', 80, proved, SHOP],
    ['of another domain says nothing', undefined, 80, { ...proved, authenticatedDomain: 'example.net' }, SHOP],
    ['decides about this very message', 'decides', 0, { messageKey: MESSAGE }, UNKNOWN_SENDER],
    ['says nothing of this very message where it was found forged', undefined, 0, { messageKey: MESSAGE }, FORGED],
  ]
  for (const [what, force, percent, more, sender] of cases) {
    it(what, () => {
      const found = memoryVote(packMemory([corrected('ham', percent, more)]), QUERY, sender)
      assert.deepEqual([found?.force, found?.label], [force, force && 'ham'])
    })
  }

  it('decides by what is proved, though what is not is nearer', () => {
    const near = corrected('ham', 90, { senderKey: SENDER })
    const found = memoryVote(packMemory([near, corrected('ham', 80, proved)]), QUERY, SHOP)
    assert.deepEqual([found?.force, found?.decidedBy.feedbackId], ['decides', 'ham 80'])
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
