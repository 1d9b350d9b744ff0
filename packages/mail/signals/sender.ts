/**
 * Signals from the envelope sender (RFC 5321 MAIL FROM), where it is known, and the Sender field, against From. That they differ
 * is the rule for lists and mailing services.
 */
import type { Message } from '../message/message.ts'
import { domainOf } from './domains.ts'
import { fieldBody, hostOfMailbox, mailboxesOf } from './fields.ts'
import { isFreeMail, isMailService } from './host-lists.ts'
import { originOf } from './origin.ts'
import { type Arrived, raised, type Signal } from './signal.ts'

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
  if (at < 0) return raised({ SENDER_NULL: true })
  const origin = originOf(message)
  const localPart = mailFrom.slice(0, at)
  const host = mailFrom.slice(at + 1).toLowerCase()
  const domain = domainOf(message, host)
  const isOther = domain !== origin.domain
  const isRewritten = REWRITTEN.test(localPart)
  return raised({
    SENDER_SAME_DOMAIN: !isOther && host,
    SENDER_OTHER_DOMAIN: isOther && `${host}, ${origin.domain}`,
    SENDER_FREE_MAIL: isOther && isFreeMail(domain) && !origin.isFreeMail && host,
    SENDER_MAIL_SERVICE: isOther && isMailService(domain) && host,
    SENDER_REWRITTEN: isRewritten && host,
    SENDER_CODED: !isRewritten && CODED.test(localPart) && host,
  })
}

function senderFieldSignals(message: Message): Signal[] {
  const body = fieldBody(message, 'sender')
  if (body === undefined) return []
  const host = hostOfMailbox(mailboxesOf(message, 'sender')[0])
  if (host === '') return raised({ SENDER_FIELD_UNREADABLE: body })
  const { domain } = originOf(message)
  const isSame = domainOf(message, host) === domain
  return raised({
    SENDER_FIELD_SAME_DOMAIN: isSame && host,
    SENDER_FIELD_OTHER_DOMAIN: !isSame && `${host}, ${domain}`,
  })
}
