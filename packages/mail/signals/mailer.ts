/**
 * Signals from the fields in which the sending program names itself and asks for attention:
 * X-Mailer, User-Agent, priority, receipts.
 */
import type { Message } from '../message/message.ts'
import { fieldBodies, fieldBody } from './fields.ts'
import { isFreeMail, isMailService } from './host-lists.ts'
import { isOriginDomain, originOf } from './origin.ts'
import { domainOf } from './per-message.ts'
import { raised, type Signal, signal } from './signal.ts'

/** Programs that have had no new version for ten years and are named mostly by forgers. */
const OBSOLETE =
  /outlook express|the bat! \(v[12]|eudora|incredimail|microsoft outlook,? build 1[01]\.|microsoft cdo|microsoft windows (?:live )?mail|foxmail [456]|microsoft outlook imo/i

/** Libraries through which a script sends. */
const LIBRARY =
  /phpmailer|swift ?mailer|nodemailer|python|perl|mime::lite|leaf ?phpmailer|zend_mail|cakephp|codeigniter|javamail|smtplib|mailkit|chilkat|indy|aspmail|php\/|csmtpconnection|easymail|ultramailer|mail::sendmail/i

/** Programs in which a person writes. */
const PERSONAL =
  /thunderbird|apple mail|iphone mail|ipad mail|microsoft outlook|mutt|evolution|k-?mail|claws|sylpheed|roundcube|gnus|squirrelmail|horde|zimbra|git-send-email|airmail|the bat|mailspring|postbox|b4\b/i

const PROGRAMS: readonly (readonly [RegExp, string])[] = [
  [OBSOLETE, 'MAILER_OBSOLETE'],
  [LIBRARY, 'MAILER_LIBRARY'],
  [PERSONAL, 'MAILER_PERSONAL'],
]

/** Characters of a program's name that are looked at. */
const PROGRAM_LENGTH_MAX = 200

export function mailerSignals(message: Message): Signal[] {
  const field = (name: string) => fieldBody(message, name)
  const named = field('x-mailer') ?? field('user-agent') ?? ''
  const program = named.slice(0, PROGRAM_LENGTH_MAX).trim()
  const [, kind = 'MAILER_OTHER'] = PROGRAMS.find(([names]) => names.test(program)) ?? []
  const priority = field('x-priority') ?? field('importance') ?? ''
  const asksReceipt = ['disposition-notification-to', 'x-confirm-reading-to'].map(field)
  return raised({
    [kind]: program !== '' && program,
    MAILER_PHP_SCRIPT: field('x-php-originating-script') ?? field('x-php-script'),
    PRIORITY_HIGH: /^\s*(?:1|2|high|urgent)/i.test(priority) && priority,
    PRIORITY_LOW: /^\s*(?:4|5|low)/i.test(priority) && priority,
    RECEIPT_REQUESTED: asksReceipt.some((body) => body !== undefined),
  })
}

/** Fewer characters cannot hold a time and a random number. */
const LEFT_LENGTH_MIN = 8

/** Left there by receiving systems (Gmail, Postfix, Exchange) for a message that had none. */
const ADDED_ON_ARRIVAL = /SMTPIN_ADDED/

/**
 * Signals from the Message-ID, RFC 5322 §3.6.4: `<left@right>`, the right-hand side by custom a host of the program that
 * made the message. Software that sends in bulk often makes none, or one that names the machine it runs on.
 */
export function messageIdSignals(message: Message): Signal[] {
  const bodies = fieldBodies(message, 'message-id')
  const body = bodies[0]?.trim() ?? ''
  if (body === '' || ADDED_ON_ARRIVAL.test(body)) return raised({ MESSAGE_ID_MISSING: true })
  const inner = /^<([^<>\s]+)>$/.exec(body)?.[1]
  const at = inner?.lastIndexOf('@') ?? 0
  const own = raised({
    MESSAGE_ID_REPEATED: bodies.length > 1 && bodies.length,
    MESSAGE_ID_MALFORMED: inner === undefined && body,
    MESSAGE_ID_NO_AT: at < 0 && body,
    MESSAGE_ID_LEFT_SHORT: inner !== undefined && at >= 0 && at < LEFT_LENGTH_MIN && body,
  })
  if (inner === undefined || at < 0) return own
  return [...own, ...rightSignals(message, body, inner.slice(at + 1).toLowerCase())]
}

/** Hosts inside mailing services, which have no full names: SendGrid, Salesforce, SparkPost. */
const SERVICE_HOST = /^geopod-ismtpd-[\d-]{1,12}$|\.xt\.local$|\.prd\.sparkpost$/

function rightSignals(message: Message, body: string, right: string): Signal[] {
  if (SERVICE_HOST.test(right)) return [signal('MESSAGE_ID_MAIL_SERVICE', right)]
  if (/^\[|^\d{1,3}(?:\.\d{1,3}){3}$/.test(right)) return [signal('MESSAGE_ID_RIGHT_IP', body)]
  if (isLocalHost(right)) return [signal('MESSAGE_ID_RIGHT_LOCAL', body)]
  if (!/^[^.]+(?:\.[^.]+)+$/.test(right)) return [signal('MESSAGE_ID_RIGHT_NOT_FQDN', body)]

  const domain = domainOf(message, right)
  const { domain: fromDomain } = originOf(message)
  if (fromDomain === '' || domain === fromDomain) return []
  if (isMailService(domain)) return [signal('MESSAGE_ID_MAIL_SERVICE', right)]
  // Companies that have their mailboxes at one of these write as themselves.
  if (isFreeMail(domain)) return [signal('MESSAGE_ID_MAILBOX_PROVIDER', right)]
  const isSigned = isOriginDomain(message, domain)
  const name = isSigned ? 'MESSAGE_ID_SIGNED_DOMAIN' : 'MESSAGE_ID_OTHER_DOMAIN'
  return [signal(name, `${right}, ${fromDomain}`)]
}

/** True for a name that only the sender's own network knows. */
export function isLocalHost(host: string): boolean {
  return /(?:^|\.)(?:localhost|localdomain|local|lan|internal)$/.test(host)
}
