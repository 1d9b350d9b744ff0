/**
 * THE JOURNEY of a request, in one screen: receive -> analyse -> know the users -> read what is doubtful -> decide.
 *
 * `judge` does everything but the decision, which differs between users. A request that can be refused
 * without its message is refused before the message is read. Users are looked up while the message
 * arrives; when the store is unavailable, the verdict does without them.
 */
import { registrableDomain } from '../mail/message/domain.ts'
import { embedElsewhere } from '../mail/personalization/personal-analysis.ts'
import type { RuleMatch, SenderAuthentication } from '../mail/personalization/rules.ts'
import {
  matchSiteRules,
  type SiteRuleIndex,
  type SiteScope,
} from '../mail/personalization/site-rules.ts'
import { isFreeMail } from '../mail/signals/free-mail.ts'
import type { Analysis } from '../mail/verdict/analysis.ts'
import { decide } from '../mail/verdict/decide.ts'
import type { Timing } from '../mail/verdict/diagnostic.ts'
import { type Evidence, NO_EVIDENCE } from '../mail/verdict/evidence.ts'
import type { Policy } from '../mail/verdict/policy.ts'
import type { SenderFinding } from '../mail/verdict/sender-term.ts'
import type { Verdict } from '../mail/verdict/verdict.ts'
import type { Caller } from './access/caller.ts'
import { type Analysing, analyseBody, type Incoming, refuseIfFull } from './analyse-body.ts'
import type { Feeds } from './feeds/feeds.ts'
import type { LearnedModels } from './learned-models/learned-models.ts'
import { type Policies, type PolicyRecipient, policyOf, recipientOf } from './policies.ts'
import { readIfDoubtful, type SecondReading } from './read-doubtful.ts'
import type { MailLimits } from './tenants/recipient-setting.ts'
import { limitsFor, settingFor, type Tenant, type Tenants } from './tenants/tenants.ts'
import { type FileWeightedRule, weightedRulesFor } from './tenants/weighted-rule.ts'
import type { CorrectedFeatures } from './users/correction.ts'
import type { CorrespondentKeys } from './users/correspondent.ts'
import { correspondentFor } from './users/correspondent-evidence.ts'
import type { Correspondents } from './users/correspondents.ts'
import type { MessageKeys } from './users/message-keys.ts'
import { userEvidence } from './users/user-evidence.ts'
import { partsCompared, type User, type Users } from './users/users.ts'

/** What judging needs of the rest of the service. */
export interface Judging extends Analysing, Pick<SecondReading, 'reader'> {
  readonly policies: Policies
  readonly users: Pick<Users, 'lookUp' | 'corrected'>
  /** With whom users write. */
  readonly correspondents: Pick<Correspondents, 'lookUp'>
  /** What each tenant has set. */
  readonly tenants: Pick<Tenants, 'lookUp'>
  readonly keys: MessageKeys
  readonly learned: Pick<LearnedModels, 'leaseDeltas'>
  readonly feeds: Pick<Feeds, 'table'>
  /** What the operator's files allow and block. */
  readonly siteRules: SiteRuleIndex
  /** The weighted rules in the operator's files. */
  readonly weightedRules: readonly FileWeightedRule[]
  /** Whether judged messages are kept in the history. */
  readonly keepsHistory: boolean
  readonly metrics: Analysing['metrics'] &
    SecondReading['metrics'] & { userUnknown(tenant: string): void }
}

/** What is asked about a message. */
export interface JudgeOptions {
  /** The users for whom to decide. */
  readonly userIds: readonly string[]
  /** Whether there is also to be a verdict for nobody in particular. True where there are no users. */
  readonly shared?: boolean
  /** Whether to collect what the reasons of the verdict are drawn from. */
  readonly detail: boolean
  /** Whether to find out what takes longer: which sentences moved the reader, if it reads the message, and which corrections are behind what a user's own models add. */
  readonly inDepth?: boolean
  /** Whether a user has sent the message, so that it is to be said to whom it goes. */
  readonly outgoing?: boolean
  /** Whether to make what a memory is searched with even if no user has corrected anything. */
  readonly personal?: boolean
  /** False where the class alone is asked for: then nobody is asked about the message. True by default. */
  readonly spam?: boolean
}

/** A user of the request. */
export interface Recipient extends User {
  readonly userId: string
  readonly correspondents: CorrespondentKeys
}

/** A message for which only the decision is left. */
export interface Judged {
  readonly analysis: Analysis
  /** The policy for one of the users or for none. */
  readonly policyFor: (user: Recipient | undefined) => Policy
  /** From when on a mail server is to refuse or hold mail for one of the users. */
  readonly limitsFor: (user: Recipient) => MailLimits
  /** The users in the order of the request. */
  readonly users: readonly Recipient[]
  /** What is known besides the analysis, for one of the users or for none. A full memory takes a millisecond to search, once. */
  readonly evidenceFor: (user: Recipient | undefined) => Evidence
  /** The timing up to the call. */
  readonly timing: () => Timing
}

export async function judge(
  service: Judging,
  { tenant, entitlements }: Caller,
  incoming: Incoming,
  {
    userIds,
    shared,
    detail,
    inDepth = false,
    outgoing = false,
    personal = false,
    spam = true,
  }: JudgeOptions,
): Promise<Judged> {
  refuseIfFull(service, incoming)
  const settings = service.tenants.lookUp(tenant)
  const lookups = Promise.all(userIds.map((userId) => recipientFrom(service, tenant, userId)))

  await using body = await service.receiver.receive(incoming)
  const users = await lookups
  const ofTenant = await settings
  const received = performance.now()

  // Taken with the analyser: a reload may replace both while the message is analysed.
  const { policies, reader, metrics } = service
  const wantsSpam = spam && entitlements.has('spam')
  // Those of the tenant come before the operator's.
  const siteRules = [ofTenant.siteRules, service.siteRules]
  const options = {
    detail,
    personal: personal || partsCompared(users),
    identity: service.keepsHistory,
    claims: siteRules.some(({ count }) => count > 0) || service.keepsHistory,
    ...(wantsSpam && {
      weightedRules: weightedRulesFor(tenant, ofTenant.weightedRules, service.weightedRules),
    }),
    correspondence: wantsSpam && users.length > 0,
    outgoing: outgoing && wantsSpam,
    feeds: service.feeds.table,
    // Without spam detection nothing would come of these.
    listNames: wantsSpam && service.senderChecks.lists !== undefined,
    scan: wantsSpam,
    essence: wantsSpam && reader !== undefined,
  }
  const {
    analysis: first,
    sender,
    lists,
    scan,
    spent,
  } = await analyseBody(service, incoming, body, options, (version) =>
    service.learned.leaseDeltas(tenant, version),
  )
  const analysed = performance.now()

  const compared = await embeddedIfPossible(service, incoming, first)
  const corrected = inDepth ? await correctedBy(service, tenant, users, incoming) : new Map()
  for (const { known } of users) if (!known) metrics.userUnknown(tenant)
  const policyFor = (user: Recipient | undefined): Policy => ({
    ...policyOf(policies, recipient(user), thresholdOf(ofTenant, user)),
    spamEntitled: entitlements.has('spam'),
  })
  const evidenceFor = onceFor((user) => {
    const correspondent = user && correspondentFor(user, compared, sender, service.keys, tenant)
    return {
      ...withSiteRules(
        user
          ? userEvidence(user, compared, sender, service.keys, tenant, corrected.get(user))
          : NO_EVIDENCE,
        siteMatches(siteRules, compared, { tenant, ...recipient(user) }, sender),
      ),
      ...(correspondent && { correspondent }),
      senderAuthenticated: sender.result === 'pass',
      sender: findingFor(sender, recipient(user).recipientDomain),
      ...(lists && { lists }),
      ...(scan && { scan }),
      ...(sender.details.source !== 'none' && { authentication: sender.details }),
    }
  })
  const recipients = shared || users.length === 0 ? [...users, undefined] : users
  const undecided = { analysis: compared, recipients, evidenceFor, policyFor }
  const analysis = await readIfDoubtful({ reader, metrics }, undecided, incoming, inDepth)

  return {
    analysis,
    policyFor,
    limitsFor: ({ userId }) => limitsFor(ofTenant.recipients, userId),
    users,
    evidenceFor,
    timing: () => {
      const now = performance.now()
      const decision = now - analysed - (analysis.readingMs ?? 0)
      return { ...spent, decision, total: now - received }
    },
  }
}

/** What is known of a user of the request. */
async function recipientFrom(
  { users, correspondents }: Judging,
  tenant: string,
  userId: string,
): Promise<Recipient> {
  const [user, known] = await Promise.all([
    users.lookUp(tenant, userId),
    correspondents.lookUp(tenant, userId),
  ])
  return { ...user, userId, correspondents: known }
}

/** What the deltas of each user who has any were learned from; without the store nobody's is known. */
async function correctedBy(
  service: Judging,
  tenant: string,
  users: readonly Recipient[],
  { log }: Incoming,
): Promise<ReadonlyMap<Recipient, readonly CorrectedFeatures[]>> {
  const learned = users.filter(({ deltas }) => deltas !== undefined)
  try {
    const found = learned.map(
      async (user) => [user, await service.users.corrected(tenant, user.userId)] as const,
    )
    return new Map(await Promise.all(found))
  } catch (error) {
    log.warn({ err: error }, 'The corrections behind a verdict could not be read')
    return new Map()
  }
}

/** `evidenceFor`, which finds what is known for each user but once. */
function onceFor(evidenceFor: Judged['evidenceFor']): Judged['evidenceFor'] {
  const found = new Map<Recipient | undefined, Evidence>()
  return (user) => {
    const evidence = found.get(user) ?? evidenceFor(user)
    found.set(user, evidence)
    return evidence
  }
}

/** The rules of the site come after those of the user. */
function withSiteRules(evidence: Evidence, matches: readonly RuleMatch[]): Evidence {
  if (matches.length === 0) return evidence
  return { ...evidence, ruleMatches: [...(evidence.ruleMatches ?? []), ...matches] }
}

function siteMatches(
  rules: readonly SiteRuleIndex[],
  { claims }: Analysis,
  scope: SiteScope,
  sender: SenderAuthentication,
): RuleMatch[] {
  return claims === undefined ? [] : matchSiteRules(rules, claims, scope, sender)
}

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

function recipient(user: Recipient | undefined): PolicyRecipient {
  return user === undefined ? {} : recipientOf(user.userId)
}

function thresholdOf({ recipients }: Tenant, user: Recipient | undefined) {
  return user && settingFor(recipients, user.userId, 'threshold')
}

/** The verdict for the one user in the request, or for no user. */
export function verdictOf({ analysis, policyFor, evidenceFor, users: [user] }: Judged): Verdict {
  return decide(analysis, evidenceFor(user), policyFor(user))
}

/** Embeds if possible. Without the embedding model the memory is searched by words alone, and the verdict does not fail. */
async function embeddedIfPossible(
  { embedding }: Judging,
  { log }: Incoming,
  analysis: Analysis,
): Promise<Analysis> {
  if (analysis.personal?.passages === undefined) return analysis
  try {
    return { ...analysis, personal: await embedElsewhere(analysis.personal, embedding) }
  } catch (error) {
    log.warn({ err: error }, 'A message was not embedded; only its words were compared')
    return analysis
  }
}
