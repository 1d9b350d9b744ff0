/**
 * What DNS lists say of a message, and what that adds to the log-odds of spam.
 *
 * The lists are asked by the service; here are their answers. Each has the weight that its operator, or
 * Tamis for the lists that it knows, has stated for the code of the answer (docs/lists.md). Lists copy
 * from each other, and one message has many links of one sender; so each list counts once, and all
 * together count for LISTS_LOGIT_MAX at most.
 */
import { sumOf } from '../models/prediction.ts'

/** An entry of a list that the message has to do with. */
export interface ListHit {
  /** The domain or IP address that is listed. */
  readonly listed: string
  /** What the code of the answer means: 'phishing'. */
  readonly meaning: string
  /** What it adds to the log-odds of spam, above 0. */
  readonly logOdds: number
}

/** Why a list did not say what it knows. */
export const LIST_FAILURES = ['NO_ANSWER', 'REFUSED', 'NOT_A_LIST', 'UNKNOWN_CODE'] as const

export type ListFailure = (typeof LIST_FAILURES)[number]

/** What one list said. */
export interface ListFinding {
  /** The name of the list: 'spamhaus-dbl'. */
  readonly list: string
  /** Questions asked, also when the answer was remembered; 0 when there was nothing to ask, or the list is given a rest. */
  readonly lookups: number
  /** The strongest first. */
  readonly hits: readonly ListHit[]
  /** Null when all questions were answered. */
  readonly failure: ListFailure | null
}

/** What the weightiest hit of one list adds to the log-odds of spam. */
export interface ListTerm {
  readonly kind: 'list'
  readonly list: string
  readonly listed: string
  readonly meaning: string
  readonly logit: number
}

/**
 * Most that lists add to the log-odds of spam: more than half of all ham stays ham whatever they say
 * (docs/decisions/0018-dns-lists.md). Without a bound the five lists that Tamis knows could add 20.
 */
export const LISTS_LOGIT_MAX = 6

/** The terms of `findings`, one for each list with a hit; they add up to LISTS_LOGIT_MAX at most. */
export function listTerms(findings: readonly ListFinding[] = []): ListTerm[] {
  const terms = findings.flatMap(({ list, hits: [hit] }) =>
    hit === undefined
      ? []
      : [
          {
            kind: 'list' as const,
            list,
            listed: hit.listed,
            meaning: hit.meaning,
            logit: hit.logOdds,
          },
        ],
  )
  const sum = sumOf(terms)
  if (sum <= LISTS_LOGIT_MAX) return terms
  return terms.map((term) => ({ ...term, logit: (term.logit * LISTS_LOGIT_MAX) / sum }))
}
