/** What each reason says in a sentence: signals by their clauses (clauses.ts), the others by texts.ts. */
import type { NamedCorrection } from '../personalization/named-correction.ts'
import { signalNamed } from '../signals/table.ts'
import { claimClause, correctionClause, type SenderStanding } from './clauses.ts'
import type { ListTerm } from './list-findings.ts'
import { resultNamed, SCAN_REASONS, type ScanTerm } from './scan-finding.ts'
import type { ScoreTerm } from './score-terms.ts'
import type { SenderTerm } from './sender-term.ts'
import {
  capital,
  listWords,
  type OwnSymbol,
  scanWords,
  scoreWords,
  TEXTS,
  textFor,
} from './texts.ts'
import type { Weighed } from './topics.ts'

/** A reason for the score: what the clients of other filters call a symbol or a test. */
export interface Reason {
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
export type SummaryReason = Required<Omit<Reason, 'evidence'>>

/** A reason before it is put into words. */
export interface UntoldReason extends Weighed {
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
}: Omit<UntoldReason, 'points' | 'evidence'>): string | undefined {
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
export function summaryReason(reason: UntoldReason): SummaryReason {
  const { name, points } = reason
  return { name, points, description: reasonDescription(reason) ?? name }
}

/** A reason that is no signal. */
export function own<Name extends OwnSymbol>(
  name: Name,
  points: number,
): UntoldReason & { readonly name: Name } {
  return { name, points }
}

/** What checks of the sender found. */
export function senderReason({ result, logit }: SenderTerm): UntoldReason {
  return own(result === 'passed' ? 'TAMIS_SENDER_PASSED' : 'TAMIS_SENDER_FAILED', logit)
}

/** What the virus scanner found. */
export function scanReason({ result, signature, logit }: ScanTerm): UntoldReason {
  return { ...own(SCAN_REASONS[result], logit), signature }
}

/** Each rule has a symbol of its own, by the name that its maker gave it. */
export function scoreReason({ name, logit }: ScoreTerm): UntoldReason {
  return { name: RULE_PREFIX + name, points: logit }
}

/** Each list has a symbol of its own: clients keep one of each name. */
export function listReason({ list, meaning, logit }: ListTerm): UntoldReason {
  return {
    name: `${LIST_PREFIX}${list.toUpperCase().replaceAll('-', '_')}`,
    points: logit,
    listed: { list, meaning },
  }
}
