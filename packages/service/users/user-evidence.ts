/** Makes the evidence for a user's verdict from the user's rules and memory and an analysis. */
import { type Memory, type MemoryQuery, neighbors } from '../../mail/personalization/memory.ts'
import { decodeMemoryItem } from '../../mail/personalization/memory-item.ts'
import { classVote, memoryVote } from '../../mail/personalization/memory-votes.ts'
import { namedCorrection } from '../../mail/personalization/named-correction.ts'
import { isSharedSender } from '../../mail/personalization/patterns.ts'
import type { PersonalAnalysis } from '../../mail/personalization/personal-analysis.ts'
import {
  decidingCorrections,
  type LearnedCorrection,
  personalShift,
} from '../../mail/personalization/personal-deltas.ts'
import {
  matchClassRule,
  matchRules,
  type SenderAuthentication,
} from '../../mail/personalization/rules.ts'
import type { Analysis } from '../../mail/verdict/analysis.ts'
import {
  type Evidence,
  type NearestSimilarities,
  NO_EVIDENCE,
} from '../../mail/verdict/evidence.ts'
import type { CorrectedFeatures } from './correction.ts'
import type { MessageKeys } from './message-keys.ts'
import { isBlank, type User } from './users.ts'

/** What is known of a message and its user besides. */
interface MoreKnown {
  /** See MemoryQuery. */
  readonly embedding?: MemoryQuery['embedding']
  /** What the user's deltas were learned from, if it is to be said which of it is behind them. */
  readonly corrected?: readonly CorrectedFeatures[]
}

/**
 * The evidence about an analysis made with what rules and memory are compared with.
 */
export function userEvidence(
  user: User,
  { personal, detail }: Analysis,
  sender: SenderAuthentication,
  keys: MessageKeys,
  { embedding, corrected = [] }: MoreKnown = {},
): Evidence {
  const { rules, spam, tabs, deltas, known } = user
  if (!known) return { ...NO_EVIDENCE, userUnknown: true }
  if (detail === undefined && isBlank(user)) return NO_EVIDENCE
  const query = queryFor(personal, keys, embedding)
  const ruleMatches = matchRules(rules, personal.patterns, sender)
  const classRule = matchClassRule(rules, personal.patterns)
  const spamVote = memoryVote(spam, query, sender)
  const tabsVote = classVote(tabs, query)
  return {
    ...NO_EVIDENCE,
    ruleMatches,
    ...(classRule === undefined ? {} : { classRule }),
    ...(spamVote === undefined ? {} : { memoryVote: spamVote }),
    ...(tabsVote === undefined ? {} : { classVote: tabsVote }),
    ...(deltas && {
      shift: personalShift(deltas, query.sparse),
      ...(corrected.length > 0 && {
        shiftFrom: decidingCorrections(deltas, query.sparse, learnedCorrections(corrected, spam)),
      }),
    }),
    ...(detail && { nearest: nearestTo(query, spam, tabs) }),
    ...(typeof embedding === 'object' && { embeddingModel: embedding.model }),
  }
}

/** Corrections about spam with their terms, as far as the memory has who sent the message and when. */
function learnedCorrections(
  corrected: readonly CorrectedFeatures[],
  { messages }: Memory,
): LearnedCorrection[] {
  const byId = new Map(messages.map((message) => [message.feedbackId, message]))
  return corrected.flatMap(({ feedbackId, memory }) => {
    const message = byId.get(feedbackId)
    const item = message && decodeMemoryItem(memory)
    return item ? [{ terms: item.sparse, correction: namedCorrection(message) }] : []
  })
}

/** The largest similarities, also of messages that are too different to vote: the diagnostic shows them. */
function nearestTo(query: MemoryQuery, spam: Memory, tabs: Memory): NearestSimilarities {
  const [nearestSpam] = neighbors(spam, query, 1, -1)
  const [nearestTabs] = neighbors(tabs, query, 1, -1)
  return {
    ...(nearestSpam && { spam: nearestSpam.similarity }),
    ...(nearestTabs && { tabs: nearestTabs.similarity }),
  }
}

function queryFor(
  { sparse, hosts, identity, patterns, isFramed }: PersonalAnalysis,
  keys: MessageKeys,
  embedding: MemoryQuery['embedding'],
): MemoryQuery {
  return {
    ...{ sparse, hosts, embedding, isFramed },
    isSharedSender: isSharedSender(patterns),
    messageKey: keys.keyOf('message', identity),
    // Messages that do not say who they are from are not from one sender.
    ...(patterns.sender === undefined ? {} : { senderKey: keys.keyOf('sender', patterns.sender) }),
  }
}
