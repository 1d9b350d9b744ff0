/**
 * How a signal ends a process of ours: when it is done with what it has. A second one ends it at
 * once, as is Node's habit.
 */

const END_SIGNALS = ['SIGTERM', 'SIGINT'] as const

/**
 * Signals that come within this time are one, in milliseconds: Ctrl-C in a terminal reaches npm and
 * the process that npm has started, and npm hands it on. Nobody asks twice so fast.
 */
const SAME_SIGNAL_MS = 1_000

/** Calls `close` at the first SIGTERM or SIGINT; it is to leave nothing that keeps the process alive. */
export function closeOnSignal(close: () => unknown): void {
  let closingSince: number | undefined
  for (const signal of END_SIGNALS) {
    process.on(signal, () => {
      if (closingSince === undefined) {
        closingSince = performance.now()
        void close()
      } else if (performance.now() - closingSince > SAME_SIGNAL_MS) {
        process.removeAllListeners(signal)
        process.kill(process.pid, signal)
      }
    })
  }
}
