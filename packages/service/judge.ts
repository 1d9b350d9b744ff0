/**
 * THE JOURNEY of a request, in one screen: receive -> analyse -> know the users -> decide.
 *
 * `judge` takes it to the point where all that is left is to decide, which is another thing for
 * each of several users. What can be refused without the message is refused before it is read.
 * Users are looked up while the message arrives; where the store is away, the verdict does without.
 */
import { embedElsewhere } from '../mail/personalization/personal-analysis.ts'
import type { Analysis } from '../mail/verdict/analysis.ts'
// Not through analyse.ts: this thread never analyses, and need not load what only workers use.
import { decide } from '../mail/verdict/decide.ts'
import type { Timing } from '../mail/verdict/diagnostic.ts'
import { type Evidence, NO_EVIDENCE } from '../mail/verdict/evidence.ts'
import type { Policy } from '../mail/verdict/policy.ts'
import type { Verdict } from '../mail/verdict/verdict.ts'
import type { Caller } from './access/caller.ts'
import { type Analysing, analyseBody, type Incoming } from './analyse-body.ts'
import type { Feeds } from './feeds/feeds.ts'
import type { TaughtModels } from './taught-models/taught-models.ts'
import type { MessageKeys } from './users/message-keys.ts'
import { userEvidence } from './users/user-evidence.ts'
import { isBlank, type User, type Users } from './users/users.ts'

/** What a judgement needs of the rest of the service. */
export interface Judging extends Analysing {
  readonly policy: Policy
  readonly users: Users
  readonly keys: MessageKeys
  readonly taught: Pick<TaughtModels, 'leaseDeltas'>
  readonly feeds: Pick<Feeds, 'table'>
  readonly metrics: Analysing['metrics'] & { userUnknown(tenant: string): void }
}

export interface Question {
  /** For whom to decide. */
  readonly userIds: readonly string[]
  /** Also what the reasons of the verdict are drawn from. */
  readonly detail: boolean
  /** Also what a memory would be searched with, though no user has taught anything. */
  readonly personal?: boolean
}

/** A message of which only the decision is left. */
export interface Judged {
  readonly analysis: Analysis
  readonly policy: Policy
  /** In the order of the question. */
  readonly users: readonly User[]
  /** What is known beside the analysis, for one of them or for nobody. A full memory takes a millisecond to search. */
  readonly evidenceFor: (user: User | undefined) => Evidence
  /** Of the time until it is called. */
  readonly timing: () => Timing
}

export async function judge(
  service: Judging,
  { tenant, entitlements }: Caller,
  incoming: Incoming,
  { userIds, detail, personal = false }: Question,
): Promise<Judged> {
  service.analyser.refuseIfFull()
  const lookups = Promise.all(userIds.map((userId) => service.users.lookUp(tenant, userId)))

  await using body = await service.receiver.receive(incoming)
  const users = await lookups
  const received = performance.now()

  const { analysis, sender, spent } = await analyseBody(service, incoming, body, {
    detail,
    personal: personal || !users.every(isBlank),
    feeds: service.feeds.table,
    leaseDeltas: (version) => service.taught.leaseDeltas(tenant, version),
  })
  const analysed = performance.now()

  const compared = await embeddedIfPossible(service, incoming, analysis)
  for (const { known } of users) if (!known) service.metrics.userUnknown(tenant)

  return {
    analysis: compared,
    policy: { ...service.policy, spamEntitled: entitlements.has('spam') },
    users,
    evidenceFor: (user) => ({
      ...(user ? userEvidence(user, compared, sender, service.keys, tenant) : NO_EVIDENCE),
      senderAuthenticated: sender.result === 'pass',
      ...(sender.details.source !== 'none' && { authentication: sender.details }),
    }),
    timing: () => {
      const now = performance.now()
      return { ...spent, decision: now - analysed, total: now - received }
    },
  }
}

/** The verdict for the one user whom the question named, or for nobody. */
export function verdictOf({ analysis, policy, evidenceFor, users: [user] }: Judged): Verdict {
  return decide(analysis, evidenceFor(user), policy)
}

/** A verdict does not fail with the embedding model: without it the memory is searched by words alone. */
async function embeddedIfPossible(
  { embedding }: Judging,
  { log }: Incoming,
  analysis: Analysis,
): Promise<Analysis> {
  if (analysis.personal?.passages === undefined) return analysis
  try {
    return { ...analysis, personal: await embedElsewhere(analysis.personal, embedding) }
  } catch (error) {
    log.warn({ err: error }, 'A message was not embedded; its words alone were compared')
    return analysis
  }
}
