/** How often a server process says that it is not held up, in milliseconds. */
export const BEAT_MS = 1_000
