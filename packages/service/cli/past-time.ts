/** Times as people say them, for options such as --since. */
import { InvalidArgumentError } from 'commander'

const MINUTE_MS = 60_000

/** By their first letter, which is enough. */
const UNITS_MS: Readonly<Record<string, number>> = {
  m: MINUTE_MS,
  h: 60 * MINUTE_MS,
  d: 24 * 60 * MINUTE_MS,
  w: 7 * 24 * 60 * MINUTE_MS,
}

/** Days before today that begin at midnight. */
const DAYS_BACK: Readonly<Record<string, number>> = { today: 0, yesterday: 1 }

const AGO = /^(\d{1,6}) *(m|h|d|w|(?:minute|min|hour|day|week)s?)( ago)?$/

/** As ISO 8601 has it, without seconds if wanted, and with a space for T. */
const DATE = /^(\d{4}-\d\d-\d\d)(?:[T ](\d\d:\d\d(?::\d\d(?:\.\d+)?)?)(Z|[+-]\d\d:\d\d)?)?$/i

/**
 * The time as the API takes it: '2d' is two days before `now`, and a date without a zone is in that of this process.
 *
 * @throws InvalidArgumentError
 */
export function readTime(text: string, now = new Date()): string {
  const time = timeOf(text.trim().toLowerCase(), now)
  if (!Number.isNaN(time.getTime())) return time.toISOString()
  throw new InvalidArgumentError(
    'Allowed: today, yesterday, 90m, 6h, 2d, "2 days ago", or a date such as 2026-11-22 or 2026-11-22T14:30.',
  )
}

function timeOf(text: string, now: Date): Date {
  const daysBack = DAYS_BACK[text]
  if (daysBack !== undefined) {
    return new Date(now.getFullYear(), now.getMonth(), now.getDate() - daysBack)
  }
  const [, count, unit] = AGO.exec(text) ?? []
  if (unit !== undefined) return new Date(now.getTime() - Number(count) * UNITS_MS[unit[0]!]!)
  const [, day, clock = '00:00', zone = ''] = DATE.exec(text) ?? []
  return new Date(`${day}T${clock}${zone}`)
}
