/** Mail as a user's rules, memory and personal deltas see it, and what they say of other mail once the user has corrected some. */
import { SHIPPED_ENCODER } from '../../../artifact-files/artifact-files.ts'
import { embedText, openEncoder } from '../../../encoder/open-encoder.ts'
import {
  decodeEventFeatures,
  type EventFeatures,
  encodeEventFeatures,
} from '../../../mail/features/event-features.ts'
import type { Knowledge } from '../../../mail/knowledge/knowledge.ts'
import type { PersonalExample, PersonalTraining } from '../../../mail/learning/personal-training.ts'
import type { Message } from '../../../mail/message/message.ts'
import type { Models } from '../../../mail/models/models.ts'
import {
  type MemoryQuery,
  type MessageEmbedding,
  packMemory,
  type StoredMemoryItem,
} from '../../../mail/personalization/memory.ts'
import { memoryVote } from '../../../mail/personalization/memory-votes.ts'
import { isSharedSender, type Patterns } from '../../../mail/personalization/patterns.ts'
import {
  memoryItemOf,
  type PersonalAnalysis,
  personalAnalysis,
} from '../../../mail/personalization/personal-analysis.ts'
import { personalShift } from '../../../mail/personalization/personal-deltas.ts'
import { indexRules } from '../../../mail/personalization/rule-index.ts'
import {
  matchRules,
  type SenderAuthentication,
  UNKNOWN_SENDER,
  undisputedRules,
} from '../../../mail/personalization/rules.ts'
import type { Evidence } from '../../../mail/verdict/evidence.ts'
import { startProgress } from '../../../terminal/progress.ts'

/** What rules and memory see of a message. */
export interface Remembered
  extends Pick<PersonalAnalysis, 'patterns' | 'sparse' | 'hosts' | 'isFramed' | 'embeddedText'> {
  /** See MemoryQuery; where it is one of a model, a memory has it too. */
  readonly embedding?: MemoryQuery['embedding']
  /** Unknown if absent: nothing checked the sender. */
  readonly authentication?: SenderAuthentication
}

/** What messages are drawn with. */
export interface MemoryMeans {
  readonly models: Models
  readonly knowledge: Knowledge
}

export function rememberedOf(message: Message, { models, knowledge }: MemoryMeans): Remembered {
  return personalAnalysis(message, models, knowledge)
}

/** Each of `messages` with its embedding. */
export async function embedded<Message extends Remembered>(
  messages: readonly Message[],
): Promise<Message[]> {
  const embeddings = await embeddingsOf(messages.map(({ embeddedText }) => embeddedText))
  return messages.map((message, i) => ({ ...message, embedding: embeddings[i]! }))
}

export function storedItem(message: Remembered, label: string, feedbackId = ''): StoredMemoryItem {
  const { embedding, patterns, authentication } = message
  const stored = memoryItemOf(message, typeof embedding === 'object' ? embedding : undefined)
  const made = { feedbackId, label, createdAt: new Date(0) }
  return { ...made, ...stored, ...senderOf(patterns), ...authenticatedDomainOf(authentication) }
}

export function queryOf({ sparse, hosts, embedding, patterns, isFramed }: Remembered): MemoryQuery {
  const isSharedOne = isSharedSender(patterns)
  return { sparse, hosts, embedding, isSharedSender: isSharedOne, isFramed, ...senderOf(patterns) }
}

/** The Sender rules that corrections make, in their order; none for an address through which many people write. */
export function senderRules<T extends Remembered>(
  corrected: readonly T[],
  labelOf: (message: T) => string,
) {
  return corrected.flatMap((message, i) => {
    const { patterns, authentication } = message
    const { sender } = patterns
    if (sender === undefined || isSharedSender(patterns)) return []
    const made = { feedbackId: String(i), label: labelOf(message), createdAt: new Date(0) }
    const proof = authenticatedDomainOf(authentication)
    return [{ ...made, pattern: sender, senderKey: Buffer.from(sender), ...proof }]
  })
}

function authenticatedDomainOf(authentication: SenderAuthentication | undefined) {
  return authentication?.result === 'pass' ? { authenticatedDomain: authentication.domain } : {}
}

function senderOf({ sender }: Patterns): { readonly senderKey?: Uint8Array } {
  return sender === undefined ? {} : { senderKey: Buffer.from(sender) }
}

/** One for each of `texts` (PersonalAnalysis.embeddedText); equal texts share it. */
async function embeddingsOf(texts: readonly string[]): Promise<MessageEmbedding[]> {
  const encoder = await openEncoder(SHIPPED_ENCODER)
  const different = new Set(texts)
  const progress = startProgress('embed', different.size)
  const embeddings = new Map<string, MessageEmbedding>()
  for (const text of different) {
    embeddings.set(text, { model: encoder.id, vector: await embedText(encoder, text) })
    progress.advance(1)
  }
  progress.end()
  await encoder.close()
  return texts.map((text) => embeddings.get(text)!)
}

/** A message that a user has called spam or not. */
export interface SpamCorrection {
  readonly message: EventFeatures & Remembered
  readonly spam: boolean
}

/** Evidence about a message for a user who has made these corrections, oldest first. */
export function evidenceAfter(
  corrections: readonly SpamCorrection[],
  training: PersonalTraining,
): (message: SpamCorrection['message']) => Evidence {
  const memory = packMemory(
    corrections
      .map(({ message, spam }, i) => storedItem(message, spamLabel(spam), String(i)))
      .toReversed(),
  )
  const newestFirst = corrections.toReversed().map(({ message, spam }) => ({ ...message, spam }))
  const automatic = senderRules(newestFirst, ({ spam }) => spamLabel(spam))
  const rules = indexRules([], undisputedRules(automatic, automatic))
  const deltas = training.train({
    spam: corrections.map(({ message, spam }) => exampleOf(message, spam ? 1 : 0)),
    tabs: [],
  })
  return (message) => {
    const query = queryOf(message)
    const sender = message.authentication ?? UNKNOWN_SENDER
    const vote = memoryVote(memory, query, sender)
    return {
      senderAuthenticated: sender.result === 'pass',
      ruleMatches: matchRules(rules, message.patterns, sender),
      ...(vote && { memoryVote: vote }),
      ...(deltas && { shift: personalShift(deltas, query.sparse) }),
    }
  }
}

function spamLabel(spam: boolean): string {
  return spam ? 'spam' : 'ham'
}

/** What the log of corrections keeps of the message. */
function exampleOf(message: EventFeatures & Remembered, label: number): PersonalExample {
  const { text, meta } = message
  const features = decodeEventFeatures(encodeEventFeatures(text, meta), meta.size)!
  return { ...features, terms: queryOf(message).sparse, label }
}
