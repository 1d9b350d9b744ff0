/** What corrections and rules are about, and what a rule goes by. */

/** About spam, or about classes. */
export const KINDS = ['spam', 'tabs'] as const

export type Kind = (typeof KINDS)[number]

/** A Sender rule goes by an address or a domain, a Template rule by what messages look like. */
export const RULE_TYPES = ['Sender', 'List', 'Thread', 'Template'] as const

export type RuleType = (typeof RULE_TYPES)[number]

/** A rule is stated by the user, or follows from a correction. */
export const RULE_SOURCES = ['explicit', 'correction'] as const

export type RuleSource = (typeof RULE_SOURCES)[number]

/**
 * Stands for the user in corrections that the operator made from sorted mail. It has a space, which no
 * user's id can have (interface, X-User-ID), so that no user can have the name.
 */
export const OPERATOR_ID = 'tamis learn'
