/**
 * Flags for V8's compilers and garbage collector. The defaults suit pages and scripts; a server process
 * does the same few things for days, and some seconds at its start pay off for every hour after. Names
 * and defaults: `node --v8-options`; measured by `npm run bench peers`.
 */
import { setFlagsFromString } from 'node:v8'

/** Flags that V8 needs before it makes the heap: a server process is started with them. */
export const HEAP_FLAGS: readonly string[] = [
  // Room for new objects, in MiB: nearly all of a message's are dead before it is full.
  '--max-semi-space-size=16',
  // A collection in a pause would discard compiled code too.
  '--no-memory-reducer',
]

/** The same for an office of its own. By default V8 takes 16 MiB for new objects, and the office 122 MiB in all, not 85. */
export const OFFICE_HEAP_FLAGS: readonly string[] = ['--max-semi-space-size=2']

/** Flags for a process that has loaded its code. Set sooner, they would cost the start a second of CPU time. */
export const SERVICE_FLAGS: readonly string[] = [
  // Hot functions go straight to TurboFan, after an eighth of the default time. Maglev's code for a
  // loop over bytes takes three times as long, and some such loops stayed with it for good: a tenth
  // of the CPU per message.
  '--no-maglev',
  '--invocation-count-for-turbofan=400',
  '--invocation-count-for-osr=50',
  // Reading mail is many small functions; by default V8 inlines half as much.
  '--max-inlined-bytecode-size=1000',
  '--max-inlined-bytecode-size-cumulative=2000',
  // The old generation may double before it is collected. Bodies count towards it although they are
  // outside: at 30 % it was collected every 150 messages of 50 KB, for 80 ms each time, while requests
  // waited; two workers took 434 MiB then and 448 now.
  '--heap-growing-percent=100',
  // Compiled code is kept when no mail comes: after a minute without mail the next thousand messages
  // took three times the CPU.
  '--no-flush-bytecode',
]

/**
 * Leaves the room for new objects on threads to the limits that each is started with (threads/thread.ts): a flag would
 * overrule them. To be called before the first thread starts, when the process has its own heap.
 */
export function setThreadFlags(): void {
  setFlagsFromString('--max-semi-space-size=0')
}

/** Sets the flags, for what is compiled from now on. */
export function setServiceFlags(): void {
  for (const flag of SERVICE_FLAGS) setFlagsFromString(flag)
}
