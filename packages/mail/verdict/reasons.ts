/** The reasons that terms are, and what each says in a sentence: signals by their clauses, the others by texts.ts. */
import { logit } from '../models/prediction.ts'
import type { NamedCorrection } from '../personalization/named-correction.ts'
import type { RuleMatch } from '../personalization/rules.ts'
import { signalNamed } from '../signals/table.ts'
import type { Term } from './explain.ts'
import type { ListTerm } from './list-findings.ts'
import { resultNamed, SCAN_REASONS } from './scan-finding.ts'
import {
  capital,
  claimClause,
  correctionClause,
  isClaim,
  isSignal,
  listWords,
  type OwnSymbol,
  type SenderStanding,
  scanWords,
  scoreWords,
  TEXTS,
  textFor,
} from './texts.ts'
import type { Weighed } from './topics.ts'
import type { BypassReason, Verdict } from './verdict.ts'

/** A reason for the score: what the clients of other filters call a symbol or a test. */
export interface DescribedReason {
  /** The name of the signal, or `TAMIS_` and another source. */
  readonly name: string
  /** Negative speaks against spam. */
  readonly points: number
  /** A sentence for people; absent for a signal of another version. */
  readonly description?: string
  /** What the reason rests on; may contain words of the message. */
  readonly evidence?: string
}

/** A reason in a summary. */
export type SummaryReason = Required<Omit<DescribedReason, 'evidence'>>

/** A reason by what it says, before it is put into words. */
export interface Reason extends Weighed {
  /** What a DNS list says; absent where only its name was kept. */
  readonly listed?: Pick<ListTerm, 'list' | 'meaning'>
  /** How the sender stands, for what it claims of itself. */
  readonly claim?: Exclude<SenderStanding, 'unchecked'>
  /** The name of the signature, for what a virus scanner found; absent where only the name of the reason was kept. */
  readonly signature?: string
  /** The correction that is behind it. */
  readonly correction?: NamedCorrection
  readonly evidence?: string
}

/** What the names of DNS lists begin with. */
const LIST_PREFIX = 'TAMIS_LIST_'

/** What the names of the operator's scores begin with. */
const RULE_PREFIX = 'TAMIS_RULE_'

/** The name of the operator's rule that the reason `name` is; undefined for another reason. */
export function ruleNamed(name: string): string | undefined {
  return name.startsWith(RULE_PREFIX) ? name.slice(RULE_PREFIX.length) : undefined
}

/** True for a reason that is what a DNS list says. */
export function isOfList(name: string): boolean {
  return name.startsWith(LIST_PREFIX)
}

/** What is true of a message with the signal `name`; undefined for a signal of another version. */
export function signalClause(
  name: string,
  standing?: SenderStanding,
  senderDomain?: string,
): string | undefined {
  return claimClause(name, standing, senderDomain) ?? signalNamed(name)?.clause
}

/** What the reason says in a sentence; undefined for one that this version does not have. */
export function reasonDescription({
  name,
  listed,
  claim,
  signature,
  correction,
}: Omit<Reason, 'points' | 'evidence'>): string | undefined {
  const corrected = correction && correctionClause({ name, correction })
  if (corrected !== undefined) return `${capital(corrected)}.`
  if (listed !== undefined) return listWords(listed.list, listed.meaning)
  const scanned = resultNamed(name)
  if (scanned !== undefined && signature !== undefined) return scanWords(scanned, signature)
  const rule = ruleNamed(name)
  if (rule !== undefined) return scoreWords(rule)
  if (isOfList(name)) return TEXTS['reason.TAMIS_LIST']
  const clause = signalClause(name, claim)
  return clause === undefined ? textFor(`reason.${name}`) : `${capital(clause)}.`
}

/** The reason in a summary. */
export function summaryReason(reason: Reason): SummaryReason {
  const { name, points } = reason
  return { name, points, description: reasonDescription(reason) ?? name }
}

/** A reason that is no signal. */
export function own<Name extends OwnSymbol>(
  name: Name,
  points: number,
): Reason & { readonly name: Name } {
  return { name, points }
}

/** The reason that a term is. All terms without a name of their own are TAMIS_OTHER, TAMIS_FORM or TAMIS_BASE. */
export function reasonOf(term: Term, sender: SenderStanding): Reason {
  const { logit } = term
  switch (term.kind) {
    case 'wording':
      return own('TAMIS_TEXT', logit)
    case 'meta':
      return isSignal(term.name) ? signalReason(term.name, logit, sender) : own('TAMIS_FORM', logit)
    case 'rest':
      return own('TAMIS_OTHER', logit)
    case 'personal':
      return own('TAMIS_USER_LEARNED', logit)
    case 'correspondent':
      return own('TAMIS_CORRESPONDENT', logit)
    case 'sender':
      return own(term.result === 'passed' ? 'TAMIS_SENDER_PASSED' : 'TAMIS_SENDER_FAILED', logit)
    case 'allowance':
      return own(`TAMIS_${term.reason}`, logit)
    case 'gtube':
      return own('TAMIS_GTUBE', logit)
    case 'scan':
      return { ...own(SCAN_REASONS[term.result], logit), signature: term.signature }
    case 'rule':
      return { name: RULE_PREFIX + term.name, points: logit }
    case 'list':
      return listReason(term)
    default:
      return own('TAMIS_BASE', logit)
  }
}

/** What a signal adds; with how the sender stands, where it is a claim of the sender's that was checked. */
export function signalReason(name: string, points: number, sender: SenderStanding): Reason {
  return { name, points, ...(isClaim(name) && sender !== 'unchecked' && { claim: sender }) }
}

/** Each list has a symbol of its own: clients keep one of each name. */
function listReason({ list, meaning, logit }: ListTerm): Reason {
  return {
    name: `${LIST_PREFIX}${list.toUpperCase().replaceAll('-', '_')}`,
    points: logit,
    listed: { list, meaning },
  }
}

/** Largest distance from the threshold, in log-odds: a rule is certain, which would be infinite. */
const DISTANCE_MAX = 20

const SYMBOL_OF_REASON: Readonly<Record<BypassReason, OwnSymbol>> = {
  user_rule: 'TAMIS_USER_RULE',
  knn_memory: 'TAMIS_USER_MEMORY',
  phishtank_match: 'TAMIS_URL_FEED',
  parse_error: 'TAMIS_PARTLY_READ',
}

/** The part of a verdict that says how far it is from the threshold. */
export type Scored = Pick<Verdict, 'isSpam' | 'spamProbability' | 'confidenceMargin'>

/** What overrode the models, without points so far. */
export function deciderOf(
  reason: BypassReason | null,
  operatorRule: Pick<RuleMatch, 'pattern'> | undefined,
): (Reason & { readonly name: OwnSymbol }) | undefined {
  if (reason === null) return undefined
  if (reason !== 'user_rule' || operatorRule === undefined) return own(SYMBOL_OF_REASON[reason], 0)
  return { ...own('TAMIS_OPERATOR_RULE', 0), evidence: operatorRule.pattern }
}

/** Log-odds between the probability and the threshold, at most DISTANCE_MAX either way. */
export function distanceOf({ isSpam, spamProbability, confidenceMargin }: Scored): number {
  const threshold = spamProbability + (isSpam ? -confidenceMargin : confidenceMargin)
  const distance = logit(spamProbability) - logit(threshold)
  return Math.max(-DISTANCE_MAX, Math.min(DISTANCE_MAX, distance))
}
