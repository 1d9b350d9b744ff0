/**
 * How long a sender has been received without complaint: counted where correspondents are kept (service/store), so it
 * needs nothing of a message.
 */

const DAY_MS = 24 * 60 * 60 * 1_000

/** Messages of one day count as one: a thousand in an hour make nobody known. */
const BETWEEN_MS = DAY_MS

/** Days with a message, and the time from the first to the last, after which a sender is long received. */
const TIMES_MIN = 3
const LONG_MS = 14 * DAY_MS

/** How often a sender was heard of, on days of their own; times in milliseconds since 1970. */
export interface Heard {
  readonly times: number
  readonly firstAt: number
  readonly lastAt: number
}

/** `heard` with one more message, received at `at`. Undefined where it does not count: less than a day after the last. */
export function heardAgain(heard: Heard | undefined, at: number): Heard | undefined {
  if (heard === undefined) return { times: 1, firstAt: at, lastAt: at }
  if (at - heard.lastAt < BETWEEN_MS) return undefined
  return { times: heard.times + 1, firstAt: heard.firstAt, lastAt: at }
}

/** Whether a sender is long received. */
export function isLongReceived({ times, firstAt, lastAt }: Heard): boolean {
  return times >= TIMES_MIN && lastAt - firstAt >= LONG_MS
}
