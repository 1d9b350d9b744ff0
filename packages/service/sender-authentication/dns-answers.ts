/** Whether there is a DNS to check senders by: asked when the service starts, and again while nothing answers. */
import { setTimeout as sleep } from 'node:timers/promises'
import { DnsResolver } from './resolver.ts'

/** A name that every resolver of the internet knows, and that tells it nothing of whoever asks: a root server's (RFC 8109 §3). */
const EXISTING_NAME = 'a.root-servers.net'

/** Time for the answer, in milliseconds: a resolver that takes longer would leave most messages without results. */
const DEADLINE_MS = 1_000

/** Pauses between two questions, in milliseconds: a machine that is starting has its network in seconds; later, one packet a minute costs nothing. */
const PAUSE_MS_MIN = 1_000
const PAUSE_MS_MAX = 60_000

/** Whether one of `servers` answers in time; those of the machine for an empty list. Asks once, twice when the packet is lost. */
export async function dnsAnswers(servers: readonly string[]): Promise<boolean> {
  const resolver = new DnsResolver({ servers, queryTimeoutMs: DEADLINE_MS })
  const dns = resolver.forMessage(DEADLINE_MS, 1)
  try {
    await dns.resolve(EXISTING_NAME, 'A')
    return true
  } catch {
    return false
  } finally {
    dns.close()
    resolver.close()
  }
}

/** Resolves when a server answers, asked in ever longer pauses, or when `signal` aborts. Whether one does. */
export async function dnsAnswersAtLast(
  servers: readonly string[],
  signal: AbortSignal,
): Promise<boolean> {
  for (let pauseMs = PAUSE_MS_MIN; !signal.aborted; pauseMs = Math.min(2 * pauseMs, PAUSE_MS_MAX)) {
    await sleep(pauseMs, undefined, { ref: false, signal }).catch(() => {})
    if (!signal.aborted && (await dnsAnswers(servers))) return !signal.aborted
  }
  return false
}
