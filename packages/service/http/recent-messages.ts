/**
 * The latest verdicts of the last half hour, with the reasons and senders met most among them, for the
 * console. Nothing here names a user or an address, and of a message there is no text; its
 * Message-ID is for finding it in the history.
 *
 * Each process keeps a ring of its latest messages in memory, and the one that is asked puts the rings together; what a
 * process that has ended had kept is gone.
 */
import { summaryReason } from '../../mail/verdict/reason-descriptions.ts'
import { ALONE, type Siblings, topic } from '../siblings/siblings.ts'
import type { FoundInMessage } from './message-line.ts'
import type { JudgedMessage } from './message-stream.ts'
import type { RecentMessagesResult } from './recent-results.ts'
import { summaryOf, type ToldMessage } from './told-message.ts'

const KEPT_MS = 30 * 60_000

/** Messages in a ring: enough to see who is loud, in 0.4 MB with ordinary mail. */
export const RING_MAX = 500

/** Messages listed: as many as a person takes in. */
const LATEST_MAX = 12

/** Reasons and senders listed. */
const LISTED_MAX = 10

/** Digits of the points after the point. */
const POINTS_DIGITS = 2

type Message = RecentMessagesResult['messages'][number]
type Reason = RecentMessagesResult['reasons'][number]
type Sender = RecentMessagesResult['senders'][number]

/** A message as it is kept; what is shown of it is written when somebody asks. */
interface KeptMessage {
  /** Milliseconds since 1970. */
  readonly at: number
  readonly found: FoundInMessage
  /** Without verdict and reasons where the class alone was asked for. */
  readonly told: ToldMessage
  readonly ms: number
}

interface Ring {
  /** Oldest first. */
  readonly messages: KeptMessage[]
  /** What was before is forgotten, in milliseconds since 1970; 0 if nothing is. */
  forgotten: number
}

/** What one process has. */
interface Part extends Readonly<Ring> {
  /** When the process began to keep messages, in milliseconds since 1970. */
  readonly begun: number
}

/** Asks a process for what it has. */
const RECENT_MESSAGES = topic<[], Part>('recent messages')

export interface RecentMessagesOptions {
  /** The other processes; absent if this is the whole service. */
  readonly siblings?: Siblings
  /** Milliseconds since 1970. */
  readonly now?: () => number
}

export class RecentMessages {
  readonly #siblings: Siblings
  readonly #now: () => number
  readonly #ring: Ring = { messages: [], forgotten: 0 }
  readonly #begun: number

  constructor({ siblings = ALONE, now = Date.now }: RecentMessagesOptions = {}) {
    this.#siblings = siblings
    this.#now = now
    this.#begun = now()
    siblings.on(RECENT_MESSAGES, () => this.#part())
  }

  /** A message was judged, and the answer took `ms` milliseconds. */
  judged({ told, found }: JudgedMessage, ms: number): void {
    const ring = this.#ring
    ring.messages.push({
      at: this.#now(),
      ...{ found, ms },
      told: 'verdict' in found ? told : { ...told, judged: undefined, reasons: [] },
    })
    if (ring.messages.length > RING_MAX) {
      ring.messages.shift()
      ring.forgotten = ring.messages[0]!.at
    }
  }

  /** What all processes have. */
  async of(): Promise<RecentMessagesResult> {
    const parts = [this.#part(), ...(await this.#siblings.ask(RECENT_MESSAGES))]
    const since = Math.max(
      this.#now() - KEPT_MS,
      Math.min(...parts.map(({ begun }) => begun)),
      ...parts.map(({ forgotten }) => forgotten),
    )
    const messages = parts
      .flatMap((part) => part.messages)
      .filter(({ at }) => at >= since)
      .sort((a, b) => a.at - b.at)
    return {
      since: new Date(since).toISOString(),
      messages: messages
        .slice(-LATEST_MAX)
        .reverse()
        .map((message) => shown(message)),
      reasons: reasonsIn(messages),
      senders: sendersIn(messages),
    }
  }

  /** What this process has. */
  #part(): Part {
    return { begun: this.#begun, ...this.#ring }
  }
}

/** Those that moved most, first; one without points moved nothing. */
function reasonsIn(messages: readonly KeptMessage[]): Reason[] {
  const found = messages.flatMap(({ told }) => told.reasons).filter(({ points }) => points !== 0)
  return [...Map.groupBy(found, ({ name }) => name)]
    .map(([name, those]) => {
      const moved = those.reduce((sum, { points }) => sum + Math.abs(points), 0)
      const forSpam = those.filter(({ points }) => points > 0).length
      const againstSpam = those.length - forSpam
      const { description } = summaryReason(those.at(-1)!)
      return {
        moved,
        reason: { name, description, forSpam, againstSpam, points: moved / those.length },
      }
    })
    .sort((a, b) => b.moved - a.moved)
    .slice(0, LISTED_MAX)
    .map(({ reason }) => inDigits(reason))
}

/** Those with the most messages, first. */
function sendersIn(messages: readonly KeptMessage[]): Sender[] {
  return [...Map.groupBy(messages, ({ told }) => told.senderDomain)]
    .map(([domain, those]) => {
      const verdicts = those.flatMap(({ found }) => ('verdict' in found ? [found.verdict] : []))
      const ham = verdicts.filter((verdict) => verdict === 'ham').length
      return { domain, messages: those.length, spam: verdicts.length - ham, ham }
    })
    .sort((a, b) => b.messages - a.messages)
    .slice(0, LISTED_MAX)
}

function shown({ at, found, told, ms }: KeptMessage): Message {
  const { messageId, senderDomain, sentence, reasons } = summaryOf(told)
  const verdict = 'verdict' in found ? found : undefined
  return {
    at: new Date(at).toISOString(),
    ...(messageId !== '' && { messageId }),
    verdict: verdict?.verdict ?? null,
    spamProbability: verdict?.probability ?? null,
    classification: 'verdict' in found ? found.class : found.classification,
    bypassReason: verdict?.reason ?? null,
    shouldEscalate: verdict?.escalate ?? false,
    senderDomain,
    ...(sentence !== undefined && { sentence }),
    reasons: reasons.map(inDigits),
    ms: Number(ms.toFixed(1)),
  }
}

function inDigits<Reason extends { readonly points: number }>(reason: Reason): Reason {
  return { ...reason, points: Number(reason.points.toFixed(POINTS_DIGITS)) }
}
