/**
 * Addresses and hosts in the one form in which a user's rules compare them: lower case, hosts as
 * DNS has them (punycode, IDNA), so that a rule matches however the address is spelled.
 *
 * Local parts are lower-cased too. RFC 5321 §2.4 lets a host tell `Ada` from `ada`, but no provider of
 * mailboxes does.
 */
import { asciiDomain, registrableDomain } from '../message/domain.ts'

/** Longest local part, '@' and domain (RFC 5321 §4.5.3.1), in bytes of UTF-8. */
const ADDRESS_BYTES_MAX = 320

/** Longest name that DNS allows (RFC 1035 §2.3.4). */
const HOST_LENGTH_MAX = 253

const HOST = /^[a-z0-9_-]{1,63}(?:\.[a-z0-9_-]{1,63}){0,126}$/
const ADDRESS_LITERAL = /^\[[0-9a-z:.]{2,60}\]$/
const SPACE_OR_CONTROL = /[\p{White_Space}\p{Cc}\p{Cs}]/u
const NOT_ASCII = /[^\x00-\x7f]/

/** `localPart@host` in the form compared; undefined for an address that no mail can be sent to. */
export function comparedAddress(address: string): string | undefined {
  const sign = address.lastIndexOf('@')
  if (sign < 1 || Buffer.byteLength(address) > ADDRESS_BYTES_MAX) return undefined
  const localPart = address.slice(0, sign).toLowerCase().normalize('NFC')
  const host = comparedHost(address.slice(sign + 1))
  if (host === undefined || SPACE_OR_CONTROL.test(localPart)) return undefined
  return `${localPart}@${host}`
}

/** A host name or address literal in the form compared; undefined for what is neither. */
export function comparedHost(written: string): string | undefined {
  const lower = written.toLowerCase()
  const host = NOT_ASCII.test(lower) ? asciiDomain(lower) : lower
  if (host.length > HOST_LENGTH_MAX) return undefined
  return HOST.test(host) || ADDRESS_LITERAL.test(host) ? host : undefined
}

/** The domain that a wildcard stands before, and what it covers. */
export interface Wildcard {
  /** `*@domain` covers the addresses at that very host, `*.domain` those at the hosts below it. */
  readonly prefix: '*@' | '*.'
  readonly domain: string
}

/** The wildcard that `pattern` is; undefined for any other pattern. */
export function readWildcard(pattern: string): Wildcard | undefined {
  const prefix = (['*@', '*.'] as const).find((each) => pattern.startsWith(each))
  const domain = prefix && comparedHost(pattern.slice(prefix.length))
  return domain === undefined ? undefined : { prefix: prefix!, domain }
}

/**
 * The patterns that cover all addresses at `host`, the most specific first:
 * `*@mail.example.com`, `mail.example.com`, `*.example.com`, `example.com`, `*.com`, `com`.
 */
export function patternsOfHost(host: string): string[] {
  const labels = host.split('.')
  const names = labels.map((_, i) => labels.slice(i).join('.'))
  return names.flatMap((name, i) => [i === 0 ? `*@${name}` : `*.${name}`, name])
}

/** The part of an address after its '@'. */
export function hostOfAddress(address: string): string {
  return address.slice(address.lastIndexOf('@') + 1)
}

/** True when `host` is `domain` or is below it. */
export function isAtOrBelow(host: string, domain: string): boolean {
  return host === domain || host.endsWith(`.${domain}`)
}

/** True for a domain that somebody registered and for hosts below it, but not for 'com' or 'co.uk'. */
export function isRegistered(host: string): boolean {
  return host.includes('.') && isAtOrBelow(host, registrableDomain(`any.${host}`))
}
