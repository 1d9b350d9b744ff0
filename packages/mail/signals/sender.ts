/**
 * Signals from the envelope sender (RFC 5321 MAIL FROM) and the Sender field, against From.
 *
 * The envelope is known only where the caller passes it on; without it there are no signals, in
 * either direction. That it differs from From is the rule for lists and mailing services.
 */
import type { Message } from '../message/message.ts'
import { domainOf } from './domains.ts'
import { fieldBody, hostOfMailbox, mailboxesOf } from './fields.ts'
import { isFreeMail, isMailService } from './host-lists.ts'
import { originOf } from './origin.ts'
import { type Arrived, type Signal, signal } from './signal.ts'

/** Rewritten by a forwarder: SRS0=hash=tt=domain=user, and its second step SRS1. */
const REWRITTEN = /^srs[01][=+-]/i

/**
 * A bounce address that codes the recipient: 'bounces+123-anna=example.org', 'msprvs1=…', or the
 * tag of BATV ('prvs=1234abcdef=').
 */
const CODED =
  /^(?:bounces?|b|return|news|list|owner)[-+._][^@]{0,60}\d|=[a-z0-9.-]{1,60}$|^(?:prvs|btv1|msprvs\d)=/i

export function senderSignals(message: Message, facts: Arrived): Signal[] {
  return [...envelopeSignals(message, facts.mailFrom), ...senderFieldSignals(message)]
}

function envelopeSignals(message: Message, mailFrom: string | undefined): Signal[] {
  if (mailFrom === undefined) return []
  const at = mailFrom.lastIndexOf('@')
  if (at < 0) return [signal('SENDER_NULL')]

  const found: Signal[] = []
  const origin = originOf(message)
  const localPart = mailFrom.slice(0, at)
  const host = mailFrom.slice(at + 1).toLowerCase()
  const domain = domainOf(message, host)
  if (domain === origin.domain) found.push(signal('SENDER_SAME_DOMAIN', host))
  else {
    found.push(signal('SENDER_OTHER_DOMAIN', `${host}, ${origin.domain}`))
    if (isFreeMail(domain) && !origin.isFreeMail) found.push(signal('SENDER_FREE_MAIL', host))
    if (isMailService(domain)) found.push(signal('SENDER_MAIL_SERVICE', host))
  }
  if (REWRITTEN.test(localPart)) found.push(signal('SENDER_REWRITTEN', host))
  else if (CODED.test(localPart)) found.push(signal('SENDER_CODED', host))
  return found
}

function senderFieldSignals(message: Message): Signal[] {
  const body = fieldBody(message, 'sender')
  if (body === undefined) return []
  const host = hostOfMailbox(mailboxesOf(message, 'sender')[0])
  if (host === '') return [signal('SENDER_FIELD_UNREADABLE', body)]
  const { domain } = originOf(message)
  return domainOf(message, host) === domain
    ? [signal('SENDER_FIELD_SAME_DOMAIN', host)]
    : [signal('SENDER_FIELD_OTHER_DOMAIN', `${host}, ${domain}`)]
}
