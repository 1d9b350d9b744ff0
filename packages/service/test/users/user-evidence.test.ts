/**
 * What a user's rules, memory and personal deltas say of a message. All of it is laid out so that the
 * answer can be worked out by hand: the message has the terms 3 and 4 at two words, and an embedding in
 * one direction; an item with the first term alone is alike by 3/5.
 */
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { packTerm, wordOfTerm } from '../../../mail/embedding/sparse-terms.ts'
import { packMemory, type StoredMemoryItem } from '../../../mail/personalization/memory.ts'
import { DIMENSIONS, encodeMemoryItem } from '../../../mail/personalization/memory-item.ts'
import type { PersonalAnalysis } from '../../../mail/personalization/personal-analysis.ts'
import { particularWeights, personalTable } from '../../../mail/personalization/personal-deltas.ts'
import { indexRules } from '../../../mail/personalization/rule-index.ts'
import type { SenderAuthentication } from '../../../mail/personalization/rules.ts'
import type { Analysis } from '../../../mail/verdict/analysis.ts'
import type { CorrectedFeatures } from '../../users/correction.ts'
import { MessageKeys } from '../../users/message-keys.ts'
import { userEvidence } from '../../users/user-evidence.ts'
import type { User } from '../../users/users.ts'

const KEYS = new MessageKeys(new Uint8Array(32).fill(7))
const NOW = new Date('2026-11-20T12:00:00Z')

/** The squares of 3/5 and 4/5 of the length, as terms hold them. */
const FIRST = packTerm(1, 0.6)
const SECOND = packTerm(2, 0.8)

const UNKNOWN: SenderAuthentication = { result: 'unknown' }

/** From shop@example.com. */
const PERSONAL: PersonalAnalysis = {
  patterns: { sender: 'shop@example.com', senderDomain: 'example.com' },
  identity: '<1@example.com>',
  isFramed: false,
  ...{ sparse: Uint32Array.of(FIRST, SECOND), hosts: new Uint32Array() },
  embeddedText: 'Your parcel',
}

const NOBODY: User = {
  rules: indexRules([], []),
  spam: packMemory([]),
  tabs: packMemory([]),
  complaints: { any: new Set(), proved: new Set() },
  deltas: undefined,
  known: true,
}

/** What the weights of the first term add. */
const WEIGHT = particularWeights(Uint32Array.of(FIRST, SECOND))[0]!
const SHIFT = {
  spam: 0.125 * WEIGHT,
  classes: [0.125, -0.25, 0.0625, 0].map((weight) => weight * WEIGHT),
}

describe('userEvidence', () => {
  it('says that the user is unknown while the store is away, and nothing else', () => {
    assert.deepEqual(evidence({ ...learned(), known: false }), {
      senderAuthenticated: false,
      userUnknown: true,
    })
  })

  it('has what rules, memory of both kinds and personal deltas say', () => {
    assert.deepEqual(evidence(learned()), {
      senderAuthenticated: false,
      ruleMatches: [
        {
          id: 'rule',
          ruleType: 'Sender',
          pattern: 'shop@example.com',
          verified: false,
          source: 'explicit',
          force: 'decides',
          label: 'spam',
        },
      ],
      classRule: {
        id: 'class rule',
        ruleType: 'Sender',
        pattern: 'example.com',
        classification: 'updates',
      },
      memoryVote: {
        label: 'spam',
        spamShare: 1,
        sameMessage: true,
        force: 'decides',
        decidedBy: { feedbackId: 'same', label: 'spam', createdAt: NOW, similarity: 1 },
      },
      classVote: {
        shares: { primary: 0, promotions: 1, updates: 0, transactions: 0 },
        weight: 1,
        sameMessage: true,
        decidedBy: {
          feedbackId: 'same class',
          label: 'promotions',
          createdAt: NOW,
          similarity: 1,
        },
      },
      shift: SHIFT,
    })
  })

  it('names the sender of the item that decides, as far as the item has it', () => {
    const claiming = item({ ...SAME, claimedDomain: 'example.com' })
    const { memoryVote } = evidence({ ...NOBODY, spam: packMemory([claiming]) })
    assert.equal(memoryVote?.decidedBy.claimedDomain, 'example.com')
  })

  it('names the corrections behind personal deltas, if it is given what they were learned from', () => {
    const memory = encodeMemoryItem(direction(1), PERSONAL.sparse)
    const corrected = ['same', 'gone'].map((feedbackId) => ({
      ...{ feedbackId, memory },
      ...{ kind: 'spam', label: 'spam' },
    })) as CorrectedFeatures[]
    const { shiftFrom } = userEvidence(learned(), analysisOf({}), UNKNOWN, KEYS, { corrected })
    assert.deepEqual(shiftFrom, [
      { correction: { feedbackId: 'same', label: 'spam', createdAt: NOW }, logit: SHIFT.spam },
    ])
  })
})

const RULE = {
  id: 'rule',
  kind: 'spam',
  ruleType: 'Sender',
  pattern: 'shop@example.com',
  label: 'spam',
  unverified: true,
  createdAt: NOW,
} as const

/** Nearly the message asked about, and another one. */
const ALIKE = { feedbackId: 'alike', dense: direction(0), terms: [FIRST, SECOND] }

const SAME = { ...ALIKE, messageKey: KEYS.keyOf('message', '<1@example.com>') }

/** A user who has said something of every kind about this very message. */
function learned(): User {
  const classRule = { ...RULE, id: 'class rule', kind: 'tabs', pattern: 'example.com' } as const
  return {
    known: true,
    complaints: { any: new Set(), proved: new Set() },
    rules: indexRules([RULE, { ...classRule, label: 'updates' }], []),
    spam: packMemory([item({ ...SAME, feedbackId: 'same', label: 'spam' })]),
    tabs: packMemory([item({ ...SAME, feedbackId: 'same class', label: 'promotions' })]),
    deltas: {
      spam: personalTable([wordOfTerm(FIRST)], Float32Array.of(0.125), 1),
      classes: personalTable([wordOfTerm(FIRST)], Float32Array.of(0.125, -0.25, 0.0625, 0), 4),
    },
  }
}

interface Item extends Omit<Partial<StoredMemoryItem>, 'memory' | 'messageKey'> {
  readonly messageKey?: Uint8Array | undefined
  readonly dense?: Float32Array
  readonly terms?: readonly number[]
}

function item({ dense = direction(0), terms = [FIRST], messageKey, ...fields }: Item) {
  return {
    feedbackId: 'item',
    label: 'spam',
    embeddingModel: 'e1',
    createdAt: NOW,
    ...fields,
    ...(messageKey && { messageKey }),
    memory: encodeMemoryItem(dense, Uint32Array.from(terms)),
  }
}

function evidence(
  user: User,
  personal: Partial<PersonalAnalysis> = {},
  sender = UNKNOWN,
  { detail = false } = {},
) {
  return userEvidence(user, analysisOf(personal, detail), sender, KEYS)
}

/** An analysis with all that is read of it here. */
function analysisOf(personal: Partial<PersonalAnalysis>, detail = false): Analysis {
  const read = { personal: { ...PERSONAL, ...personal }, ...(detail && { detail: {} }) }
  return read as unknown as Analysis
}

/** Shape (384,): 1 at `dimension`, 0 elsewhere. */
function direction(dimension: number): Float32Array {
  const vector = new Float32Array(DIMENSIONS)
  vector[dimension] = 1
  return vector
}
