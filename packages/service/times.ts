/** The longest times of what a request may take or wait for, in milliseconds. Tests have others. */
export const TIMES = {
  /** For the whole request to arrive, before the answer 408. A minute is enough for 50 MiB at 7 Mbit/s, and a client that sends one byte per second does not occupy its share of the buffers for long. */
  receiveMs: 60_000,
  /** For the DNS checks of one message: nearly all DNS answers take less than a tenth of it. */
  senderChecksMs: 2_000,
  /** For the scan of one message, beside its analysis: less than mail servers and the milter wait, and more than clamd needs for nearly all mail. */
  scanMs: 5_000,
  /** For requests in progress after SIGTERM: longer than the default time in the queue and the end of a thread together, and shorter than the 30 s after which Kubernetes kills a process. */
  shutdownMs: 10_000,
}

/** `workerKillMs`, in tests alone: after which the thread for large messages is ended if it has not answered. */
export type Times = Readonly<typeof TIMES & { workerKillMs?: number }>
