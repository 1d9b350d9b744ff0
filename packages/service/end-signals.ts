/**
 * How a signal ends a process of ours: after it has finished its work. A second signal ends it at once,
 * as by default in Node.
 */

const END_SIGNALS = ['SIGTERM', 'SIGINT'] as const

/**
 * Signals within this time count as one, in milliseconds: Ctrl-C in a terminal reaches npm and the
 * process that npm has started, and npm passes it on. No person is that fast.
 */
const SAME_SIGNAL_MS = 1_000

/** Calls `close` at the first SIGTERM or SIGINT; it must leave nothing that keeps the process alive. */
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
