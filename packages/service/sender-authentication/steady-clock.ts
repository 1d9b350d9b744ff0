/**
 * Milliseconds since a moment that is the same on all threads, so that one can give another a deadline.
 * `Date.now` jumps when somebody sets the clock, and `performance.now` starts at 0 in each thread.
 */
export function steadyNow(): number {
  const [seconds, nanoseconds] = process.hrtime()
  return seconds * 1_000 + nanoseconds / 1e6
}
