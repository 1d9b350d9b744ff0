/**
 * Looks up the users of a message, and decides for each.
 *
 * They are looked up one after another, and of each only the evidence is kept: a message for a hundred users with full
 * memories must not hold 300 MB. When the store is unavailable, the verdict does without them.
 */
import { setImmediate } from 'node:timers/promises'
import type { Correspondent } from '../../mail/personalization/correspondents.ts'
import type { MessageEmbedding } from '../../mail/personalization/memory.ts'
import type { Analysis } from '../../mail/verdict/analysis.ts'
import { decideClass } from '../../mail/verdict/decide.ts'
import type { Evidence } from '../../mail/verdict/evidence.ts'
import type { AnalysedBody } from '../analyse-body.ts'
import { embeddingOf } from '../encoder/embedder.ts'
import type { Decision, Recipient, Request, Service } from '../request.ts'
import { LOOKUP_MS_MAX } from '../store-cache.ts'
import type { CorrectedFeatures } from './correction.ts'
import type { Acquainted } from './correspondents.ts'
import { userEvidence } from './user-evidence.ts'
import { hasComplained, hasMemories, type User, type Users } from './users.ts'

/** How long a message waits for the store in all, in milliseconds. A full memory takes a tenth of a second to read. */
const LOOKUPS_MS_MAX = 5_000

/** So many users of a message whom the store did not give in time, and it is asked for no other: it does not answer now. */
const UNKNOWN_MAX = 4

/**
 * The verdict for each user of `request`, in order.
 *
 * @param decided decides by what is known of one user.
 */
export async function decideForUsers(
  service: Service,
  request: Request,
  { analysis, sender }: Pick<AnalysedBody, 'analysis' | 'sender'>,
  wantsSpam: boolean,
  decided: (own: Evidence, userId: string) => Decision,
): Promise<Recipient[]> {
  const { keys, embedder } = service
  const lookUp = lookUpInTime(service)
  const correspondentOf = correspondentsInTime(service, analysis, sender)
  let embedding: MessageEmbedding | 'agrees' | undefined = embedder.isUsable ? 'agrees' : undefined
  const recipients: Recipient[] = []
  for (const userId of request.users ?? []) {
    let user: User | undefined = await lookUp(userId)
    const { known } = user
    const hasMemory = hasMemories(user)
    const corrected = await correctedBy(service, user, userId, request)
    const correspondent = wantsSpam ? await correspondentOf({ ...user, userId }) : undefined
    const decidedFor = (of: User) => {
      const own = userEvidence(of, analysis, sender, keys, { embedding, corrected })
      return decided({ ...own, ...(correspondent && { correspondent }) }, userId)
    }
    let decision = decidedFor(user)
    const complains = wantsSpam && complainsOf(user, analysis, service)
    if (embedding === 'agrees' && isUpToMemory(analysis, decision)) {
      // It may take a while, in which nothing large is to be held.
      user = undefined
      embedding = await embeddingOf(service, request, analysis.personal.embeddedText)
      decision = decidedFor(await lookUp(userId))
    }
    recipients.push({ userId, known, hasComplained: complains, ...decision })
    // Other requests have their turn between two full memories.
    if (hasMemory) await setImmediate()
  }
  return recipients
}

/** Whether the content of a message is compared with what the user has corrected. Whoever is not known yet may have anything. */
export function comparesContent(users: Pick<Users, 'known'>, userId: string): boolean {
  const user = users.known(userId)
  return user === undefined || user.rules.hasTemplates || hasMemories(user)
}

/** Looks up users of one message: when it has waited long enough, they are given as the cache has them. */
function lookUpInTime({ users, metrics }: Service): (userId: string) => Promise<User> {
  const deadline = performance.now() + LOOKUPS_MS_MAX
  let unknown = 0
  return async (userId) => {
    const waitMsMax = unknown < UNKNOWN_MAX ? deadline - performance.now() : 0
    const user = await users.lookUp(userId, waitMsMax)
    if (!user.known) {
      unknown++
      metrics.count('users_unknown')
    }
    return user
  }
}

/** Looks up correspondents for one message: once the store does not answer in time, verdicts do without them. */
function correspondentsInTime(
  { correspondents }: Service,
  { correspondence }: Analysis,
  sender: AnalysedBody['sender'],
): (user: Acquainted) => Promise<Correspondent | undefined> {
  let answers = true
  return async (user) => {
    if (!answers) return undefined
    try {
      return await inTime(correspondents.lookUp(user, correspondence, sender))
    } catch {
      answers = false
      return undefined
    }
  }
}

/** Rejects if `lookup` takes longer than LOOKUP_MS_MAX. */
async function inTime<Value>(lookup: Promise<Value>): Promise<Value> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error('The store does not answer')), LOOKUP_MS_MAX)
  })
  return await Promise.race([lookup, late]).finally(() => clearTimeout(timer))
}

/** What the user's deltas were learned from, for the diagnostic; nothing without the store. */
async function correctedBy(
  { users }: Service,
  { deltas }: User,
  userId: string,
  { want, log }: Request,
): Promise<readonly CorrectedFeatures[]> {
  if (want !== 'diagnostic' || deltas === undefined) return []
  try {
    return await users.corrected(userId)
  } catch (error) {
    log.warn({ err: error }, 'The corrections behind a verdict could not be read')
    return []
  }
}

/** Whether the user calls mail of the sender spam, also where nobody has forged the name. */
function complainsOf(user: User, { correspondence }: Analysis, { keys }: Service): boolean {
  const { sender } = correspondence
  return sender !== undefined && hasComplained(user, keys.keyOf('sender', sender), 'pass')
}

/** Whether a memory decides, if the embeddings agree: only then is the message embedded. */
function isUpToMemory(analysis: Analysis, { evidence, verdict }: Decision): boolean {
  const { memoryVote, classVote } = evidence
  const isSpamVote = memoryVote !== undefined && !memoryVote.sameMessage
  const isClassVote = classVote !== undefined && !classVote.sameMessage
  return (
    (isSpamVote && verdict.bypassReason === 'knn_memory') ||
    (isClassVote && decideClass(analysis, evidence).personalizationSource === 'tabs_knn')
  )
}
