/**
 * Signals from the Date field: absent, unreadable, wrong in itself, or far from when the message
 * arrived.
 *
 * A Date is the sender's claim and nothing checks it on the way (RFC 5322 §3.6.1). Bulk senders
 * set it ahead, so that the message stays at the top of the inbox; scripts make it from parts
 * that do not fit together.
 */
import type { Message } from '../message/message.ts'
import { fieldBodies } from './fields.ts'
import { readDate } from './header-date.ts'
import { type Arrived, type Signal, signal } from './signal.ts'

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

/**
 * Signals about the Date of `message`, seen from `receivedAt`.
 *
 * The arrival time is an argument and not the clock, so that a message gives the same signals in
 * training, in a test and in service.
 */
export function dateSignals(message: Message, { receivedAt }: Arrived): Signal[] {
  const [body, ...others] = fieldBodies(message, 'date')
  if (body === undefined) return [signal('DATE_MISSING')]

  const found: Signal[] = []
  if (others.length > 0) found.push(signal('DATE_REPEATED', String(others.length + 1)))

  const date = readDate(body)
  if (date === undefined) return [...found, signal('DATE_UNREADABLE', body)]

  const aheadMs = date.time - receivedAt.getTime()
  if (aheadMs > AHEAD_MAX_MS) found.push(signal('DATE_IN_FUTURE', body))
  if (aheadMs < -BEHIND_MAX_MS) found.push(signal('DATE_IN_PAST', body))
  if (date.zoneMinutes === undefined) found.push(signal('DATE_ZONE_UNKNOWN', body))
  else if (!isZoneInUse(date.zoneMinutes)) found.push(signal('DATE_ZONE_IMPOSSIBLE', body))
  if (!date.weekdayFits) found.push(signal('DATE_WEEKDAY_WRONG', body))
  return found
}

function isZoneInUse(minutes: number): boolean {
  return (
    minutes >= ZONE_MINUTES_MIN && minutes <= ZONE_MINUTES_MAX && minutes % ZONE_STEP_MINUTES === 0
  )
}
