/**
 * How V8 compiles and collects. Its defaults are for pages and scripts; this process does the same
 * few things for days, and pays with seconds at its start for every hour after. Set here and not
 * on a command line, so that they hold however the service is started; only what has to be known
 * before the heap is made stands in `npm start` and deploy/: `--max-semi-space-size`, room for new
 * objects, and `--no-memory-reducer`, since what is collected in a pause takes compiled code with
 * it. Names and defaults: `node --v8-options`; measured by `npm run bench:peers`.
 */
import { setFlagsFromString } from 'node:v8'

export const SERVICE_FLAGS: readonly string[] = [
  // Hot functions go straight to TurboFan, an eighth as late as by default. What Maglev makes of a
  // loop over bytes takes three times as long, and some such loops were left with it for good: a
  // tenth of the CPU a message.
  '--no-maglev',
  '--invocation-count-for-turbofan=400',
  '--invocation-count-for-osr=50',
  // Reading mail is many small functions; by default V8 inlines half as much.
  '--max-inlined-bytecode-size=1000',
  '--max-inlined-bytecode-size-cumulative=2000',
  // The old generation may double before it is looked through. Bodies count towards it though they
  // lie outside: at 30 % it was looked through every 150 messages of 50 KB, 80 ms each time, and
  // those who asked meanwhile waited; two workers took 434 MiB then and 448 now.
  '--heap-growing-percent=100',
  // A pause in the mail is no reason to forget code: after a minute without any the next thousand
  // messages took three times the CPU.
  '--no-flush-bytecode',
]

/** Before the service is put together: what has been compiled stays as it is. */
export function setServiceFlags(): void {
  for (const flag of SERVICE_FLAGS) setFlagsFromString(flag)
}
