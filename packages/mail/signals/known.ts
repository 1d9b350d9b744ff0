/**
 * Signals from what is known of the world's senders and hosts (knowledge/). Known is evidence and no pardon: spam forges known
 * senders, so that a known From counts by what vouches for it. What strangers share with its owner is nobody's domain here.
 *
 * The sending address is X-Sender-IP and nothing else: the topmost Received field may be the sender's to write.
 */
import type { DomainTable } from '../knowledge/domain-table.ts'
import type { Knowledge } from '../knowledge/knowledge.ts'
import { isInNetworks, isPublicAddress } from '../knowledge/network-table.ts'
import type { Message } from '../message/message.ts'
import { hostOfMailbox } from './fields.ts'
import { hostKind, isMailService } from './host-lists.ts'
import { webTargets } from './link-targets.ts'
import { otherHostShown } from './links.ts'
import { dkimSignatures, isOriginDomain, originOf } from './origin.ts'
import { domainOf } from './per-message.ts'
import { type Arrived, raised, type Signal, signal } from './signal.ts'

export function knownSignals(message: Message, { knowledge, senderIp }: Arrived): Signal[] {
  if (knowledge === undefined) return []
  const isInNetwork = senderIp !== undefined && isInNetworks(knowledge.networks, senderIp)
  const isStranger = !isInNetwork && senderIp !== undefined && isPublicAddress(senderIp)
  return [
    ...fromSignals(message, knowledge.domains, isStranger ? senderIp : undefined),
    ...raised({ KNOWN_NETWORK: isInNetwork && senderIp }),
    ...linkSignals(message, knowledge.domains),
    ...linkTextSignals(message, knowledge.domains),
  ]
}

function fromSignals(
  message: Message,
  domains: DomainTable,
  strangeIp: string | undefined,
): Signal[] {
  const { hosts, isSigned, domain: firstDomain } = originOf(message)
  const kindOf = (host: string) => hostKind(domains, host, domainOf(message, host))
  // Of several authors a known one is what a reader believes.
  const host = hosts.find((each) => kindOf(each) === 'known') ?? hosts[0]
  if (host === undefined) return []
  const kind = kindOf(host)
  const isKnown = kind === 'known'
  const domain = domainOf(message, host)
  const signers = dkimSignatures(message).map((signature) => signature.host)
  const isUnsigned = signers.length === 0
  const answers = isKnown ? answerHost(message, domains) : undefined
  return raised({
    KNOWN_FROM_DISPOSABLE: kind === 'disposable' && host,
    KNOWN_FROM_SHARED_HOST: kind === 'shared' && host,
    KNOWN_FROM: isKnown && domain,
    KNOWN_FROM_SIGNED: isKnown && isSigned && firstDomain,
    KNOWN_FROM_UNSIGNED: isKnown && isUnsigned && firstDomain,
    KNOWN_FROM_SIGNED_BY_OTHER:
      isKnown && !isSigned && !isUnsigned && `${signers.join(' ')}, ${firstDomain}`,
    KNOWN_FROM_REPLY_ELSEWHERE: answers && `${answers}, ${domain}`,
    KNOWN_FROM_OUTSIDE_NETWORKS: isKnown && strangeIp && `${strangeIp}, ${domain}`,
  })
}

/** Where answers go, when it is a mailbox that anybody may have. */
function answerHost(message: Message, domains: DomainTable): string | undefined {
  const host = hostOfMailbox(originOf(message).replyTo.find(({ domain }) => domain !== ''))
  if (host === '') return undefined
  const kind = hostKind(domains, host, domainOf(message, host))
  return kind === 'mailbox' || kind === 'disposable' ? host : undefined
}

/** Different hosts that are looked up; newsletters have some ten. */
const HOSTS_MAX = 100

/** Hosts shown as evidence. */
const HOSTS_SHOWN = 5

/** True when most links lead to unknown domains (KNOWN_LINKS_FEW) only because those to the domain of From count as such. */
export function fewByOwnLinks(message: Message, { domains }: Pick<Knowledge, 'domains'>): boolean {
  const own = originOf(message).domain
  let ofOwn = 0
  let beyond = 0
  for (const [host, { domain, count }] of linksByHost(message)) {
    const kind = hostKind(domains, host, domain)
    if (kind === undefined && domain === own) ofOwn += count
    else if (kind === undefined) beyond += count
    else if (kind === 'known' || kind === 'mailbox') beyond -= count
  }
  return beyond <= 0 && beyond + ofOwn > 0
}

/** Every link counts: a footer of ten links to a bank's site outweighs one to a shop that nobody knows. */
function linkSignals(message: Message, domains: DomainTable): Signal[] {
  const links = [...linksByHost(message)].map(([host, { domain, count }]) => {
    return { host, count, kind: hostKind(domains, host, domain) }
  })
  const known = links.filter(({ kind }) => kind === 'known' || kind === 'mailbox')
  const unknown = links.filter(({ kind }) => kind === undefined)
  const shared = links.find(({ kind }) => kind === 'shared' || kind === 'pages')?.host
  const redirector = links.find(({ kind }) => kind === 'redirector')?.host
  const shown = (some: typeof links) =>
    some
      .slice(0, HOSTS_SHOWN)
      .map(({ host }) => host)
      .join(' ')
  const countOf = (some: typeof links) => some.reduce((sum, { count }) => sum + count, 0)
  const isAll = known.length > 0 && unknown.length === 0 && !shared && !redirector
  return raised({
    KNOWN_LINK_SHARED_HOST: shared,
    KNOWN_LINK_REDIRECTOR: redirector,
    KNOWN_LINKS_ALL: isAll && shown(known),
    KNOWN_LINKS_FEW: countOf(unknown) > countOf(known) && shown(unknown),
  })
}

/** The first link that shows a known host and leads to an unknown one. A company's mail is let alone, whose links are counted by another. */
function linkTextSignals(message: Message, domains: DomainTable): Signal[] {
  for (const target of webTargets(message).slice(0, HOSTS_MAX)) {
    const shown = otherHostShown(message, target)
    if (shown === undefined) continue
    const { host, domain } = target
    const isLedAround = isMailService(domain) || isOriginDomain(message, domain)
    if (isLedAround || hostKind(domains, host, domain) === 'known') continue
    if (hostKind(domains, shown, domainOf(message, shown)) === 'known') {
      return [signal('KNOWN_LINK_TEXT', `${shown}, ${host}`)]
    }
  }
  return []
}

/** How often each of the first HOSTS_MAX hosts is led to. */
function linksByHost(message: Message): Map<string, { readonly domain: string; count: number }> {
  const links = new Map<string, { readonly domain: string; count: number }>()
  for (const { host, domain } of webTargets(message)) {
    const met = links.get(host)
    if (met !== undefined) met.count += 1
    else if (links.size < HOSTS_MAX) links.set(host, { domain, count: 1 })
  }
  return links
}
