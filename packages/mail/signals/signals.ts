/**
 * Message -> Signal[]: every aspect of a message in turn.
 *
 * An aspect is one file or folder, which looks at one thing and knows no other aspect. It declares
 * what signals it may give (aspect.ts); all that there are follow from the list here.
 */
import type { Knowledge } from '../knowledge/knowledge.ts'
import type { Message } from '../message/message.ts'
import { arrivalOf } from './arrival.ts'
import type { SignalDeclaration } from './aspect.ts'
import { attachmentsAspect } from './attachments.ts'
import { contentAspect } from './content/content.ts'
import { dateAspect } from './date.ts'
import { dkimAspect } from './dkim.ts'
import { fromAspect } from './from/from.ts'
import { htmlAspect } from './html.ts'
import { knownAspect } from './known.ts'
import { languageAspect } from './language.ts'
import { linksAspect } from './links/links.ts'
import { listAspect } from './list.ts'
import { mailerAspect } from './mailer.ts'
import { messageIdAspect } from './message-id.ts'
import { mimeAspect } from './mime.ts'
import { receivedAspect } from './received.ts'
import { recipientsAspect } from './recipients.ts'
import { senderAspect } from './sender.ts'
import type { Facts, Signal } from './signal.ts'
import { subjectAspect } from './subject.ts'
import { textStyleAspect } from './text-style.ts'

/** The aspects of a message, in the order in which their signals are given. */
export const ASPECTS = [
  dateAspect,
  fromAspect,
  senderAspect,
  recipientsAspect,
  subjectAspect,
  messageIdAspect,
  receivedAspect,
  mailerAspect,
  listAspect,
  dkimAspect,
  mimeAspect,
  htmlAspect,
  textStyleAspect,
  linksAspect,
  attachmentsAspect,
  languageAspect,
  contentAspect,
  knownAspect,
] as const

export type AspectName = (typeof ASPECTS)[number]['name']

type KeyOf<Declared> = Declared extends object ? keyof Declared : never

/** The name of a signal that an aspect declares. */
export type SignalName = KeyOf<(typeof ASPECTS)[number]['declares']>

/** A signal as it is found: it has a name that is declared. */
export type FoundSignal = Signal<SignalName>

/** What is said of a signal, and which aspect gives it. */
export interface DeclaredSignal extends SignalDeclaration {
  readonly aspect: AspectName
}

/** Every signal there is, by aspect and within it as declared. */
export const SIGNALS = Object.fromEntries(
  ASPECTS.flatMap(({ name: aspect, declares }) =>
    Object.entries<SignalDeclaration>(declares).map(([name, said]) => [name, { ...said, aspect }]),
  ),
) as Readonly<Record<SignalName, DeclaredSignal>>

/** All names, in the order of SIGNALS. */
export const SIGNAL_NAMES = Object.keys(SIGNALS) as readonly SignalName[]

/** All signals of `message`, by aspect, no name twice; without `knowledge` nothing is said of who is known. */
export function signals(message: Message, facts: Facts, knowledge?: Knowledge): FoundSignal[] {
  const arrived = { ...facts, knowledge, receivedAt: arrivalOf(message, facts) }
  return ASPECTS.flatMap<FoundSignal>(({ find }) => find(message, arrived))
}

/** The aspects that look at the text and its form, and at nothing that is the same in all readings. */
const TEXT_ASPECTS = [mimeAspect, htmlAspect, textStyleAspect, languageAspect, contentAspect]

const TEXT_SIGNALS: ReadonlySet<string> = new Set(
  TEXT_ASPECTS.flatMap(({ declares }) => Object.keys(declares)),
)

/** The signals of one reading of a message whose own are `whole`: those of other aspects stay. */
export function signalsOfReading(reading: Message, whole: readonly FoundSignal[]): FoundSignal[] {
  const kept = whole.filter(({ name }) => !TEXT_SIGNALS.has(name))
  return [...kept, ...TEXT_ASPECTS.flatMap<FoundSignal>(({ find }) => find(reading))]
}
