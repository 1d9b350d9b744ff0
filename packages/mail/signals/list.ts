/**
 * Signals from the fields that lists and bulk senders set: List-* (RFC 2369, 2919), one-click
 * unsubscription (RFC 8058), Precedence, Feedback-ID, Auto-Submitted (RFC 3834).
 *
 * They are promises to the reader. Large mailbox providers refuse bulk mail without them, so that
 * honest bulk has them all; what they do not prove is that anyone has asked for the mail.
 */

import { wordSet } from '../data-table.ts'
import { hostOf } from '../message/domain.ts'
import type { Message } from '../message/message.ts'
import { domainOf } from './domains.ts'
import { fieldBody } from './fields.ts'
import { isMailService } from './host-lists.ts'
import { isOriginDomain } from './origin.ts'
import { type Signal, signal } from './signal.ts'

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

export function listSignals(message: Message): Signal[] {
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
