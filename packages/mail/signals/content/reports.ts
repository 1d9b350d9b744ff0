/** Signals from what programs answer: bounces, receipts, automatic replies, appointments. */
import type { Message } from '../../message/message.ts'
import { fieldBody } from '../fields.ts'
import { type Signal, signal } from '../signal.ts'
import { subjectOf } from '../text.ts'

/** Subjects of automatic replies that say so nowhere else. */
const AUTO_REPLY_SUBJECT =
  /^\s*(?:auto(?:matic)?[ -]?(?:reply|response|matisch)|out of (?:the )?office|abwesenheit|automatische antwort|réponse automatique|respuesta automática|risposta automatica|automatisch antwoord|autosvar|автоответ|自动回复)/i

export function reportSignals(message: Message): Signal[] {
  const found: Signal[] = []
  const types = new Set(message.parts.map((part) => part.type))
  if (types.has('message/delivery-status') || reportType(message) === 'delivery-status') {
    found.push(signal('DELIVERY_STATUS', 'report'))
  } else if (types.has('message/disposition-notification')) {
    found.push(signal('DISPOSITION_NOTIFICATION'))
  } else if (isPlainBounce(message)) {
    found.push(signal('DELIVERY_STATUS', 'subject'))
  }
  if (
    fieldBody(message, 'auto-submitted')?.toLowerCase().includes('auto-replied') ||
    fieldBody(message, 'x-autoreply') !== undefined ||
    fieldBody(message, 'x-autorespond') !== undefined ||
    AUTO_REPLY_SUBJECT.test(subjectOf(message))
  ) {
    found.push(signal('AUTO_REPLY'))
  }
  if (types.has('text/calendar') || message.attachments.some((it) => /\.ics$/i.test(it.fileName))) {
    found.push(signal('CALENDAR_INVITE'))
  }
  return found
}

function reportType(message: Message): string | undefined {
  return message.root.parameters.get('report-type')?.toLowerCase()
}

/** Bounces of old systems: no report inside, but from the mail system and saying so. */
function isPlainBounce(message: Message): boolean {
  const from = fieldBody(message, 'from') ?? ''
  return (
    /mailer-daemon@|postmaster@|mail delivery (?:sub)?system/i.test(from) &&
    /undeliver|failure|failed|returned|delivery|unzustellbar|non remis|delayed|warning/i.test(
      subjectOf(message),
    )
  )
}
