/**
 * Signals from the Message-ID, RFC 5322 §3.6.4: `<left@right>`, the right-hand side by custom a
 * host of the program that made the message.
 *
 * Software that sends in bulk often makes none, or one that names the machine it runs on.
 */
import type { Message } from '../message/message.ts'
import { aspect } from './aspect.ts'
import { domainOf } from './domains.ts'
import { fieldBodies } from './fields.ts'
import { isFreeMail } from './free-mail.ts'
import { isMailService } from './mail-services.ts'
import { isOriginDomain, originOf } from './origin.ts'
import { type Signal, signal } from './signal.ts'

export const messageIdAspect = aspect('message-id', messageIdSignals, {
  MESSAGE_ID_MISSING: `The message has no Message-ID, or got one only on arrival.
    A header without Message-ID`,
  MESSAGE_ID_REPEATED: `The header has more than one Message-ID field.
    Two Message-ID fields`,
  MESSAGE_ID_MALFORMED: `The Message-ID is not one token in angle brackets.
    Message-ID: 12345`,
  MESSAGE_ID_NO_AT: `The Message-ID has no right-hand side.
    Message-ID: <20250601120000.12345>`,
  MESSAGE_ID_LEFT_SHORT: `The left-hand side of the Message-ID has fewer than eight characters.
    Message-ID: <1234@example.com>`,
  MESSAGE_ID_RIGHT_IP: `The right-hand side of the Message-ID is an IP address.
    Message-ID: <20250601120000@192.0.2.1>`,
  MESSAGE_ID_RIGHT_LOCAL: `The right-hand side of the Message-ID is a name for local use.
    Message-ID: <20250601120000@localhost.localdomain>`,
  MESSAGE_ID_RIGHT_NOT_FQDN: `The right-hand side of the Message-ID is not a full host name.
    Message-ID: <20250601120000@mailer>`,
  MESSAGE_ID_MAIL_SERVICE: `
    The right-hand side of the Message-ID is a company that sends mail for others.
    Message-ID: <20250601120000@geopod-ismtpd-1.sendgrid.net>`,
  MESSAGE_ID_MAILBOX_PROVIDER: `
    The right-hand side of the Message-ID is a provider of mailboxes, and From is elsewhere.
    Message-ID: <20250601120000@mail.gmail.com>, From: anna@example.com`,
  MESSAGE_ID_SIGNED_DOMAIN: `
    The right-hand side of the Message-ID is not at From's domain but at one that claims to have signed.
    Message-ID: <20250601120000@example.net> with DKIM-Signature d=example.net`,
  MESSAGE_ID_OTHER_DOMAIN: `
    The right-hand side of the Message-ID is not at From's domain or at a domain that claims to have signed.
    Message-ID: <20250601120000@example.net>, From: anna@example.com`,
})

/** Fewer characters cannot hold a time and a random number. */
const LEFT_LENGTH_MIN = 8

/** Left there by receiving systems (Gmail, Postfix, Exchange) for a message that had none. */
const ADDED_ON_ARRIVAL = /SMTPIN_ADDED/

function messageIdSignals(message: Message): Signal[] {
  const [first, ...others] = fieldBodies(message, 'message-id')
  const body = first?.trim() ?? ''
  if (body === '' || ADDED_ON_ARRIVAL.test(body)) return [signal('MESSAGE_ID_MISSING')]

  const repeated =
    others.length === 0 ? [] : [signal('MESSAGE_ID_REPEATED', String(others.length + 1))]
  return [...repeated, ...formSignals(message, body)]
}

function formSignals(message: Message, body: string): Signal[] {
  const inner = /^<([^<>\s]+)>$/.exec(body)?.[1]
  if (inner === undefined) return [signal('MESSAGE_ID_MALFORMED', body)]
  const at = inner.lastIndexOf('@')
  if (at < 0) return [signal('MESSAGE_ID_NO_AT', body)]

  const found: Signal[] = []
  if (at < LEFT_LENGTH_MIN) found.push(signal('MESSAGE_ID_LEFT_SHORT', body))
  return [...found, ...rightSignals(message, body, inner.slice(at + 1).toLowerCase())]
}

/** Hosts inside mailing services, which have no full names: SendGrid, Salesforce, SparkPost. */
const SERVICE_HOST = /^geopod-ismtpd-[\d-]{1,12}$|\.xt\.local$|\.prd\.sparkpost$/

function rightSignals(message: Message, body: string, right: string): Signal[] {
  if (SERVICE_HOST.test(right)) return [signal('MESSAGE_ID_MAIL_SERVICE', right)]
  if (/^\[|^\d{1,3}(?:\.\d{1,3}){3}$/.test(right)) return [signal('MESSAGE_ID_RIGHT_IP', body)]
  if (/(?:^|\.)(?:localhost|localdomain|local|lan|internal)$/.test(right)) {
    return [signal('MESSAGE_ID_RIGHT_LOCAL', body)]
  }
  if (!/^[^.]+(?:\.[^.]+)+$/.test(right)) return [signal('MESSAGE_ID_RIGHT_NOT_FQDN', body)]

  const domain = domainOf(message, right)
  const { domain: fromDomain } = originOf(message)
  if (fromDomain === '' || domain === fromDomain) return []
  if (isMailService(domain)) return [signal('MESSAGE_ID_MAIL_SERVICE', right)]
  // Companies that have their mailboxes at one of these write as themselves.
  if (isFreeMail(domain)) return [signal('MESSAGE_ID_MAILBOX_PROVIDER', right)]
  const name = isOriginDomain(message, domain)
    ? 'MESSAGE_ID_SIGNED_DOMAIN'
    : 'MESSAGE_ID_OTHER_DOMAIN'
  return [signal(name, `${right}, ${fromDomain}`)]
}
