/**
 * Flags for V8's compilers and garbage collector. The defaults suit pages and scripts; the service
 * does the same few things for days, and some seconds at its start pay off for every hour after. Names
 * and defaults: `node --v8-options`; measured by `npm run bench peers`.
 *
 * They are those of the process, and V8 takes compiled code that was kept (start.ts) only under equal flags.
 */
import { setFlagsFromString } from 'node:v8'

/**
 * Set once, before the first thread starts: compilers that work on other threads read these flags more than once for a function, and V8
 * ends the process when they have changed in between ("Check failed: inlineability == ...").
 */
const CONSTANT_FLAGS = [
  // Hot functions go straight to TurboFan. Maglev's code for a loop over bytes takes three times as
  // long, and some such loops stayed with it for good: a tenth of the CPU per message.
  '--no-maglev',
  // Reading mail is many small functions; by default V8 inlines half as much.
  '--max-inlined-bytecode-size=1000',
  '--max-inlined-bytecode-size-cumulative=2000',
  // Compiled code is kept when no mail comes: after a minute without mail the next thousand messages
  // took three times the CPU.
  '--no-flush-bytecode',
]

/** Each flag while mail is judged, and while a thread starts: V8's default, but for the room for new objects. Thresholds, read once each time. */
const FLAGS: readonly (readonly [flag: string, atStart: string])[] = [
  // Room for new objects may grow to what a thread's limits allow: with 2 MiB, collecting them takes twenty times as long. While
  // code is loaded it would grow from 2 to 32 MiB, and stay.
  ['--semi-space-growth-factor=2', '--semi-space-growth-factor=1'],
  // An eighth of the default time.
  ['--invocation-count-for-turbofan=400', '--invocation-count-for-turbofan=3000'],
  ['--invocation-count-for-osr=50', '--invocation-count-for-osr=500'],
  // The old generation may double before it is collected. Bodies count towards it although they are
  // outside: at 30 % it was collected every 150 messages of 50 KB, for 80 ms each time, while requests
  // waited; two workers took 434 MiB then and 448 now.
  ['--heap-growing-percent=100', '--heap-growing-percent=0'],
]

/** Sets the flags that stay as they are; to be called before any thread starts. */
export function setConstantFlags(): void {
  for (const flag of CONSTANT_FLAGS) setFlagsFromString(flag)
}

/** Sets the flags for the time in which mail is judged. */
export function setServiceFlags(): void {
  for (const [flag] of FLAGS) setFlagsFromString(flag)
}

/** Sets the flags for a thread that starts: with the others that takes a second more of CPU time. */
export function setStartFlags(): void {
  for (const [, atStart] of FLAGS) setFlagsFromString(atStart)
}
