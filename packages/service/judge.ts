/** THE JOURNEY of a request, in one screen: receive -> analyse -> look up the users -> decide. */
import { registrableDomain } from '../mail/message/domain.ts'
import { factsOf, type RuleIndex, type RulesSay, rulesFor } from '../mail/operator-rules/match.ts'
import { isFreeMail } from '../mail/signals/host-lists.ts'
import { decide } from '../mail/verdict/decide.ts'
import {
  type Evidence,
  NO_EVIDENCE,
  type SenderFinding,
  withRules,
} from '../mail/verdict/evidence.ts'
import type { Caller } from './access/caller.ts'
import { type AnalysedBody, analyseBody, receiveBody } from './analyse-body.ts'
import { recipientOf } from './policies.ts'
import type { Decision, Judged, Request, Service } from './request.ts'
import { comparesContent, decideForUsers } from './users/decide-for-users.ts'

/** @throws TamisError what the message is refused for. */
export async function judge(service: Service, caller: Caller, request: Request): Promise<Judged> {
  const { users: userIds = [], want = 'verdict' } = request
  await using body = await receiveBody(service, request)
  const received = performance.now()

  const isEntitled = caller.entitlements.has('spam')
  const wantsSpam = want !== 'class' && isEntitled
  const { index } = service.rules
  const analysedBody = await analyseBody(service, request, body, {
    detail: want === 'diagnostic' || want === 'reasons',
    personal: want === 'diagnostic' || userIds.some((id) => comparesContent(service.users, id)),
    ...(index.rules.length > 0 && { textRules: index.textRules }),
    feeds: service.feeds.table,
    // Without spam detection nothing would come of these.
    listNames: wantsSpam && service.senderChecks.lists !== undefined,
    scan: wantsSpam,
    deltas: service.learned.deltas,
  })
  const analysed = performance.now()

  const { analysis, checked, spent } = analysedBody
  const rulesOf = rulesOn(analysedBody, index)
  const decided = (own: Evidence, userId?: string): Decision => {
    const { recipientDomain } = recipientOf(userId)
    const rules = rulesOf(userId)
    const evidence = {
      ...withRules(own, rules),
      ...checked,
      sender: findingFor(analysedBody, recipientDomain),
    }
    const policy = { ...service.policies(rules.threshold), spamEntitled: isEntitled }
    return { evidence, policy, rules, verdict: decide(analysis, evidence, policy) }
  }
  const judged: Judged = {
    request,
    analysis,
    users: await decideForUsers(service, request, analysedBody, wantsSpam, decided),
    shared: decided(NO_EVIDENCE),
    timing: () => {
      const now = performance.now()
      return { ...spent, decision: now - analysed, total: now - received }
    },
  }
  service.onJudged(caller, judged)
  return judged
}

/** What rules say where there are none. */
const NOTHING_SAID: RulesSay = { matches: [], applied: [] }

/** Gives what the rules of `index` say of the message to a user. */
function rulesOn(
  { analysis, sender }: AnalysedBody,
  index: RuleIndex,
): (userId?: string) => RulesSay {
  const { ruleTexts, claims, personal } = analysis
  if (ruleTexts === undefined || claims === undefined) return () => NOTHING_SAID
  const facts = factsOf(index, claims, personal.patterns)
  return (userId) => rulesFor(index, facts, ruleTexts, recipientOf(userId), sender)
}

/** What checks found, for a recipient at `domain`: whether the sender is of the same organisation. */
function findingFor({ sender }: AnalysedBody, domain?: string): SenderFinding {
  const { finding } = sender
  if (sender.result !== 'pass' || finding.result !== 'passed' || domain === undefined)
    return finding
  const own = registrableDomain(domain)
  return { ...finding, isOwn: own === registrableDomain(sender.domain) && !isFreeMail(own) }
}

/** What was decided for the one user of the request, or for no user. */
export function decisionOf({ users: [user], shared }: Judged): Decision {
  return user ?? shared
}
