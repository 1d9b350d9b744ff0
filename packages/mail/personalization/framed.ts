/**
 * Whether a message is in a frame: text that a program or a service puts around what its users say.
 * Invitations, invoices, shares, notices of forums and codes of one service look alike whoever sent them,
 * so that likeness to one that a user reported says little about another.
 */
import type { Knowledge } from '../knowledge/knowledge.ts'
import { headerBody, type Message } from '../message/message.ts'
import { hostKind } from '../signals/host-lists.ts'
import { webTargets } from '../signals/link-targets.ts'
import type { Patterns } from './patterns.ts'
import { isSharedSender } from './shared-senders.ts'

export function isFramed(
  message: Message,
  patterns: Patterns,
  knowledge: Knowledge | undefined,
): boolean {
  if (isSharedSender(patterns)) return true
  if (message.parts.some(({ type }) => type === 'text/calendar')) return true
  // RFC 3834 §5: made by a program, not by a person.
  const automatic = headerBody(message, 'auto-submitted')?.trim().toLowerCase()
  if (automatic !== undefined && automatic !== 'no') return true
  return knowledge !== undefined && leadsToServicesOnly(message, patterns.senderDomain, knowledge)
}

/** Whether there are links to others than the sender, and all lead to organisations that are known. */
function leadsToServicesOnly(
  message: Message,
  senderDomain: string | undefined,
  { domains }: Knowledge,
): boolean {
  const others = webTargets(message).filter(
    ({ domain }) => domain !== '' && domain !== senderDomain,
  )
  const isService = (kind: string | undefined) => kind === 'known' || kind === 'account'
  return (
    others.length > 0 &&
    others.every(({ host, domain }) => isService(hostKind(domains, host, domain)))
  )
}
