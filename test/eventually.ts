/** Waiting for what no event tells of: looks again and again until it has come to be. */
import { setTimeout as sleep } from 'node:timers/promises'

/** Between two looks: short beside what is waited for, long beside a look. */
const PAUSE_MS = 10

/** Far longer than anything takes on a busy machine: it ends a test that would wait for ever. */
const PATIENCE_MS = 60_000

/**
 * The first value of `look` that is neither false nor undefined.
 *
 * @throws Error with `what` after `withinMs`, which a test gives where the time itself is promised.
 */
export async function eventually<Value>(
  look: () => Value | Promise<Value>,
  what = 'It has not come to that',
  withinMs = PATIENCE_MS,
): Promise<Exclude<Value, false | undefined>> {
  const deadline = performance.now() + withinMs
  for (;;) {
    const value = await look()
    if (value !== false && value !== undefined) {
      return value as Exclude<Value, false | undefined>
    }
    if (performance.now() > deadline) throw new Error(`${what}, in ${withinMs} ms`)
    await sleep(PAUSE_MS)
  }
}
