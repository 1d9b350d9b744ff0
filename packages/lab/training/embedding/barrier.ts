/** A meeting point of threads: none goes on before all have come. */

/** Words of shared memory that a barrier needs. */
export const BARRIER_WORDS = 2

const WAITING = 0
const ROUND = 1

/** Waits until `threads` threads have called with the same `state`, BARRIER_WORDS long and zero at first. */
export function meet(state: Int32Array, threads: number): void {
  const round = Atomics.load(state, ROUND)
  if (Atomics.add(state, WAITING, 1) === threads - 1) {
    Atomics.store(state, WAITING, 0)
    Atomics.add(state, ROUND, 1)
    Atomics.notify(state, ROUND)
    return
  }
  while (Atomics.load(state, ROUND) === round) Atomics.wait(state, ROUND, round)
}
