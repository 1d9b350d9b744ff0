/**
 * Message -> Signal[]. An aspect is one file, which looks at one thing and knows no other aspect. A new signal is a row of
 * signals.tsv, a line in the table of its aspect, and its cases (`test/signals/ASPECT.cases`).
 */
import type { Knowledge } from '../knowledge/knowledge.ts'
import type { Message } from '../message/message.ts'
import { attachmentSignals } from './attachments.ts'
import { contentSignals } from './content/content.ts'
import { dateSignals } from './date.ts'
import { fromSignals } from './from.ts'
import { htmlSignals } from './html.ts'
import { knownSignals } from './known.ts'
import { languageSignals } from './language.ts'
import { linkSignals } from './links.ts'
import { listSignals } from './list.ts'
import { mailerSignals, messageIdSignals } from './mailer.ts'
import { mimeSignals } from './mime.ts'
import { dkimSignals, senderSignals } from './origin.ts'
import { arrivalOf, receivedSignals } from './received.ts'
import { recipientsSignals } from './recipients.ts'
import type { Arrived, Facts, Signal } from './signal.ts'
import { subjectSignals } from './subject.ts'
import { signalsOfAspects } from './table.ts'
import { textStyleSignals } from './text.ts'

/** Finds the signals of one aspect in a message, no name twice. */
type FindSignals = (message: Message, facts: Arrived) => Signal[]

/** The aspects of a message, in the order in which their signals are given. */
export const ASPECTS = {
  date: dateSignals,
  from: fromSignals,
  sender: senderSignals,
  recipients: recipientsSignals,
  subject: subjectSignals,
  'message-id': messageIdSignals,
  received: receivedSignals,
  mailer: mailerSignals,
  list: listSignals,
  dkim: dkimSignals,
  mime: mimeSignals,
  html: htmlSignals,
  'text-style': textStyleSignals,
  links: linkSignals,
  attachments: attachmentSignals,
  language: languageSignals,
  content: contentSignals,
  known: knownSignals,
} satisfies Readonly<Record<string, FindSignals>>

export type AspectName = keyof typeof ASPECTS

/** All signals of `message`, by aspect, no name twice; without `knowledge` nothing is said of who is known. */
export function signals(message: Message, facts: Facts, knowledge?: Knowledge): Signal[] {
  const arrived = { ...facts, knowledge, receivedAt: arrivalOf(message, facts) }
  return Object.values<FindSignals>(ASPECTS).flatMap((find) => find(message, arrived))
}

/** The aspects that look at the text and its form, and at nothing that is the same in all readings. */
const TEXT_ASPECTS = ['mime', 'html', 'text-style', 'language', 'content'] as const

const TEXT_SIGNALS: ReadonlySet<string> = new Set(signalsOfAspects(TEXT_ASPECTS))

/** The signals of one reading of a message whose own are `whole`: those of other aspects stay. */
export function signalsOfReading(reading: Message, whole: readonly Signal[]): Signal[] {
  const kept = whole.filter(({ name }) => !TEXT_SIGNALS.has(name))
  return [...kept, ...TEXT_ASPECTS.flatMap((aspect) => ASPECTS[aspect](reading))]
}
