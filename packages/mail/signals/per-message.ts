/**
 * What several aspects need of a message and would otherwise each work out again. A message never changes, and a thread
 * finishes one before it begins the next, so that the result for the last is kept.
 */
import { registrableDomain } from '../message/domain.ts'
import type { Message } from '../message/message.ts'

/** `derive`, worked out once as long as it is asked about the same message. */
export function perMessage<T>(derive: (message: Message) => T): (message: Message) => T {
  let last: { readonly message: Message; readonly value: T } | undefined
  return (message) => {
    if (last?.message !== message) last = { message, value: derive(message) }
    return last.value
  }
}

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
