/**
 * A tenant's latest verdicts, and the reasons and senders met most in the last half hour, for the console.
 * Nothing here names a user or an address, and of a message there is no text.
 *
 * It is counted in steps of five minutes, in memory, by each process for itself, and put together by the one
 * that is asked; what a process that has ended had counted is gone. Senders choose their domains, so that a
 * step counts only the NAMES_MAX met most of a tenant. All tenants together have ENTRIES_MAX; above that, the
 * oldest step is forgotten for all of them.
 */
import { share } from '../siblings/share-of.ts'
import { ALONE, type Siblings, topic } from '../siblings/siblings.ts'
import { FrequentNames } from './frequent-names.ts'
import type { FoundInMessage } from './message-line.ts'
import type { JudgedMessage } from './message-stream.ts'
import type { RecentMessagesResult } from './recent-results.ts'
import type { MessageSummary } from './schemas.ts'

/** A sixth of what is kept: the shorter it is, the more there is to keep. */
export const STEP_MS = 5 * 60_000

const KEPT_MS = 30 * 60_000

/** Messages listed: as many as a person takes in. */
const LATEST_MAX = 12

/** Reasons and senders listed. */
const LISTED_MAX = 10

/** Senders of a tenant in a step, and reasons: counts of senders are too low by at most 1 % of the messages. */
export const NAMES_MAX = 128

/** What a tenant has at most: 0.5 MB if every domain is as long as can be, and 0.3 MB with ordinary mail. */
const TENANT_ENTRIES_MAX = (1 + KEPT_MS / STEP_MS) * (LATEST_MAX + 2 * NAMES_MAX)

/** Messages, senders and reasons in all steps of all tenants, in all processes together: some 80 MB at most. */
const ENTRIES_MAX = 200_000

/** Digits of the points after the point. */
const POINTS_DIGITS = 2

type Message = RecentMessagesResult['messages'][number]
type Reason = RecentMessagesResult['reasons'][number]
type Sender = RecentMessagesResult['senders'][number]

/** What came from one sender. */
const NO_MAIL = { messages: 0, spam: 0, ham: 0 }

/** What one reason did. */
const NOTHING_MOVED = {
  description: '',
  forSpam: 0,
  againstSpam: 0,
  /** Log-odds, either way, of all messages together. */
  moved: 0,
}

type Mail = typeof NO_MAIL

type Moved = typeof NOTHING_MOVED

/** A message as it is kept; what is shown of it is written when somebody asks. */
interface KeptMessage {
  /** Milliseconds since 1970. */
  readonly at: number
  readonly found: FoundInMessage
  readonly senderDomain: string
  readonly reasons: MessageSummary['reasons']
  readonly ms: number
}

/** What one process has of a tenant. Times are in milliseconds since 1970. */
interface Part {
  /** When the process began to count. */
  readonly begun: number
  /** What was before is forgotten. */
  readonly forgotten: number
  /** Oldest first. */
  readonly latest: readonly KeptMessage[]
  readonly reasons: ReadonlyMap<string, Moved>
  readonly senders: ReadonlyMap<string, Mail>
}

/** Asks a process for what it has of a tenant. */
const RECENT_MESSAGES = topic<[tenant: string], Part>('recent messages')

/** What a tenant had in a step. */
class TenantStep {
  /** Oldest first. */
  readonly latest: KeptMessage[] = []
  readonly senders = new FrequentNames<Mail>(NAMES_MAX, () => ({ ...NO_MAIL }))
  readonly reasons = new FrequentNames<Moved>(NAMES_MAX, () => ({ ...NOTHING_MOVED }))

  get entries(): number {
    return this.latest.length + this.senders.size + this.reasons.size
  }

  add(at: number, { summary: { senderDomain, reasons }, found }: JudgedMessage, ms: number): void {
    const verdict = 'verdict' in found ? found.verdict : null
    this.latest.push({ at, found, senderDomain, reasons, ms })
    if (this.latest.length > LATEST_MAX) this.latest.shift()
    const mail = this.senders.meet(senderDomain)
    mail.messages++
    if (verdict === null) return
    if (verdict === 'ham') mail.ham++
    else mail.spam++
    for (const { name, points, description } of reasons) {
      const moved = this.reasons.meet(name)
      moved.description = description
      moved.moved += Math.abs(points)
      if (points > 0) moved.forSpam++
      else moved.againstSpam++
    }
  }
}

interface Step {
  /** Milliseconds since 1970, a multiple of STEP_MS. */
  readonly at: number
  /** Of all tenants together. */
  entries: number
  readonly tenants: Map<string, TenantStep>
}

export interface RecentMessagesOptions {
  /** The other processes; absent if this is the whole service. */
  readonly siblings?: Siblings
  /** Milliseconds since 1970. */
  readonly now?: () => number
  /** For this process. */
  readonly entriesMax?: number
}

export class RecentMessages {
  readonly #siblings: Siblings
  readonly #now: () => number
  readonly #entriesMax: number
  /** Oldest first. */
  #steps: Step[] = []
  /** When this process began to count. */
  readonly #begun: number
  /** What was before is forgotten, because there was no room. */
  #forgotten = 0

  constructor({ siblings = ALONE, now = Date.now, entriesMax }: RecentMessagesOptions = {}) {
    this.#siblings = siblings
    this.#now = now
    this.#entriesMax = entriesMax ?? share(ENTRIES_MAX, siblings.count, TENANT_ENTRIES_MAX)
    this.#begun = now()
    siblings.on(RECENT_MESSAGES, (tenant) => this.#partOf(tenant))
  }

  /** A message was judged, and the answer took `ms` milliseconds. */
  judged(tenant: string, message: JudgedMessage, ms: number): void {
    const now = this.#now()
    const step = this.#stepOf(now)
    const own = step.tenants.get(tenant) ?? new TenantStep()
    step.tenants.set(tenant, own)
    const before = own.entries
    own.add(now, message, ms)
    step.entries += own.entries - before
    this.#makeRoom()
  }

  /** What all processes have of `tenant`. */
  async of(tenant: string): Promise<RecentMessagesResult> {
    const parts = [this.#partOf(tenant), ...(await this.#siblings.ask(RECENT_MESSAGES, tenant))]
    return {
      since: new Date(Math.max(sinceOf(parts), this.#oldestStep())).toISOString(),
      messages: parts
        .flatMap(({ latest }) => latest.toReversed())
        .sort((a, b) => b.at - a.at)
        .slice(0, LATEST_MAX)
        .map(shown),
      reasons: reasonsOf(parts),
      senders: sendersOf(parts),
    }
  }

  /** What this process has. */
  #partOf(tenant: string): Part {
    this.#forgetOld()
    const steps = this.#steps.flatMap(({ tenants }) => tenants.get(tenant) ?? [])
    return {
      begun: this.#begun,
      forgotten: this.#forgotten,
      latest: steps.flatMap(({ latest }) => latest).slice(-LATEST_MAX),
      reasons: sumsOf(
        steps.flatMap(({ reasons }) => [...reasons]),
        bothMoved,
      ),
      senders: sumsOf(
        steps.flatMap(({ senders }) => [...senders]),
        bothMail,
      ),
    }
  }

  #stepOf(now: number): Step {
    const at = Math.floor(now / STEP_MS) * STEP_MS
    const last = this.#steps.at(-1)
    if (last?.at === at) return last
    this.#forgetOld()
    const step: Step = { at, entries: 0, tenants: new Map() }
    this.#steps.push(step)
    return step
  }

  /** When the oldest step began that lies in the last half hour as a whole. */
  #oldestStep(): number {
    return Math.ceil((this.#now() - KEPT_MS) / STEP_MS) * STEP_MS
  }

  #forgetOld(): void {
    const oldest = this.#oldestStep()
    this.#steps = this.#steps.filter(({ at }) => at >= oldest)
  }

  #makeRoom(): void {
    let entries = this.#steps.reduce((sum, step) => sum + step.entries, 0)
    while (entries > this.#entriesMax) {
      entries -= this.#steps.shift()!.entries
      this.#forgotten = this.#steps[0]?.at ?? this.#now()
    }
  }
}

/** From when on all is counted: since the first process began, or one of them had no room. */
function sinceOf(parts: readonly Part[]): number {
  const begun = Math.min(...parts.map(({ begun }) => begun))
  return Math.max(begun, ...parts.map(({ forgotten }) => forgotten))
}

/** Those that moved most, first. */
function reasonsOf(parts: readonly Part[]): Reason[] {
  return [
    ...sumsOf(
      parts.flatMap(({ reasons }) => [...reasons]),
      bothMoved,
    ),
  ]
    .sort(([, a], [, b]) => b.moved - a.moved)
    .slice(0, LISTED_MAX)
    .map(([name, { description, forSpam, againstSpam, moved }]) => {
      const points = moved / (forSpam + againstSpam)
      return inDigits({ name, description, forSpam, againstSpam, points })
    })
}

/** Those with the most messages, first. */
function sendersOf(parts: readonly Part[]): Sender[] {
  return [
    ...sumsOf(
      parts.flatMap(({ senders }) => [...senders]),
      bothMail,
    ),
  ]
    .sort(([, a], [, b]) => b.messages - a.messages)
    .slice(0, LISTED_MAX)
    .map(([domain, mail]) => ({ domain, ...mail }))
}

/** The sum of each name, in the order in which they are first. */
function sumsOf<Counts>(
  all: readonly (readonly [name: string, Counts])[],
  both: (one: Counts, other: Counts) => Counts,
): Map<string, Counts> {
  const sums = new Map<string, Counts>()
  for (const [name, counts] of all) {
    const sum = sums.get(name)
    sums.set(name, sum === undefined ? counts : both(sum, counts))
  }
  return sums
}

function bothMoved(one: Moved, other: Moved): Moved {
  return {
    description: other.description,
    forSpam: one.forSpam + other.forSpam,
    againstSpam: one.againstSpam + other.againstSpam,
    moved: one.moved + other.moved,
  }
}

function bothMail(one: Mail, other: Mail): Mail {
  return {
    messages: one.messages + other.messages,
    spam: one.spam + other.spam,
    ham: one.ham + other.ham,
  }
}

function shown({ at, found, senderDomain, reasons, ms }: KeptMessage): Message {
  const verdict = 'verdict' in found ? found : undefined
  return {
    at: new Date(at).toISOString(),
    verdict: verdict?.verdict ?? null,
    spamProbability: verdict?.probability ?? null,
    classification: 'verdict' in found ? found.class : found.classification,
    bypassReason: verdict?.reason ?? null,
    shouldEscalate: verdict?.escalate ?? false,
    senderDomain,
    reasons: verdict === undefined ? [] : reasons.map(inDigits),
    ms: Number(ms.toFixed(1)),
  }
}

function inDigits<Reason extends { readonly points: number }>(reason: Reason): Reason {
  return { ...reason, points: Number(reason.points.toFixed(POINTS_DIGITS)) }
}
