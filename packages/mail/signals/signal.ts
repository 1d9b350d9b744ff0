/**
 * A signal: a named fact about a message, with the evidence for it. Names follow the habit of rspamd, SpamAssassin and Stalwart:
 * aspect first (`DATE_IN_FUTURE`).
 */
import type { Knowledge } from '../knowledge/knowledge.ts'

export interface Signal<Name extends string = string> {
  readonly name: Name
  /** The words or values it rests on, at most EVIDENCE_LENGTH_MAX characters. */
  readonly evidence?: string
}

/** What is known about a message beside its bytes. All of it optional but the time. */
export interface Facts {
  /** The clock of the machine that judges. No message is judged at a later time. */
  readonly now: Date
  /**
   * What a message is judged at whose topmost Received field tells no time. `now`, also when absent:
   * it has just come. `date`: it comes from a folder, and its Date is the best there is.
   */
  readonly arrivalFallback?: ArrivalFallback
  /** Address of the client that sent it, canonical text form. */
  readonly senderIp?: string
  /** Envelope sender (RFC 5321 MAIL FROM), lower-cased domain; '' is the null sender. */
  readonly mailFrom?: string
}

export const ARRIVAL_FALLBACKS = ['now', 'date'] as const

export type ArrivalFallback = (typeof ARRIVAL_FALLBACKS)[number]

/** The same, as an aspect sees it. */
export interface Arrived extends Pick<Facts, 'senderIp' | 'mailFrom'> {
  /** When the message arrived (received.ts). */
  readonly receivedAt: Date
  /** What is known of senders and hosts. */
  readonly knowledge?: Knowledge | undefined
}

/** Long evidence is of no more use than its beginning, and answers stay small. */
export const EVIDENCE_LENGTH_MAX = 200

/** The signal `name`, with its evidence cut to what is kept of it. */
export function signal(name: string, evidence = ''): Signal {
  if (evidence === '') return { name }
  // A cut in the middle of a surrogate pair, here or before, leaves a string that is not Unicode.
  return { name, evidence: evidence.slice(0, EVIDENCE_LENGTH_MAX).toWellFormed() }
}

/** What a signal rests on; true where nothing is to be shown of it, false or undefined where it is not raised. */
type Grounds = string | number | boolean | undefined

/** The signals of a table that are raised, in its order: name -> grounds. */
export function raised(table: Readonly<Record<string, Grounds>>): Signal[] {
  const found: Signal[] = []
  for (const name in table) {
    const grounds = table[name]
    if (grounds === undefined || grounds === false) continue
    found.push(signal(name, grounds === true ? '' : String(grounds)))
  }
  return found
}

/** Of the signals of one name the first: its evidence is enough. */
export function firstOfEachName(signals: readonly Signal[]): Signal[] {
  const names = new Set<string>()
  return signals.filter(({ name }) => !names.has(name) && names.add(name))
}
