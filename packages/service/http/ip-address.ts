/** Reads IP addresses as mail software writes them, and gives the one form in which we pass them on. */
import { isIPv4, isIPv6 } from 'node:net'

/** The IPv6 tag of an address literal, RFC 5321 §4.1.3; tags are case-insensitive. */
const IPV6_TAG = /^ipv6:/i

/** An IPv4-mapped IPv6 address, RFC 4291 §2.5.5.2, as WHATWG URLs print it: ::ffff:c000:201. */
const IPV4_MAPPED = /^::ffff:([0-9a-f]{1,4}):([0-9a-f]{1,4})$/

/**
 * The canonical text (RFC 5952) of the IPv4 or IPv6 address that `text` is, with or without
 * brackets and, for IPv6, the tag `IPv6:`. An IPv4-mapped address gives the IPv4 address.
 * Undefined if `text` is not an address. One with a zone (fe80::1%eth0) means nothing on other
 * machines, and does not count as an address.
 */
export function canonicalIp(text: string): string | undefined {
  const literal = text.startsWith('[') && text.endsWith(']') ? text.slice(1, -1) : text
  if (isIPv4(literal)) return literal
  const address = literal.replace(IPV6_TAG, '')
  if (!isIPv6(address) || address.includes('%')) return undefined
  return unmapped(new URL(`http://[${address}]`).hostname.slice(1, -1))
}

function unmapped(address: string): string {
  const [, high, low] = IPV4_MAPPED.exec(address) ?? []
  if (high === undefined || low === undefined) return address
  return [high, low]
    .map((group) => Number.parseInt(group, 16))
    .flatMap((group) => [group >> 8, group & 0xff])
    .join('.')
}
