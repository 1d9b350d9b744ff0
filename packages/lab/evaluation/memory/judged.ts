/** Mail as a user's rules, memory and personal deltas see it, and what they say of other mail once the user has corrected some. */
import { SHIPPED_ENCODER } from '../../../artifact-files/artifact-files.ts'
import { embedText, openEncoder } from '../../../encoder/open-encoder.ts'
import { analyse } from '../../../mail/analyse.ts'
import { decodeEventFeatures } from '../../../mail/features/event-features.ts'
import type { PersonalExample, PersonalTraining } from '../../../mail/learning/personal-training.ts'
import { memoryOctets } from '../../../mail/message/octets.ts'
import type { Models } from '../../../mail/models/models.ts'
import {
  type MemoryQuery,
  type MessageEmbedding,
  packMemory,
} from '../../../mail/personalization/memory.ts'
import { memoryVote } from '../../../mail/personalization/memory-votes.ts'
import { isSharedSender, type Patterns } from '../../../mail/personalization/patterns.ts'
import { memoryItemOf } from '../../../mail/personalization/personal-analysis.ts'
import { personalShift } from '../../../mail/personalization/personal-deltas.ts'
import { indexRules } from '../../../mail/personalization/rule-index.ts'
import {
  matchRules,
  type SenderAuthentication,
  UNKNOWN_SENDER,
  undisputedRules,
} from '../../../mail/personalization/rules.ts'
import type { Analysis } from '../../../mail/verdict/analysis.ts'
import type { Evidence } from '../../../mail/verdict/evidence.ts'
import { startProgress } from '../../../terminal/progress.ts'
import { CORPUS_FACTS, CORPUS_KNOWLEDGE } from '../../corpora/facts.ts'

/** What judges: models, and what users' deltas are learned by. */
export interface Judges {
  readonly models: Models
  readonly training: PersonalTraining
}

/** A message that a user calls what it is. */
export interface Judged {
  readonly spam: boolean
  readonly authentication: SenderAuthentication
  readonly analysis: Analysis
  readonly patterns: Patterns
  readonly embedding: MessageEmbedding
  /** What the log of corrections keeps of it. */
  readonly example: PersonalExample
  readonly query: MemoryQuery
}

export interface Labelled {
  readonly bytes: Uint8Array
  readonly spam?: boolean | undefined
  /** Unknown if absent: nothing checked the sender. */
  readonly authentication?: SenderAuthentication
}

/** Each of `messages`, drawn and embedded as the service does. */
export async function judgedOf(messages: readonly Labelled[], models: Models): Promise<Judged[]> {
  const encoder = await openEncoder(SHIPPED_ENCODER)
  const vectors = new Map<string, Float32Array>()
  const progress = startProgress('embed', messages.length)
  const options = { personal: true, eventFeatures: true, knowledge: CORPUS_KNOWLEDGE }
  const judged: Judged[] = []
  for (const { bytes, spam = false, authentication = UNKNOWN_SENDER } of messages) {
    const analysis = analyse(memoryOctets(bytes), CORPUS_FACTS, models, options)
    const { patterns, sparse, hosts, isFramed, embeddedText } = analysis.personal
    const vector = vectors.get(embeddedText) ?? (await embedText(encoder, embeddedText))
    vectors.set(embeddedText, vector)
    progress.advance()
    const features = decodeEventFeatures(
      analysis.eventFeatures!,
      models.metaNumbering.names.length,
    )!
    const embedding = { model: encoder.id, vector }
    const isShared = isSharedSender(patterns)
    judged.push({
      ...{ spam, authentication, analysis, patterns, embedding },
      example: { ...features, terms: sparse, label: spam ? 1 : 0 },
      query: {
        sparse,
        hosts,
        embedding,
        isFramed,
        isSharedSender: isShared,
        ...senderOf(patterns),
      },
    })
  }
  progress.end()
  await encoder.close()
  return judged
}

/** Evidence about a message for a user who has made these corrections, oldest first. */
export function evidenceAfter(
  corrected: readonly Judged[],
  training: PersonalTraining,
): (message: Judged) => Evidence {
  const corrections = corrected.map((message, i) => ({
    feedbackId: String(i),
    label: message.spam ? 'spam' : 'ham',
    createdAt: new Date(0),
    ...senderOf(message.patterns),
    ...authenticatedDomainOf(message),
    ...memoryItemOf(message.analysis.personal, message.embedding),
    patterns: message.patterns,
  }))
  const memory = packMemory(corrections.toReversed())
  // None for an address through which many people write.
  const automatic = corrections.toReversed().flatMap(({ patterns, senderKey, ...made }) => {
    if (senderKey === undefined || isSharedSender(patterns)) return []
    return [{ ...made, pattern: patterns.sender!, senderKey }]
  })
  const rules = indexRules([], undisputedRules(automatic, automatic))
  const deltas = training.train({ spam: corrected.map(({ example }) => example), tabs: [] })
  return ({ query, patterns, authentication }) => {
    const vote = memoryVote(memory, query, authentication)
    return {
      senderAuthenticated: authentication.result === 'pass',
      ruleMatches: matchRules(rules, patterns, authentication),
      ...(vote && { memoryVote: vote }),
      ...(deltas && { shift: personalShift(deltas, query.sparse) }),
    }
  }
}

function authenticatedDomainOf({ authentication }: Judged) {
  return authentication.result === 'pass' ? { authenticatedDomain: authentication.domain } : {}
}

function senderOf({ sender }: Patterns): { readonly senderKey?: Uint8Array } {
  return sender === undefined ? {} : { senderKey: Buffer.from(sender) }
}
