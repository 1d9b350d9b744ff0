/**
 * Where the links of a message lead, as far as that tells one campaign from another: to domains that nobody
 * knows, or to a page of a stranger at a host that all may use. Known companies, mailing services and the
 * sender's own domain are in wanted mail as well; so are links of footers, which stand below mail of many senders.
 */
import { domainHash } from '../knowledge/domain-table.ts'
import type { Knowledge } from '../knowledge/knowledge.ts'
import type { Link, Message } from '../message/message.ts'
import { hostKind } from '../signals/host-lists.ts'
import { type LinkTarget, webTargets } from '../signals/link-targets.ts'
import { HOSTS_MAX } from './memory-item.ts'

const WHITE_SPACE = /\s+/g

/**
 * Hashes of the first HOSTS_MAX such hosts, each once; none where nothing is known of any host.
 *
 * @param own what the sender wrote (embedding/passages.ts).
 */
export function strangerHosts(
  message: Message,
  own: string,
  senderDomain: string | undefined,
  knowledge: Knowledge | undefined,
): Uint32Array {
  if (knowledge === undefined) return new Uint32Array()
  const text = own.replace(WHITE_SPACE, ' ')
  const hashes = new Set<number>()
  for (const target of webTargets(message)) {
    if (hashes.size === HOSTS_MAX) break
    if (target.domain === senderDomain || !standsIn(text, target.link)) continue
    const name = strangersName(target, knowledge)
    if (name !== undefined) hashes.add(domainHash(name))
  }
  return Uint32Array.from(hashes)
}

/** Characters of a text below which the pictures are the message, and their links its own. */
const PICTURE_TEXT_LENGTH_MAX = 200

/** Whether the link is one of `text`, or of a picture that stands for it. */
function standsIn(text: string, { href, text: shown }: Link): boolean {
  const words = shown.replace(WHITE_SPACE, ' ').trim()
  if (words === '') return text.length <= PICTURE_TEXT_LENGTH_MAX
  return text.includes(words) || text.includes(href)
}

function strangersName({ host, domain }: LinkTarget, { domains }: Knowledge): string | undefined {
  if (domain === '') return undefined
  const kind = hostKind(domains, host, domain)
  if (kind === undefined || kind === 'disposable') return domain
  return (kind === 'shared' || kind === 'pages') && host !== domain ? host : undefined
}
