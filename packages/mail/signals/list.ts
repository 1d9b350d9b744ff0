/**
 * Signals from the fields that lists and bulk senders set: List-* (RFC 2369, 2919), one-click
 * unsubscription (RFC 8058), Precedence, Feedback-ID, Auto-Submitted (RFC 3834).
 *
 * They are promises to the reader. Large mailbox providers refuse bulk mail without them, so that
 * honest bulk has them all; what they do not prove is that anyone has asked for the mail.
 */
import { hostOf } from '../message/domain.ts'
import type { Message } from '../message/message.ts'
import { wordSet } from '../message/word-set.ts'
import { aspect } from './aspect.ts'
import { domainOf } from './domains.ts'
import { fieldBody } from './fields.ts'
import { isMailService } from './mail-services.ts'
import { isOriginDomain } from './origin.ts'
import { type Signal, signal } from './signal.ts'

export const listAspect = aspect('list', listSignals, {
  LIST_ID: `The message says which list it is from.
    List-Id: <gardeners.example.com>`,
  LIST_POST: `The list accepts posts.
    List-Post: <mailto:gardeners@example.com>`,
  LIST_POST_NO: `The list does not accept posts.
    List-Post: NO`,
  LIST_HELP: `The message says where to get help about the list.
    List-Help: <mailto:help@example.com>`,
  LIST_ARCHIVE: `The message says where the list is archived.
    List-Archive: <https://example.com/archive>`,
  LIST_UNSUBSCRIBE: `The header says how to unsubscribe.
    List-Unsubscribe: <https://example.com/u/1>`,
  LIST_ONE_CLICK: `The header offers one-click unsubscription.
    List-Unsubscribe-Post: List-Unsubscribe=One-Click`,
  LIST_ONE_CLICK_ALONE: `The header offers one-click unsubscription without saying where.
    List-Unsubscribe-Post without List-Unsubscribe`,
  LIST_UNSUBSCRIBE_MAIL_ONLY: `Unsubscribing needs an email, not a web page.
    List-Unsubscribe: <mailto:leave@example.com>`,
  LIST_UNSUBSCRIBE_UNREADABLE: `The way to unsubscribe cannot be read.
    List-Unsubscribe: on request`,
  LIST_UNSUBSCRIBE_OWN_DOMAIN: `
    The page for unsubscribing is at the domain of From or of a claimed signature.
    From: news@example.com, List-Unsubscribe: <https://mail.example.com/u/1>`,
  LIST_UNSUBSCRIBE_MAIL_SERVICE: `
    The page for unsubscribing is at a company that sends mail for others.
    List-Unsubscribe: <https://example.us1.list-manage.com/u/1>`,
  LIST_UNSUBSCRIBE_OTHER_DOMAIN: `The page for unsubscribing is at some other domain.
    From: news@example.com, List-Unsubscribe: <https://example.net/u/1>`,
  LIST_PRECEDENCE_BULK: `The message says that it is bulk mail.
    Precedence: bulk`,
  LIST_FEEDBACK_ID: `The message is numbered for complaint statistics.
    Feedback-ID: 12:345:campaign:example`,
  LIST_CAMPAIGN_FIELD: `The header has a field by which a mailing service knows its campaign.
    X-Campaign: summer`,
  LIST_COMPLAINT_FIELD: `The header says where to complain.
    X-Report-Abuse: abuse@example.com`,
  AUTO_GENERATED: `The message says that no person sent it.
    Auto-Submitted: auto-generated`,
  AUTO_REPLIED: `The message says that it is an automatic reply.
    Auto-Submitted: auto-replied`,
  AUTO_RESPONSE_SUPPRESSED: `The message asks not to be answered automatically.
    X-Auto-Response-Suppress: All`,
})

/** Fields by which mailing services know their own campaigns again. */
const CAMPAIGN_FIELDS = wordSet(`
  x-campaign x-campaignid x-campaign-id x-mailgun-sid x-mailgun-sending-ip x-sg-eid x-sg-id
  x-mc-user x-mandrill-user x-ses-outgoing x-mj-mid x-mailer-recptid x-messageid x-cid x-job
  x-jobid x-csa-complaints x-mailer-lid x-mailer-sid x-rpcampaign x-mailing-id x-pm-message-id
  x-msys-api x-binding x-sib-id x-mktarchive x-sfmc-stack x-em-id x-roving-id x-hs-cid
  x-kmail-account x-newsletter
`)

/** Where a recipient can complain. */
const COMPLAINT_FIELDS = wordSet(`
  x-report-abuse x-report-abuse-to x-abuse x-complaints-to x-csa-complaints abuse-reports-to
`)

function listSignals(message: Message): Signal[] {
  return [
    ...listFieldSignals(message),
    ...unsubscribeSignals(message),
    ...bulkSignals(message),
    ...automaticSignals(message),
  ]
}

function listFieldSignals(message: Message): Signal[] {
  const found: Signal[] = []
  const id = fieldBody(message, 'list-id')
  if (id !== undefined) found.push(signal('LIST_ID', id))
  const post = fieldBody(message, 'list-post')
  if (post !== undefined)
    found.push(signal(/^\s*no/i.test(post) ? 'LIST_POST_NO' : 'LIST_POST', post))
  if (fieldBody(message, 'list-help') !== undefined) found.push(signal('LIST_HELP'))
  if (fieldBody(message, 'list-archive') !== undefined) found.push(signal('LIST_ARCHIVE'))
  return found
}

function unsubscribeSignals(message: Message): Signal[] {
  const body = fieldBody(message, 'list-unsubscribe')
  const oneClick = fieldBody(message, 'list-unsubscribe-post')
  if (body === undefined) {
    return oneClick === undefined ? [] : [signal('LIST_ONE_CLICK_ALONE', oneClick)]
  }

  const found: Signal[] = [signal('LIST_UNSUBSCRIBE')]
  const web = /https?:[^\s<>,]{1,2000}/i.exec(body)?.[0]
  const mail = /mailto:[^\s<>,]{1,500}/i.exec(body)?.[0]
  if (web === undefined) {
    found.push(
      mail === undefined
        ? signal('LIST_UNSUBSCRIBE_UNREADABLE', body)
        : signal('LIST_UNSUBSCRIBE_MAIL_ONLY', mail),
    )
    return found
  }
  if (oneClick !== undefined && /one-?click/i.test(oneClick)) found.push(signal('LIST_ONE_CLICK'))
  const host = hostOf(web)
  if (host === undefined) return [...found, signal('LIST_UNSUBSCRIBE_UNREADABLE', web)]
  const domain = domainOf(message, host)
  if (isOriginDomain(message, domain)) found.push(signal('LIST_UNSUBSCRIBE_OWN_DOMAIN', host))
  else if (isMailService(domain)) found.push(signal('LIST_UNSUBSCRIBE_MAIL_SERVICE', host))
  else found.push(signal('LIST_UNSUBSCRIBE_OTHER_DOMAIN', host))
  return found
}

function bulkSignals(message: Message): Signal[] {
  const found: Signal[] = []
  const precedence = fieldBody(message, 'precedence')
  if (precedence !== undefined && /^\s*(?:bulk|junk|list)/i.test(precedence)) {
    found.push(signal('LIST_PRECEDENCE_BULK', precedence))
  }
  const feedbackId = fieldBody(message, 'feedback-id') ?? fieldBody(message, 'x-feedback-id')
  if (feedbackId !== undefined) found.push(signal('LIST_FEEDBACK_ID', feedbackId))
  const campaign = message.fields.find((field) => CAMPAIGN_FIELDS.has(field.name))
  if (campaign !== undefined) found.push(signal('LIST_CAMPAIGN_FIELD', campaign.spelledName))
  const complaint = message.fields.find((field) => COMPLAINT_FIELDS.has(field.name))
  if (complaint !== undefined) found.push(signal('LIST_COMPLAINT_FIELD', complaint.spelledName))
  return found
}

function automaticSignals(message: Message): Signal[] {
  const submitted = fieldBody(message, 'auto-submitted')?.trim().toLowerCase()
  const found: Signal[] = []
  if (submitted?.startsWith('auto-generated') || submitted?.startsWith('auto-notified')) {
    found.push(signal('AUTO_GENERATED', submitted))
  }
  if (submitted?.startsWith('auto-replied')) found.push(signal('AUTO_REPLIED', submitted))
  const suppress = fieldBody(message, 'x-auto-response-suppress')
  if (suppress !== undefined) found.push(signal('AUTO_RESPONSE_SUPPRESSED', suppress))
  return found
}
