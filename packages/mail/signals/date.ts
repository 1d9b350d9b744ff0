/**
 * Signals from the Date field, a claim that nothing checks on the way (RFC 5322 §3.6.1): bulk senders set it ahead, so that the
 * message stays at the top of the inbox; scripts make it from parts that do not fit together.
 */
import type { Message } from '../message/message.ts'
import { fieldBodies } from './fields.ts'
import { type Arrived, raised, type Signal } from './signal.ts'

const HOUR_MS = 60 * 60 * 1000

/** How far ahead a sender's clock may run: two hours covers a wrong daylight-saving setting. */
const AHEAD_MAX_MS = 2 * HOUR_MS

/** Honest mail can wait this long in a queue: senders retry for four to five days (RFC 5321 §4.5.4.1). */
const BEHIND_MAX_MS = 5 * 24 * HOUR_MS

/** Zones in use reach from 12 hours behind to 14 hours ahead (Kiribati). */
const ZONE_MINUTES_MIN = -12 * 60
const ZONE_MINUTES_MAX = 14 * 60

/** All zones in use are whole quarters of an hour from UTC. */
const ZONE_STEP_MINUTES = 15

/** The arrival is an argument, so that a message gives the same signals in training, in a test and in service. */
export function dateSignals(message: Message, { receivedAt }: Arrived): Signal[] {
  const bodies = fieldBodies(message, 'date')
  const [body] = bodies
  if (body === undefined) return raised({ DATE_MISSING: true })
  const date = readDate(body)
  const aheadMs = (date?.time ?? Number.NaN) - receivedAt.getTime()
  const zone = date?.zoneMinutes
  return raised({
    DATE_REPEATED: bodies.length > 1 && bodies.length,
    DATE_UNREADABLE: date === undefined && body,
    DATE_IN_FUTURE: aheadMs > AHEAD_MAX_MS && body,
    DATE_IN_PAST: aheadMs < -BEHIND_MAX_MS && body,
    DATE_ZONE_UNKNOWN: date !== undefined && zone === undefined && body,
    DATE_ZONE_IMPOSSIBLE: zone !== undefined && !isZoneInUse(zone) && body,
    DATE_WEEKDAY_WRONG: date?.weekdayFits === false && body,
  })
}

function isZoneInUse(minutes: number): boolean {
  return (
    minutes >= ZONE_MINUTES_MIN && minutes <= ZONE_MINUTES_MAX && minutes % ZONE_STEP_MINUTES === 0
  )
}

interface HeaderDate {
  /** Milliseconds since 1970, UTC. */
  readonly time: number
  /** Minutes ahead of UTC; undefined when the zone is missing or not one we know, and UTC assumed. */
  readonly zoneMinutes: number | undefined
  /** False when a day of the week is given that the date does not fall on. */
  readonly weekdayFits: boolean
}

const MONTHS = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec']
const WEEKDAYS = ['sun', 'mon', 'tue', 'wed', 'thu', 'fri', 'sat']

/** Hours ahead of UTC of the zones that have names in RFC 5322 §4.3. */
const NAMED_ZONES: ReadonlyMap<string, number> = new Map([
  ...['gmt', 'ut', 'utc', 'z'].map((name) => [name, 0] as const),
  ...['edt', 'cdt', 'mdt', 'pdt'].map((name, at) => [name, -4 - at] as const),
  ...['est', 'cst', 'mst', 'pst'].map((name, at) => [name, -5 - at] as const),
])

/** weekday, day month year hour:minute:second zone; each optional part ends where the next begins. */
const DATE =
  /^\s{0,4}(?:([A-Za-z]{2,12})\s{0,4}[,.]?\s{0,4})?(\d{1,2})[ -]{1,4}([A-Za-z]{3,9})\.?[ -]{1,4}(\d{2,4})\s{1,4}(\d{1,2}):(\d{1,2})(?::(\d{1,2}))?(?:\.\d{1,6})?(?:\s{0,4}([+-]\d{4}|[A-Za-z]{1,5}))?/

/** Two-digit years of RFC 5322 §4.3: below 50 is this century. */
const CENTURY_TURN = 50

/**
 * The date in the body of a field, RFC 5322 §3.3 and §4.3; undefined when it is none. `Date.parse` reads nearly anything
 * ('invoice 7' is a day in July 2001), and a date without zone by that of the machine.
 */
export function readDate(body: string): HeaderDate | undefined {
  const match = DATE.exec(body)
  if (match === null) return undefined
  const [, weekday, day, monthName, yearText, hour, minute, second, zone] = match
  const month = MONTHS.indexOf(monthName!.slice(0, 3).toLowerCase())
  if (month < 0) return undefined

  const year = fullYear(yearText!)
  const midnight = Date.UTC(year, month, Number(day))
  const zoneMinutes = zone === undefined ? undefined : readZone(zone)
  const clockMs = ((Number(hour) * 60 + Number(minute)) * 60 + Number(second ?? 0)) * 1000
  return {
    time: midnight + clockMs - (zoneMinutes ?? 0) * MINUTE_MS,
    zoneMinutes,
    weekdayFits: weekday === undefined || isWeekday(midnight, weekday),
  }
}

const MINUTE_MS = 60_000
const DAY_MS = 24 * 60 * MINUTE_MS

/** Day of the week on which 1970 began: a Thursday. */
const FIRST_WEEKDAY = 4

/** True when `name` is that of the day of the week on which `midnight` is, as far as its first letters. */
function isWeekday(midnight: number, name: string): boolean {
  const day = (((midnight / DAY_MS + FIRST_WEEKDAY) % 7) + 7) % 7
  return WEEKDAYS[day] === name.slice(0, 3).toLowerCase()
}

function fullYear(text: string): number {
  const year = Number(text)
  if (text.length > 3) return year
  if (text.length === 3 || year >= CENTURY_TURN) return 1900 + year
  return 2000 + year
}

function readZone(zone: string): number | undefined {
  if (!zone.startsWith('+') && !zone.startsWith('-')) {
    const hours = NAMED_ZONES.get(zone.toLowerCase())
    return hours === undefined ? undefined : hours * 60
  }
  const minutes = Number(zone.slice(1, 3)) * 60 + Number(zone.slice(3))
  return zone.startsWith('-') ? -minutes : minutes
}
