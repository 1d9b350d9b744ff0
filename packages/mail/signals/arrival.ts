/**
 * When a message arrived: the time that it is judged at.
 *
 * The server that took a message in writes the time into the topmost Received field (RFC 5321
 * §4.4). So a message that lies in a folder for years is judged as on the day it came, and what is
 * taught is what was judged. In transit the topmost field is that of the hop before, seconds
 * earlier, and the sender's own where there was none: they can only make the message look older,
 * never newer than now (docs/verdict.md says what that gains them).
 */
import type { Message } from '../message/message.ts'
import { fieldBody } from './fields.ts'
import { readDate } from './header-date.ts'
import { deliveredAt } from './received.ts'
import type { Facts } from './signal.ts'

/** No mail in today's format is older (RFC 822 is of 1982): a clock that was never set, or made up. */
const ARRIVED_MIN_MS = Date.UTC(1980, 0, 1)

/**
 * The time of the topmost Received field; where it tells none, the sender's Date or now, by
 * `arrivalFallback`. Never later than now.
 */
export function arrivalOf(
  message: Message,
  { now, arrivalFallback = 'now' }: Pick<Facts, 'now' | 'arrivalFallback'>,
): Date {
  const written =
    arrivalFallback === 'date' ? readDate(fieldBody(message, 'date') ?? '') : undefined
  const times = [deliveredAt(message), written?.time]
  const arrivedMs = times.find((time) => time !== undefined && time >= ARRIVED_MIN_MS)
  return new Date(Math.min(arrivedMs ?? Infinity, now.getTime()))
}
