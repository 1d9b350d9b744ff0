/**
 * A tenant's latest verdicts, and the reasons and senders met most in the last half hour, for the console.
 * Nothing here names a user or an address, and of a message there is no text.
 *
 * It is counted in steps of five minutes, in memory, and by each process for itself. Senders choose their
 * domains, so that a step counts only the NAMES_MAX met most of a tenant. All tenants together have
 * ENTRIES_MAX; above that, the oldest step is forgotten for all of them.
 */
import { FrequentNames } from './frequent-names.ts'
import type { FoundInMessage } from './message-line.ts'
import type { JudgedMessage } from './message-stream.ts'
import type { RecentMessagesResult } from './routes/recent-messages.ts'
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

/**
 * Messages, senders and reasons in all steps of all tenants: some 80 MB at most. A tenant has at most 1,876, which
 * take 0.5 MB if every domain is as long as can be, and 0.3 MB with ordinary mail.
 */
const ENTRIES_MAX = 200_000

/** Digits of the points after the point. */
const POINTS_DIGITS = 2

type Message = RecentMessagesResult['messages'][number]
type Reason = RecentMessagesResult['reasons'][number]
type Sender = RecentMessagesResult['senders'][number]

const NO_MAIL = { messages: 0, spam: 0, ham: 0 }

const NOTHING_MOVED = {
  description: '',
  forSpam: 0,
  againstSpam: 0,
  /** Log-odds, either way, of all messages together. */
  moved: 0,
}

/** What came from one sender. */
type Mail = typeof NO_MAIL

/** What one reason did. */
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

export class RecentMessages {
  readonly #now: () => number
  readonly #entriesMax: number
  /** Oldest first. */
  #steps: Step[] = []
  /** What came before is not counted, because this process did not run or it was forgotten. */
  #since: number

  /** @param now milliseconds since 1970. */
  constructor(now: () => number = Date.now, entriesMax = ENTRIES_MAX) {
    this.#now = now
    this.#entriesMax = entriesMax
    this.#since = now()
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

  /** What there is of `tenant`. */
  of(tenant: string): RecentMessagesResult {
    this.#forgetOld()
    const steps = this.#steps.flatMap(({ tenants }) => tenants.get(tenant) ?? [])
    return {
      since: new Date(Math.max(this.#since, this.#oldestStep())).toISOString(),
      messages: steps
        .flatMap(({ latest }) => latest)
        .slice(-LATEST_MAX)
        .reverse()
        .map(shown),
      reasons: reasonsOf(steps),
      senders: sendersOf(steps),
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
      this.#since = this.#steps[0]?.at ?? this.#now()
    }
  }
}

/** Those that moved most, first. */
function reasonsOf(steps: readonly TenantStep[]): Reason[] {
  const all = new Map<string, Moved>()
  for (const [name, { description, forSpam, againstSpam, moved }] of steps.flatMap(
    ({ reasons }) => [...reasons],
  )) {
    const sum = all.get(name) ?? NOTHING_MOVED
    all.set(name, {
      description,
      forSpam: sum.forSpam + forSpam,
      againstSpam: sum.againstSpam + againstSpam,
      moved: sum.moved + moved,
    })
  }
  return [...all]
    .sort(([, a], [, b]) => b.moved - a.moved)
    .slice(0, LISTED_MAX)
    .map(([name, { description, forSpam, againstSpam, moved }]) => {
      const points = moved / (forSpam + againstSpam)
      return inDigits({ name, description, forSpam, againstSpam, points })
    })
}

/** Those with the most messages, first. */
function sendersOf(steps: readonly TenantStep[]): Sender[] {
  const all = new Map<string, Mail>()
  for (const [domain, { messages, spam, ham }] of steps.flatMap(({ senders }) => [...senders])) {
    const sum = all.get(domain) ?? NO_MAIL
    all.set(domain, {
      messages: sum.messages + messages,
      spam: sum.spam + spam,
      ham: sum.ham + ham,
    })
  }
  return [...all]
    .sort(([, a], [, b]) => b.messages - a.messages)
    .slice(0, LISTED_MAX)
    .map(([domain, mail]) => ({ domain, ...mail }))
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
