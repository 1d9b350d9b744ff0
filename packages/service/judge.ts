/**
 * THE JOURNEY of a request, in one screen: receive -> analyse -> know the users -> decide.
 *
 * A request that can be refused without its message is refused before the message is read. Users are looked up when the message has had its turn, one
 * after another, and of each only the evidence is kept: a message that waits for a hundred users with full memories must not
 * hold 300 MB. When the store is unavailable, the verdict does without them.
 */
import { setImmediate } from 'node:timers/promises'
import { registrableDomain } from '../mail/message/domain.ts'
import { factsOf, type RulesSay, rulesFor } from '../mail/operator-rules/match.ts'
import type { MailLimits } from '../mail/operator-rules/rule.ts'
import type { MessageEmbedding } from '../mail/personalization/memory.ts'
import type { SenderAuthentication } from '../mail/personalization/rules.ts'
import { isFreeMail } from '../mail/signals/host-lists.ts'
import type { Analysis } from '../mail/verdict/analysis.ts'
import { decide, decideClass } from '../mail/verdict/decide.ts'
import { type Evidence, NO_EVIDENCE, withRules } from '../mail/verdict/evidence.ts'
import type { Policy } from '../mail/verdict/policy.ts'
import type { SenderFinding } from '../mail/verdict/sender-term.ts'
import type { Caller } from './access/caller.ts'
import { type Analysing, analyseBody, refuseIfFull } from './analyse-body.ts'
import { embeddingOf } from './encoder/embed-message.ts'
import type { Feeds } from './feeds/feeds.ts'
import type { LearnedModels } from './learned-models/learned-models.ts'
import { type Policies, recipientOf } from './policies.ts'
import type { Decision, Judged, Recipient, Request } from './request.ts'
import type { OperatorRules } from './rules/operator-rules.ts'
import type { CorrectedFeatures } from './users/correction.ts'
import { correspondentFor } from './users/correspondent-evidence.ts'
import type { Correspondents } from './users/correspondents.ts'
import type { MessageKeys } from './users/message-keys.ts'
import { userEvidence } from './users/user-evidence.ts'
import { hasComplained, hasMemories, type User, type Users } from './users/users.ts'

/** How long a message waits for the store in all, in milliseconds. A full memory takes a tenth of a second to read. */
const LOOKUPS_MS_MAX = 5_000

/** So many users of a message whom the store did not give in time, and it is asked for no other: it does not answer now. */
const UNKNOWN_MAX = 4

/** What judging needs of the rest of the service. */
export interface Judging extends Analysing {
  readonly policies: Policies
  readonly users: Pick<Users, 'known' | 'lookUp' | 'corrected'>
  /** With whom users write. */
  readonly correspondents: Pick<Correspondents, 'lookUp'>
  readonly rules: Pick<OperatorRules, 'index' | 'count'>
  readonly keys: MessageKeys
  readonly learned: Pick<LearnedModels, 'deltas'>
  readonly feeds: Pick<Feeds, 'table'>
  readonly metrics: Analysing['metrics'] & { userUnknown(): void }
  /** Hears of each message that was judged (on-judged.ts). */
  onJudged(caller: Caller, judged: Judged): void
}

/** @throws TamisError what the message is refused for. */
export async function judge(service: Judging, caller: Caller, request: Request): Promise<Judged> {
  const { users: userIds = [], want = 'verdict' } = request
  const inDepth = want === 'diagnostic'
  refuseIfFull(service, request)
  await using body = await service.receiver.receive(request)
  const received = performance.now()

  const { policies, metrics } = service
  const isEntitled = caller.entitlements.has('spam')
  const wantsSpam = want !== 'class' && isEntitled
  const { index } = service.rules
  const hasRules = index.rules.length > 0
  const options = {
    detail: inDepth || want === 'reasons',
    // Whoever is not known yet may have anything to compare it with.
    personal: inDepth || userIds.some((userId) => comparesContent(service.users.known(userId))),
    ...(hasRules && { textRules: index.textRules }),
    feeds: service.feeds.table,
    // Without spam detection nothing would come of these.
    listNames: wantsSpam && service.senderChecks.lists !== undefined,
    scan: wantsSpam,
  }
  const { analysis, sender, lists, scan, spent } = await analyseBody(
    service,
    request,
    body,
    options,
    service.learned.deltas,
  )
  const analysed = performance.now()

  const policyFor = ({ threshold }: RulesSay): Policy => ({
    ...policies(threshold),
    spamEntitled: isEntitled,
  })
  const decided = (evidence: Evidence, rules: RulesSay): Decision => {
    const policy = policyFor(rules)
    return { evidence, policy, verdict: decide(analysis, evidence, policy) }
  }
  const facts = hasRules ? factsOf(index, analysis.claims) : undefined
  const rulesOf = (userId?: string): RulesSay => {
    const { ruleTexts } = analysis
    if (facts === undefined || ruleTexts === undefined) return NOTHING_SAID
    return rulesFor(index, facts, ruleTexts, recipientOf(userId), sender)
  }
  const evidenceWith = (own: Evidence, rules: RulesSay, userId?: string): Evidence => ({
    ...withRules(own, rules),
    senderAuthenticated: sender.result === 'pass',
    sender: findingFor(sender, recipientOf(userId).recipientDomain),
    ...(lists && { lists }),
    ...(scan && { scan }),
    ...(sender.details.source !== 'none' && { authentication: sender.details }),
  })
  const rulesForAll = rulesOf()
  if (userIds.length === 0) service.rules.count(rulesForAll.applied)
  const lookUpUntil = performance.now() + LOOKUPS_MS_MAX
  let unknown = 0
  // After that, users are given as the cache has them.
  const lookUp = (userId: string) => {
    const waitMsMax = unknown < UNKNOWN_MAX ? lookUpUntil - performance.now() : 0
    return service.users.lookUp(userId, waitMsMax)
  }
  const { keys } = service
  let embedding: MessageEmbedding | 'agrees' | undefined = service.embedder.isUsable
    ? 'agrees'
    : undefined
  const users: Recipient[] = []
  for (const userId of userIds) {
    const correspondents = await service.correspondents.lookUp(userId)
    let user: User | undefined = await lookUp(userId)
    const hasMemory = hasMemories(user)
    if (!user.known) {
      unknown++
      metrics.userUnknown()
    }
    const corrected = inDepth && user.deltas ? await correctedBy(service, userId, request) : []
    const rules = rulesOf(userId)
    const evidenceOf = (of: User) => {
      const own = userEvidence(of, analysis, sender, keys, { embedding, corrected })
      const acquainted = { ...of, userId, correspondents }
      const correspondent = wantsSpam
        ? correspondentFor(acquainted, analysis, sender, keys)
        : undefined
      return evidenceWith({ ...own, ...(correspondent && { correspondent }) }, rules, userId)
    }
    let evidence = evidenceOf(user)
    const { known } = user
    const hasComplained = wantsSpam && complainsOf(user, analysis, keys)
    if (embedding === 'agrees' && isUpToMemory(analysis, evidence, policyFor(rules))) {
      // It may take a while, in which nothing large is to be held.
      user = undefined
      embedding = await embeddingOf(service, request, analysis.personal.embeddedText)
      evidence = evidenceOf(await lookUp(userId))
    }
    const limits = limitsOf(rules)
    users.push({ userId, known, hasComplained, limits, ...decided(evidence, rules) })
    service.rules.count(rules.applied)
    // Other requests have their turn between two full memories.
    if (hasMemory) await setImmediate()
  }
  const judged: Judged = {
    request,
    analysis,
    users,
    shared: decided(evidenceWith(NO_EVIDENCE, rulesForAll), rulesForAll),
    timing: () => {
      const now = performance.now()
      return { ...spent, decision: now - analysed, total: now - received }
    },
  }
  service.onJudged(caller, judged)
  return judged
}

function limitsOf({ rejectAt, quarantineAt }: RulesSay): MailLimits {
  return {
    ...(rejectAt !== undefined && { rejectAt }),
    ...(quarantineAt !== undefined && { quarantineAt }),
  }
}

/** Whether the content of a message is compared with what `user` has corrected. */
function comparesContent(user: User | undefined): boolean {
  return user === undefined || user.rules.hasTemplates || hasMemories(user)
}

/** What the user's deltas were learned from; nothing without the store. */
async function correctedBy(
  { users }: Judging,
  userId: string,
  { log }: Request,
): Promise<readonly CorrectedFeatures[]> {
  try {
    return await users.corrected(userId)
  } catch (error) {
    log.warn({ err: error }, 'The corrections behind a verdict could not be read')
    return []
  }
}

/** Whether the user calls mail of the sender spam, also where nobody has forged the name. */
function complainsOf(
  user: User,
  { correspondence }: Pick<Analysis, 'correspondence'>,
  keys: MessageKeys,
): boolean {
  const { sender } = correspondence
  return sender !== undefined && hasComplained(user, keys.keyOf('sender', sender), 'pass')
}

/** What rules say where there are none. */
const NOTHING_SAID: RulesSay = { matches: [], applied: [] }

/** What checks found, for a recipient at `domain`: whether the sender is of the same organisation. */
function findingFor(
  { finding, ...sender }: SenderAuthentication & { readonly finding: SenderFinding },
  domain?: string,
): SenderFinding {
  if (sender.result !== 'pass' || finding.result !== 'passed' || domain === undefined)
    return finding
  const own = registrableDomain(domain)
  return { ...finding, isOwn: own === registrableDomain(sender.domain) && !isFreeMail(own) }
}

/** What was decided for the one user of the request, or for no user. */
export function decisionOf({ users: [user], shared }: Judged): Decision {
  return user ?? shared
}

/** Whether a memory decides, if the embeddings agree: only then is the message embedded. */
function isUpToMemory(analysis: Analysis, evidence: Evidence, policy: Policy): boolean {
  const { memoryVote, classVote } = evidence
  const isSpamVote = memoryVote !== undefined && !memoryVote.sameMessage
  const isClassVote = classVote !== undefined && !classVote.sameMessage
  return (
    (isSpamVote && decide(analysis, evidence, policy).bypassReason === 'knn_memory') ||
    (isClassVote && decideClass(analysis, evidence).personalizationSource === 'tabs_knn')
  )
}
