/**
 * Addresses from which many people or organisations write. A correction of one message from such an
 * address says nothing about the next, so no rule is made from it.
 */
import { readTable, requiredText, words } from '../data-table.ts'
import type { Patterns } from './patterns.ts'
import { hostOfAddress, isAtOrBelow } from './sender-address.ts'

const SHARED_SENDERS = readTable(new URL('shared-senders.tsv', import.meta.url), {
  /** Covers all domains below it; `*` for any. */
  domain: requiredText,
  /** `*` stands for any text, at the beginning or end. */
  localParts: words,
  why: requiredText,
})

/** True when several people or organisations write from the message's address, as with a list. */
export function isSharedSender({ sender, list }: Patterns): boolean {
  if (sender === undefined) return false
  const host = hostOfAddress(sender)
  const localPart = sender.slice(0, -host.length - 1)
  // A list's identifier is by custom its address with a full stop (RFC 2919 §2).
  if (list === sender || list === `${localPart}.${host}`) return true
  return SHARED_SENDERS.some(
    ({ domain, localParts }) =>
      (domain === '*' || isAtOrBelow(host, domain)) && isListed(localPart, localParts),
  )
}

function isListed(localPart: string, listed: readonly string[]): boolean {
  return listed.some((pattern) => {
    if (pattern.startsWith('*')) return localPart.endsWith(pattern.slice(1))
    if (pattern.endsWith('*')) return localPart.startsWith(pattern.slice(0, -1))
    return localPart === pattern
  })
}
