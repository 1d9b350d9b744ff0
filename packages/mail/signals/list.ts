/**
 * Signals from the fields that lists and bulk senders set: List-* (RFC 2369, 2919), one-click unsubscription (RFC 8058), Precedence,
 * Feedback-ID, Auto-Submitted (RFC 3834). Large providers refuse bulk mail without them; that anyone asked for it they do not prove.
 */
import { hostOf } from '../message/domain.ts'
import type { Message } from '../message/message.ts'
import { fieldBody } from './fields.ts'
import { isMailService } from './host-lists.ts'
import { isOriginDomain } from './origin.ts'
import { domainOf } from './per-message.ts'
import { raised, type Signal } from './signal.ts'
import { wordList } from './word-lists.ts'

const CAMPAIGN_FIELDS = wordList('campaign-field')

const COMPLAINT_FIELDS = wordList('complaint-field')

export function listSignals(message: Message): Signal[] {
  const field = (name: string) => fieldBody(message, name)
  const anyOf = (names: ReadonlySet<string>) =>
    message.fields.find(({ name }) => names.has(name))?.spelledName
  const post = field('list-post')
  const isClosed = /^\s*no/i.test(post ?? '')
  const precedence = field('precedence')
  const submitted = field('auto-submitted')?.trim().toLowerCase()
  return [
    ...raised({
      LIST_ID: field('list-id'),
      LIST_POST_NO: isClosed && post,
      LIST_POST: !isClosed && post,
      LIST_HELP: field('list-help') !== undefined,
      LIST_ARCHIVE: field('list-archive') !== undefined,
    }),
    ...unsubscribeSignals(message),
    ...raised({
      LIST_PRECEDENCE_BULK: /^\s*(?:bulk|junk|list)/i.test(precedence ?? '') && precedence,
      LIST_FEEDBACK_ID: field('feedback-id') ?? field('x-feedback-id'),
      LIST_CAMPAIGN_FIELD: anyOf(CAMPAIGN_FIELDS),
      LIST_COMPLAINT_FIELD: anyOf(COMPLAINT_FIELDS),
      AUTO_GENERATED: /^auto-(?:generated|notified)/.test(submitted ?? '') && submitted,
      AUTO_REPLIED: submitted?.startsWith('auto-replied') && submitted,
      AUTO_RESPONSE_SUPPRESSED: field('x-auto-response-suppress'),
    }),
  ]
}

function unsubscribeSignals(message: Message): Signal[] {
  const body = fieldBody(message, 'list-unsubscribe')
  const oneClick = fieldBody(message, 'list-unsubscribe-post')
  if (body === undefined) return raised({ LIST_ONE_CLICK_ALONE: oneClick })
  const web = /https?:[^\s<>,]{1,2000}/i.exec(body)?.[0]
  const mail = /mailto:[^\s<>,]{1,500}/i.exec(body)?.[0]
  const host = web === undefined ? undefined : hostOf(web)
  const domain = host === undefined ? '' : domainOf(message, host)
  const isOwn = isOriginDomain(message, domain)
  const isService = !isOwn && isMailService(domain)
  return raised({
    LIST_UNSUBSCRIBE: true,
    LIST_UNSUBSCRIBE_MAIL_ONLY: web === undefined && mail,
    LIST_ONE_CLICK: web !== undefined && /one-?click/i.test(oneClick ?? ''),
    LIST_UNSUBSCRIBE_UNREADABLE: host === undefined && (web ?? (mail === undefined && body)),
    LIST_UNSUBSCRIBE_OWN_DOMAIN: isOwn && host,
    LIST_UNSUBSCRIBE_MAIL_SERVICE: isService && host,
    LIST_UNSUBSCRIBE_OTHER_DOMAIN: !isOwn && !isService && host,
  })
}
