/**
 * Which corrections of many users may teach the model that all of them share.
 *
 * Anyone can lie, in any number and under several names. So a user counts from a day after they
 * were first heard of, corrections are counted, of a user by the week, of a sender domain and in all
 * by the day, and a message that was not authenticated, which anyone can have forged, counts only
 * once several users agree about it.
 *
 * All that is remembered is bounded: counts by the day's limit, users and agreements by number, the
 * oldest leaving. Forgetting a user or an agreement makes nothing count that would not have.
 */
import { createHash } from 'node:crypto'
import { AGREEMENT_MIN } from './agreement.ts'
import type { LearnEvent } from './learn-event.ts'

export interface LimitSettings {
  /** How long a user must have been heard of. */
  readonly newcomerMs: number
  /** Corrections of one user that count, a week. */
  readonly userWeekMax: number
  /** Corrections about one sender domain that count, a day, of all users together. */
  readonly domainDayMax: number
  /** Corrections that count, a day, of all users together. */
  readonly dayMax: number
  /** Users who must say the same of a message, or of a domain, that was not authenticated. */
  readonly agreementMin: number
}

const DAY_MS = 24 * 60 * 60 * 1000

/**
 * A day: whoever makes up names has to begin the day before, and is limited from then on.
 *
 * Two a week and user: a liar weighs no more than an honest user who corrects now and then. With one a
 * day, ten liars among a thousand users cost up to a quarter of 1-AUC, and with two a day more, while the
 * honest users' others gain nothing that can be measured (packages/lab/reports/learning). Their own rules and
 * memory take all of them.
 *
 * Twenty a domain: of 660 a day in the simulation the commonest domains have 76 and 30. No one sender
 * makes more than a thirtieth of what is learned.
 *
 * Five thousand in all: what is remembered of a day and a week stays below 5 MB, and learning from it takes some
 * seconds of CPU.
 *
 * As many agree about a message as about a feature.
 */
export const LIMITS: LimitSettings = {
  newcomerMs: DAY_MS,
  userWeekMax: 2,
  domainDayMax: 20,
  dayMax: 5_000,
  agreementMin: AGREEMENT_MIN,
}

/**
 * Users remembered: at some 40 bytes each, 8 MB. Whoever has not been heard of for the longest is a
 * newcomer again: to crowd out others takes as many corrections, and stops learning, not more.
 */
const USERS_MAX = 200_000

/** Agreements remembered: at some 800 bytes each, with ids of ordinary length, 16 MB. */
const AGREEMENTS_MAX = 20_000

const WEEK_DAYS = 7

export class TeachingLimits {
  readonly #settings: LimitSettings
  #day = Number.NEGATIVE_INFINITY
  #taughtToday = 0
  /** When each was first heard of; the longest unheard of first. */
  readonly #firstHeardMs = new Map<number, number>()
  readonly #perUser = new Map<string, number>()
  readonly #perDomain = new Map<string, number>()
  /** Who said the same of one message or domain, at most agreementMin of them; the longest known first. */
  readonly #agreements = new Map<string, ReadonlySet<string>>()

  constructor(settings: LimitSettings) {
    this.#settings = settings
  }

  /** Whether `event` would count, being the next. Changes nothing. */
  admits(event: LearnEvent): boolean {
    const { userWeekMax, domainDayMax, dayMax, agreementMin } = this.#settings
    if (this.#isNewcomer(event)) return false
    const trusted =
      event.authenticatedDomain !== undefined ||
      subjectsOf(event).some((subject) => this.#usersOn(subject, event).size >= agreementMin)
    if (!trusted) return false
    const day = dayOf(event)
    if (weekOf(day) <= weekOf(this.#day) && countIn(this.#perUser, event.userId) >= userWeekMax) {
      return false
    }
    if (day > this.#day) return true
    return this.#taughtToday < dayMax && countIn(this.#perDomain, domainOf(event)) < domainDayMax
  }

  /** Remembers what `event` says, whether it counted or not. */
  note(event: LearnEvent, counted: boolean): void {
    if (!this.#isNewcomer(event)) {
      for (const subject of subjectsOf(event)) {
        this.#remember(subject, this.#usersOn(subject, event))
      }
    }
    this.hear(event)
    if (!counted) return
    // Clocks of replicas differ a little: a day that has begun stays the day.
    if (dayOf(event) > this.#day) this.#startDay(dayOf(event))
    this.#taughtToday++
    this.#perUser.set(event.userId, countIn(this.#perUser, event.userId) + 1)
    this.#perDomain.set(domainOf(event), countIn(this.#perDomain, domainOf(event)) + 1)
  }

  /** Remembers that the user has said something, whatever it was. */
  hear({ userId, createdAt }: LearnEvent): void {
    const user = numberOf(userId)
    const firstHeardMs = this.#firstHeardMs.get(user) ?? createdAt.getTime()
    this.#firstHeardMs.delete(user)
    this.#firstHeardMs.set(user, firstHeardMs)
    if (this.#firstHeardMs.size <= USERS_MAX) return
    this.#firstHeardMs.delete(this.#firstHeardMs.keys().next().value!)
  }

  #isNewcomer({ userId, createdAt }: LearnEvent): boolean {
    const firstHeardMs = this.#firstHeardMs.get(numberOf(userId))
    if (firstHeardMs === undefined) return true
    return createdAt.getTime() - firstHeardMs <= this.#settings.newcomerMs
  }

  #startDay(day: number): void {
    if (weekOf(day) > weekOf(this.#day)) this.#perUser.clear()
    this.#day = day
    this.#taughtToday = 0
    this.#perDomain.clear()
  }

  /** Including the user of `event`. */
  #usersOn(subject: string, { userId }: LearnEvent): ReadonlySet<string> {
    const known = this.#agreements.get(subject) ?? new Set()
    if (known.size >= this.#settings.agreementMin) return known
    return new Set(known).add(userId)
  }

  #remember(subject: string, users: ReadonlySet<string>): void {
    this.#agreements.delete(subject)
    this.#agreements.set(subject, users)
    if (this.#agreements.size <= AGREEMENTS_MAX) return
    this.#agreements.delete(this.#agreements.keys().next().value!)
  }
}

/** What users may agree about: this message, and mail of this sender's domain, under the same label. */
function subjectsOf({ kind, label, messageKey, domainKey }: LearnEvent): string[] {
  const said = `${kind} ${label}`
  return [`${said} message ${hex(messageKey)}`, `${said} domain ${hex(domainKey)}`]
}

function domainOf({ domainKey }: LearnEvent): string {
  return hex(domainKey)
}

/** Ids can be long; 48 bits of a hash tell them apart. */
function numberOf(userId: string): number {
  return createHash('sha256').update(userId).digest().readUIntLE(0, 6)
}

function dayOf({ createdAt }: LearnEvent): number {
  return Math.floor(createdAt.getTime() / DAY_MS)
}

function weekOf(day: number): number {
  return Math.floor(day / WEEK_DAYS)
}

function countIn(counts: ReadonlyMap<string, number>, key: string): number {
  return counts.get(key) ?? 0
}

function hex(bytes: Uint8Array): string {
  return Buffer.from(bytes).toString('hex')
}
