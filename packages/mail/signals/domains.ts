/** Registrable domains of the hosts of one message, each looked up in the public suffix list once. */
import { registrableDomain } from '../message/domain.ts'
import type { Message } from '../message/message.ts'
import { perMessage } from './per-message.ts'

const knownDomains = perMessage((): Map<string, string> => new Map())

/** Longest name that DNS knows (RFC 1035 §2.3.4). */
const HOST_LENGTH_MAX = 253

/** Registrable domain of `host` ('mail.example.co.uk' -> 'example.co.uk'); `host` where it has none. */
export function domainOf(message: Message, host: string): string {
  if (host.length > HOST_LENGTH_MAX) return host
  const known = knownDomains(message)
  const domain = known.get(host) ?? registrableDomain(host)
  known.set(host, domain)
  return domain
}

/** 'example' of 'example.co.uk': what the owner of a registrable domain chose. */
export function ownLabel(domain: string): string {
  const dot = domain.indexOf('.')
  return dot < 0 ? domain : domain.slice(0, dot)
}
