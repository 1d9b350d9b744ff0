/**
 * Milliseconds since some moment, the same on all threads: what a deadline is told by from one to
 * another. `Date.now` jumps when somebody sets the clock, and `performance.now` begins anew in each thread.
 */
export function steadyNow(): number {
  const [seconds, nanoseconds] = process.hrtime()
  return seconds * 1_000 + nanoseconds / 1e6
}
