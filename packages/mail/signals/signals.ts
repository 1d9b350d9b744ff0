/**
 * Message -> Signal[]: every aspect of a message in turn.
 *
 * An aspect is one file with one function, which looks at one thing and knows no other aspect.
 * All signals there are stand in catalogue.ts.
 */
import type { Message } from '../message/message.ts'
import { arrivalOf } from './arrival.ts'
import { attachmentSignals } from './attachments.ts'
import { type Aspect, CATALOGUE } from './catalogue.ts'
import { contentSignals } from './content.ts'
import { dateSignals } from './date.ts'
import { dkimSignals } from './dkim.ts'
import { fromSignals } from './from.ts'
import { htmlSignals } from './html.ts'
import { languageSignals } from './language.ts'
import { linkSignals } from './links.ts'
import { listSignals } from './list.ts'
import { mailerSignals } from './mailer.ts'
import { messageIdSignals } from './message-id.ts'
import { mimeSignals } from './mime.ts'
import { receivedSignals } from './received.ts'
import { recipientsSignals } from './recipients.ts'
import { senderSignals } from './sender.ts'
import type { Arrived, Facts, Signal } from './signal.ts'
import { subjectSignals } from './subject.ts'
import { textStyleSignals } from './text-style.ts'

/** The function of each aspect, in the order in which signals are given. */
export const ASPECT_SIGNALS: Readonly<
  Record<Aspect, (message: Message, facts: Arrived) => Signal[]>
> = {
  date: (message, facts) => dateSignals(message, facts.receivedAt),
  from: fromSignals,
  sender: senderSignals,
  recipients: recipientsSignals,
  subject: subjectSignals,
  'message-id': messageIdSignals,
  received: receivedSignals,
  mailer: mailerSignals,
  list: listSignals,
  dkim: (message, facts) => dkimSignals(message, facts.receivedAt),
  mime: mimeSignals,
  html: htmlSignals,
  'text-style': textStyleSignals,
  links: linkSignals,
  attachments: attachmentSignals,
  language: languageSignals,
  content: contentSignals,
}

/** All signals of `message`, by aspect, no name twice. */
export function signals(message: Message, facts: Facts): Signal[] {
  const arrived = { ...facts, receivedAt: arrivalOf(message, facts) }
  return Object.values(ASPECT_SIGNALS).flatMap((aspectSignals) => aspectSignals(message, arrived))
}

/** The aspects that look at the text and its form. */
const TEXT_ASPECTS = {
  mime: mimeSignals,
  html: htmlSignals,
  'text-style': textStyleSignals,
  language: languageSignals,
  content: contentSignals,
} as const

/** The signals of one reading of a message whose own are `whole`: those of other aspects stay. */
export function signalsOfReading(reading: Message, whole: readonly Signal[]): Signal[] {
  const kept = whole.filter(({ name }) => !(CATALOGUE[name].aspect in TEXT_ASPECTS))
  return [...kept, ...Object.values(TEXT_ASPECTS).flatMap((ofAspect) => ofAspect(reading))]
}
