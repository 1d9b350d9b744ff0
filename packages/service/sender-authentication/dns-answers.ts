/** Whether there is a DNS to check senders by: asked once, when the service starts. */
import { DnsResolver } from './resolver.ts'

/** A name that every resolver of the internet knows, and that tells it nothing of whoever asks: a root server's (RFC 8109 §3). */
const EXISTING_NAME = 'a.root-servers.net'

/** Time for the answer, in milliseconds: a resolver that takes longer would leave most messages without results. */
const DEADLINE_MS = 1_000

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
