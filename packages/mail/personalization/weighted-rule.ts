/**
 * Weighted rules: what an operator or a tenant knows of its mail, and by how much that speaks for spam or against it
 * (docs/weighted-rules.md). Other than a site rule, one decides nothing alone.
 */
import type { AttachmentKind } from '../signals/attachment-kind.ts'

/** What of a message a condition is about. */
export const CONDITION_PARTS = ['subject', 'text', 'link', 'header', 'attachment'] as const

export type ConditionPart = (typeof CONDITION_PARTS)[number]

/** Exactly one of `contains`, `matches` and `kind` is there; `kind` of an attachment, the others of all else. */
export interface Condition {
  readonly part: ConditionPart
  /** The name of the header field, in lower case; there for `header` alone. */
  readonly field?: string
  /** Words that stand there, whole and in this order, in whatever case. */
  readonly contains?: string
  /** A pattern (text-pattern.ts) that matches somewhere in it. */
  readonly matches?: string
  readonly kind?: AttachmentKind
}

/** It holds if all its conditions do. */
export interface WeightedRule {
  /** 'ACME_FAX_SPAM'; among the reasons it is `TAMIS_RULE_ACME_FAX_SPAM`. */
  readonly name: string
  /** What it adds to the log-odds of spam: in [-WEIGHT_MAX, WEIGHT_MAX], and not 0. */
  readonly weight: number
  /** At least one, at most CONDITIONS_MAX. */
  readonly conditions: readonly Condition[]
}

/** Rules that may hold for the mail of one tenant. A message is compared with each of them. */
export const WEIGHTED_RULES_MAX = 200

/** Odds of 400: with the prior alone this is spam, and no less can be said of a rule that is nearly sure. */
export const WEIGHT_MAX = 6

/** More is a rule that nobody can read. */
export const CONDITIONS_MAX = 5

export const WORDS_LENGTH_MAX = 200

/** Characters of a pattern: longer ones cannot be read. */
export const PATTERN_LENGTH_MAX = 200

/** As names of signals are. */
export const RULE_NAME = /^[A-Z][A-Z0-9_]{0,39}$/
