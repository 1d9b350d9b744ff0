/**
 * Where the links of a message lead, as far as that tells one campaign from another: to domains that nobody
 * knows, or to a page of a stranger at a host that all may use. Known companies, mailing services and the
 * sender's own domain are in wanted mail as well.
 */

import { domainHash } from '../knowledge/domain-table.ts'
import type { Knowledge } from '../knowledge/knowledge.ts'
import type { Message } from '../message/message.ts'
import { hostKind } from '../signals/host-kind.ts'
import { type LinkTarget, webTargets } from '../signals/link-targets.ts'
import { HOSTS_MAX } from './memory-item.ts'

/** Hashes of the first HOSTS_MAX such hosts, each once; none where nothing is known of any host. */
export function strangerHosts(
  message: Message,
  senderDomain: string | undefined,
  knowledge: Knowledge | undefined,
): Uint32Array {
  if (knowledge === undefined) return new Uint32Array()
  const hashes = new Set<number>()
  for (const target of webTargets(message)) {
    if (hashes.size === HOSTS_MAX) break
    const name = strangersName(target, knowledge)
    if (name !== undefined && target.domain !== senderDomain) hashes.add(domainHash(name))
  }
  return Uint32Array.from(hashes)
}

function strangersName({ host, domain }: LinkTarget, { domains }: Knowledge): string | undefined {
  if (domain === '') return undefined
  const kind = hostKind(domains, host, domain)
  if (kind === undefined || kind === 'disposable') return domain
  return (kind === 'shared' || kind === 'pages') && host !== domain ? host : undefined
}
