/**
 * What is said of a verdict (texts.json; the clauses of signals are in signals/signals.tsv).
 *
 * A key begins with what the text is for: `level` and `decided` are verdicts, `spam` and `ham` clauses
 * that read on after a colon, `reason` whole sentences.
 */
import type { NamedCorrection } from '../personalization/named-correction.ts'
import texts from './texts.json' with { type: 'json' }

export type TextKey = keyof typeof texts

export const TEXTS: Readonly<Record<TextKey, string>> = texts

/** The text at `key`, with `values` at its placeholders. */
export function say(key: TextKey, values: Readonly<Record<string, string>>): string {
  return filled(TEXTS[key], values)
}

/** `text` with `values` at its placeholders. */
export function filled(text: string, values: Readonly<Record<string, string>>): string {
  return text.replace(/\{(\w+)\}/g, (placeholder, name: string) => values[name] ?? placeholder)
}

/** The text at a key that is made from a name, which may be that of another version. */
export function textFor(key: string): string | undefined {
  const known: Readonly<Record<string, string>> = TEXTS
  return Object.hasOwn(known, key) ? known[key] : undefined
}

export function capital(words: string): string {
  return words.charAt(0).toUpperCase() + words.slice(1)
}

/** The names of reasons that are no signals, by which clients of other filters know them. */
export type OwnSymbol =
  Extract<TextKey, `reason.TAMIS_${string}`> extends `reason.${infer Name}` ? Name : never

// Reasons as short clauses, which read on after a colon: 'a link leads to a bare IP address'.
//
// What a sender writes about itself is a claim, and is given as one.

/** Whether somebody vouches for the sender; `unproved` where that was checked, and nothing does. */
export type SenderStanding = 'proved' | 'unproved' | 'unchecked'

/** Signals that repeat what the sender says of itself: named for want of its domain. */
const CLAIMS = [
  'DKIM_ALIGNED',
  'FROM_FREE_MAIL',
  'FROM_NAME_OWN_BRAND',
  'KNOWN_FROM',
  'KNOWN_FROM_SIGNED',
] as const

type Claim = (typeof CLAIMS)[number]

/** Longest domain that is named in a clause: honest ones are shorter. */
const DOMAIN_LENGTH_MAX = 60

/** Characters of '2026-11-28', which every language reads the same. */
const DATE_LENGTH = 10

/** What a sender claims of itself by the signal `name`; undefined for another signal. */
export function claimClause(
  name: string,
  standing: SenderStanding = 'unchecked',
  domain = '',
): string | undefined {
  return isClaim(name) ? senderClause(standing, domain, name) : undefined
}

/** True for a signal that repeats what the sender says of itself. */
export function isClaim(name: string): name is Claim {
  const claims: readonly string[] = CLAIMS
  return claims.includes(name)
}

/** Whom the message claims to be from, and what checks say of that; for want of a domain as `claim` has it. */
export function senderClause(
  standing: SenderStanding,
  domain: string,
  claim: Claim | 'TAMIS_SENDER' = 'TAMIS_SENDER',
): string {
  const who = isNameable(domain) ? say('who.domain', { domain }) : TEXTS[`who.${claim}`]
  return say(`sender.${standing}`, { who })
}

/** What a user said when, of whose mail, where a reason comes from one correction; undefined where that is not known. */
export function correctionClause(
  name: string,
  correction: NamedCorrection | undefined,
): string | undefined {
  if (correction === undefined) return undefined
  const { label, createdAt, authenticatedDomain, claimedDomain } = correction
  const domain = authenticatedDomain ?? claimedDomain ?? ''
  const who = isNameable(domain) ? domain : TEXTS['who.unknown']
  const text = textFor(`${label}.${name} of one`)
  return text && filled(text, { who, date: createdAt.toISOString().slice(0, DATE_LENGTH) })
}

function isNameable(domain: string): boolean {
  return domain !== '' && domain.length <= DOMAIN_LENGTH_MAX
}

/** True for a name that a signal has: no count ('links 2-3'), and nothing of the verdict's own. */
export function isSignal(name: string): boolean {
  return /^(?!TAMIS_)[A-Z][A-Z0-9_]*$/.test(name)
}
