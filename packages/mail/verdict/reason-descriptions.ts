/** What each reason says in a sentence: signals by their clauses (signals/clauses.ts), the others by own-reasons.ts. */
import { type SenderStanding, signalClause } from '../signals/clauses.ts'
import { SIGNALS } from '../signals/signals.ts'
import type { ListTerm } from './list-findings.ts'
import { listWords, OWN_REASONS, type OwnSymbol, scanWords, weightedWords } from './own-reasons.ts'
import type { ScanTerm } from './scan-finding.ts'
import type { SenderTerm } from './sender-term.ts'
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

/** What the names of DNS lists begin with. */
const LIST_PREFIX = 'TAMIS_LIST_'

/** What the names of weighted rules begin with. */
const RULE_PREFIX = 'TAMIS_RULE_'

/**
 * What the reason of that name says in a sentence; undefined for one that this version does not have.
 *
 * @param standing that of the sender, for what it claims of itself.
 */
export function reasonDescription(
  name: string,
  standing: SenderStanding = 'unchecked',
): string | undefined {
  if (name.startsWith(LIST_PREFIX)) return 'A DNS list names a domain or IP address of the message.'
  if (name.startsWith(RULE_PREFIX)) return `${weightedWords(name.slice(RULE_PREFIX.length))}.`
  const descriptions: Readonly<Record<string, string | undefined>> = OWN_REASONS
  const signals: Readonly<Record<string, { readonly description: string } | undefined>> = SIGNALS
  if (Object.hasOwn(descriptions, name)) return descriptions[name]
  const description = Object.hasOwn(signals, name) ? signals[name]?.description : undefined
  if (description === undefined) return undefined
  const clause = signalClause(name, description, standing)
  return `${clause.charAt(0).toUpperCase()}${clause.slice(1)}.`
}

/** A reason that is no signal. */
export function own<Name extends OwnSymbol>(
  name: Name,
  points: number,
): SummaryReason & { readonly name: Name } {
  return { name, points, description: OWN_REASONS[name] }
}

/** What checks of the sender found. */
export function senderReason({ result, logit }: SenderTerm): SummaryReason {
  return own(result === 'passed' ? 'TAMIS_SENDER_PASSED' : 'TAMIS_SENDER_FAILED', logit)
}

/** What the virus scanner found, with the name of the signature as evidence. */
export function scanReason({ result, signature, logit }: ScanTerm): Required<Reason> {
  return {
    name: result === 'virus' ? 'TAMIS_VIRUS' : 'TAMIS_SCAN_SUSPICION',
    points: logit,
    description: `${scanWords(result, signature)}.`,
    evidence: signature,
  }
}

/** Each list has a symbol of its own: clients keep one of each name. */
export function listReason({ list, meaning, logit }: ListTerm): SummaryReason {
  return {
    name: `${LIST_PREFIX}${list.toUpperCase().replaceAll('-', '_')}`,
    points: logit,
    description: `${listWords(list, meaning)}.`,
  }
}

/** Each rule has a symbol of its own, by the name that its maker gave it. */
export function weightedReason({ name, logit }: WeightedTerm): SummaryReason {
  return { name: RULE_PREFIX + name, points: logit, description: `${weightedWords(name)}.` }
}
