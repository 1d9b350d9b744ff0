/** Whether From is at a domain of a recipient, by To and Cc: the envelope's recipients are not known here. */
import type { Message } from '../message/message.ts'
import { domainOf } from './domains.ts'
import { isFreeMail } from './host-lists.ts'
import { hostOfMailbox, mailboxesOf } from './mailboxes.ts'
import { originOf } from './origin.ts'
import { perMessage } from './per-message.ts'

/** Mailboxes of a field that are looked at: every hundredth message has more, and those are lists. */
const MAILBOXES_MAX = 100

/** The registrable domains of To and Cc. */
export const recipientDomains = perMessage((message: Message): ReadonlySet<string> => {
  const mailboxes = ['to', 'cc'].flatMap((name) =>
    mailboxesOf(message, name).slice(0, MAILBOXES_MAX),
  )
  const hosts = new Set(mailboxes.map(hostOfMailbox))
  hosts.delete('')
  return new Set([...hosts].map((host) => domainOf(message, host)))
})

/** True when an author in From is at a domain of a recipient. What strangers share, a free-mail provider, is nobody's own. */
export function isOwnDomain(message: Message): boolean {
  return originOf(message).hosts.some((host) => {
    const domain = domainOf(message, host)
    return !isFreeMail(host) && !isFreeMail(domain) && recipientDomains(message).has(domain)
  })
}
