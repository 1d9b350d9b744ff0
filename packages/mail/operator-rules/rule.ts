/** The operator's rules, as the grammar reads them (grammar.ts) and as they are compared with messages (match.ts). */
import type { Thresholds } from '../models/models.ts'
import type { MessageClass } from '../models/prediction.ts'

/** A preset, or a probability in (0, 1). */
export type RuleThreshold = keyof Thresholds | number

/** A probability in (0, 1], or that nothing of the kind is done. */
export type MailLimit = number | 'never'

/** From which probability on mail that is spam is refused or held, by a mail server that asks for it. */
export interface MailLimits {
  readonly rejectAt?: MailLimit
  readonly quarantineAt?: MailLimit
}

export type Learning = 'on' | 'off'

export type Action =
  | { readonly verb: 'allow' | 'block' }
  /** Adds `weight` to the log-odds of spam; among the reasons it is `TAMIS_RULE_` and `name`. */
  | { readonly verb: 'score'; readonly weight: number; readonly name: string }
  | { readonly verb: 'class'; readonly class: MessageClass }
  | { readonly verb: 'threshold'; readonly threshold: RuleThreshold }
  | { readonly verb: 'reject-at' | 'quarantine-at'; readonly limit: MailLimit }
  | { readonly verb: 'learning'; readonly learning: Learning }

/** What a text condition is about; `header` has the name of a field. */
export type TextPart = 'subject' | 'body' | 'link' | 'header'

/** Exactly one of `words` and `pattern` is there. */
export interface TextCondition {
  readonly part: TextPart
  /** The name of the header field, in lower case; for `header` alone. */
  readonly field?: string
  /** Words that stand there, whole and in this order, in whatever case. */
  readonly words?: string
  /** A pattern (texts.ts) that matches somewhere in it. */
  readonly pattern?: string
}

/** One line. It applies if all its conditions hold, to the recipients that it names. */
export interface Rule {
  /** Where it stands: `file:12`, `stored:3`. */
  readonly id: string
  /** As written, without comment. */
  readonly text: string
  readonly action: Action
  /** Facts that a message must have (match.ts). */
  readonly facts: readonly string[]
  readonly texts: readonly TextCondition[]
  /** `user ID` or `domain NAME`, of which the recipient must be one; empty for all recipients. */
  readonly recipients: readonly string[]
  /** Whether the message must be authenticated. */
  readonly authenticated: boolean
}
