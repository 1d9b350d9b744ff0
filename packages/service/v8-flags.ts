/**
 * Flags for V8's compilers and garbage collector. The defaults suit pages and scripts; the service
 * does the same few things for days, and some seconds at its start pay off for every hour after. Names
 * and defaults: `node --v8-options`; measured by `npm run bench peers`.
 */
import { setFlagsFromString } from 'node:v8'

/** Flags for a process that has loaded its code. Set sooner, they would cost the start a second of CPU time. */
const SERVICE_FLAGS: readonly string[] = [
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

/** Sets the flags, for what is compiled from now on. */
export function setServiceFlags(): void {
  for (const flag of SERVICE_FLAGS) setFlagsFromString(flag)
}
