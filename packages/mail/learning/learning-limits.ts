/**
 * Which corrections by users count for the model that all of them share.
 *
 * Anyone can lie, often and under several names. So a user counts only from a day after the first correction; corrections are
 * limited per user and week, per sender domain and day, and per day in all; and a message that was not authenticated, which
 * anyone can have forged, counts only once several users agree about it. Memory is bounded: what is forgotten never makes a
 * correction count that would not have.
 */
import { createHash } from 'node:crypto'
import { AGREEING_MAX, agreeingOf } from './agreement.ts'
import type { LearnEvent } from './learn-event.ts'

export interface LimitSettings {
  /** How long a user must have been known, in milliseconds. */
  readonly newcomerMs: number
  /** Corrections by one user that count per week. */
  readonly userWeekMax: number
  /** Corrections about one sender domain that count per day, by all users together. */
  readonly domainDayMax: number
  /** Corrections that count per day, by all users together. */
  readonly dayMax: number
  /** How many users must say the same, of so many who are active. */
  readonly agreeingOf: (activeUsers: number) => number
}

const DAY_MS = 24 * 60 * 60 * 1000

/**
 * A day for newcomers: an attacker who makes up names has to begin a day ahead, and is limited from then on.
 *
 * Two per user and week, so that a malicious account weighs no more than an honest user who corrects now and then. With one
 * per day, ten malicious accounts among a thousand users cost up to a quarter of 1-AUC, while honest users gain nothing
 * measurable (packages/lab/reports/learning). Twenty per domain: of 660 a day in the simulation the commonest domains have 76
 * and 30. Five thousand in all: what is remembered of a day and a week stays below 5 MB.
 */
export const LIMITS: LimitSettings = {
  newcomerMs: DAY_MS,
  userWeekMax: 2,
  domainDayMax: 20,
  dayMax: 5_000,
  agreeingOf,
}

/** Who has corrected nothing for two months is no active user. */
const ACTIVE_MS = 60 * DAY_MS

/** Agreements remembered: at some 800 bytes each, with ids of ordinary length, 16 MB. */
const AGREEMENTS_MAX = 20_000

const WEEK_DAYS = 7

/** Weeks begin on Thursdays, as the first of 1970 did. */
export const WEEK_MS = WEEK_DAYS * DAY_MS

export class LearningLimits {
  readonly #settings: LimitSettings
  #day = Number.NEGATIVE_INFINITY
  #learnedToday = 0
  /** When each user made the first correction. */
  readonly #firstHeardMs = new Map<number, number>()
  /** When each known user last corrected something, within ACTIVE_MS; the user silent for longest first. */
  readonly #lastHeardMs = new Map<number, number>()
  readonly #perUser = new Map<string, number>()
  readonly #perDomain = new Map<string, number>()
  /** The users who said the same about one message or domain, at most AGREEING_MAX; the oldest agreement first. */
  readonly #agreements = new Map<string, ReadonlySet<string>>()

  constructor(settings: LimitSettings) {
    this.#settings = settings
  }

  /**
   * Takes the next correction: how many users, of as many as are active, must agree with it for a word to move; undefined
   * where it does not count.
   *
   * @param mayCount false where nothing may be learned from it.
   */
  take(event: LearnEvent, mayCount = true): number | undefined {
    const agreeing = this.#settings.agreeingOf(this.#lastHeardMs.size)
    const isNewcomer = this.#isNewcomer(event)
    const counts = mayCount && !isNewcomer && this.#admits(event, agreeing)
    if (!isNewcomer) {
      this.#noteActive(event)
      for (const subject of subjectsOf(event)) {
        this.#remember(subject, this.#usersOn(subject, event))
      }
    }
    this.hear(event)
    if (!counts) return undefined
    // Clocks of replicas differ a little, so the day never goes back.
    if (dayOf(event) > this.#day) this.#startDay(dayOf(event))
    this.#learnedToday++
    this.#perUser.set(event.userId, countIn(this.#perUser, event.userId) + 1)
    this.#perDomain.set(domainOf(event), countIn(this.#perDomain, domainOf(event)) + 1)
    return agreeing
  }

  /** Takes the next correction where it cannot be learned from: its user is known from then on. */
  hear({ userId, createdAt }: LearnEvent): void {
    const user = numberOf(userId)
    if (!this.#firstHeardMs.has(user)) this.#firstHeardMs.set(user, createdAt.getTime())
  }

  #admits(event: LearnEvent, agreeing: number): boolean {
    const { userWeekMax, domainDayMax, dayMax } = this.#settings
    const isTrusted =
      event.authenticatedDomain !== undefined ||
      subjectsOf(event).some((subject) => this.#usersOn(subject, event).size >= agreeing)
    if (!isTrusted) return false
    const day = dayOf(event)
    if (weekOf(day) <= weekOf(this.#day) && countIn(this.#perUser, event.userId) >= userWeekMax) {
      return false
    }
    if (day > this.#day) return true
    return this.#learnedToday < dayMax && countIn(this.#perDomain, domainOf(event)) < domainDayMax
  }

  #noteActive({ userId, createdAt }: LearnEvent): void {
    const user = numberOf(userId)
    this.#lastHeardMs.delete(user)
    this.#lastHeardMs.set(user, createdAt.getTime())
    for (const [oldest, lastMs] of this.#lastHeardMs) {
      if (createdAt.getTime() - lastMs <= ACTIVE_MS) return
      this.#lastHeardMs.delete(oldest)
    }
  }

  #isNewcomer({ userId, createdAt }: LearnEvent): boolean {
    const firstHeardMs = this.#firstHeardMs.get(numberOf(userId))
    if (firstHeardMs === undefined) return true
    return createdAt.getTime() - firstHeardMs <= this.#settings.newcomerMs
  }

  #startDay(day: number): void {
    if (weekOf(day) > weekOf(this.#day)) this.#perUser.clear()
    this.#day = day
    this.#learnedToday = 0
    this.#perDomain.clear()
  }

  /** The users who agree on `subject`, the user of `event` included. */
  #usersOn(subject: string, { userId }: LearnEvent): ReadonlySet<string> {
    const known = this.#agreements.get(subject) ?? new Set()
    if (known.size >= AGREEING_MAX) return known
    return new Set(known).add(userId)
  }

  #remember(subject: string, users: ReadonlySet<string>): void {
    this.#agreements.delete(subject)
    this.#agreements.set(subject, users)
    if (this.#agreements.size <= AGREEMENTS_MAX) return
    this.#agreements.delete(this.#agreements.keys().next().value!)
  }
}

/** What users may agree about: this message, and mail from this sender's domain, under the same label. */
function subjectsOf({ kind, label, messageKey, domainKey }: LearnEvent): string[] {
  const said = `${kind} ${label}`
  return [`${said} message ${hex(messageKey)}`, `${said} domain ${hex(domainKey)}`]
}

function domainOf({ domainKey }: LearnEvent): string {
  return hex(domainKey)
}

/** A number for the user: ids can be long, and 48 bits of a hash tell them apart. */
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
