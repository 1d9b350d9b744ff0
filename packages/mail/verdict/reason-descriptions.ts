/** What each reason says in a sentence: signals by their clauses (clauses.ts), the others by own-reasons.ts. */
import type { NamedCorrection } from '../personalization/named-correction.ts'
import { correctionClause, type SenderStanding, signalClause } from './clauses.ts'
import type { ListTerm } from './list-findings.ts'
import { listWords, type OwnSymbol, scanWords, weightedWords } from './own-reasons.ts'
import { resultNamed, SCAN_REASONS, type ScanTerm } from './scan-finding.ts'
import type { SenderTerm } from './sender-term.ts'
import { capital, type Texts, textFor } from './texts.ts'
import type { Weighed } from './topics.ts'
import type { WeightedTerm } from './weighted-terms.ts'

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

/** A reason before it is told in a language. */
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

/** What the names of weighted rules begin with. */
const RULE_PREFIX = 'TAMIS_RULE_'

/** The name of the weighted rule that the reason `name` is; undefined for another reason. */
export function ruleNamed(name: string): string | undefined {
  return name.startsWith(RULE_PREFIX) ? name.slice(RULE_PREFIX.length) : undefined
}

/** True for a reason that is what a DNS list says. */
export function isOfList(name: string): boolean {
  return name.startsWith(LIST_PREFIX)
}

/** What the reason says in a sentence; undefined for one that this version does not have. */
export function reasonDescription(
  texts: Texts,
  { name, listed, claim, signature, correction }: Omit<UntoldReason, 'points' | 'evidence'>,
): string | undefined {
  const corrected = correction && correctionClause(texts, { name, correction })
  if (corrected !== undefined) return `${capital(corrected)}.`
  if (listed !== undefined) return listWords(texts, listed.list, listed.meaning)
  const scanned = resultNamed(name)
  if (scanned !== undefined && signature !== undefined) return scanWords(texts, scanned, signature)
  const rule = ruleNamed(name)
  if (rule !== undefined) return weightedWords(texts, rule)
  if (isOfList(name)) return texts['reason.TAMIS_LIST']
  const clause = signalClause(texts, name, claim)
  return clause === undefined ? textFor(texts, `reason.${name}`) : `${capital(clause)}.`
}

/** The reason in a summary. */
export function summaryReason(texts: Texts, reason: UntoldReason): SummaryReason {
  const { name, points } = reason
  return { name, points, description: reasonDescription(texts, reason) ?? name }
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
export function weightedReason({ name, logit }: WeightedTerm): UntoldReason {
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
