/**
 * The host of a URL in the canonical spelling of Safe Browsing (see canonical.ts).
 *
 * A browser takes `0x7f.1`, `2130706433` and `0177.0.0.1` for the same machine. IPv6 addresses
 * that stand for IPv4 addresses become those, as version 5 of the document requires.
 */
import { asciiDomain } from '../message/domain.ts'

/** IPv4 in IPv6 as URLs write it: RFC 4291 §2.5.5.2, and the well-known NAT64 prefix of RFC 6052. */
const IPV4_IN_IPV6 = /^\[(?:::ffff:|64:ff9b::)([0-9a-f]{1,4}):([0-9a-f]{1,4})\]$/

/** A name in which only dots can be superfluous, and which cannot be an IPv4 address in any notation. */
const PLAIN_NAME = /^[a-z][a-z0-9.-]*$/

const IPV4_BYTES = 4

/** 2^32 - 1. */
const IPV4_MAX = 0xffff_ffff

/** The host in `authority` (user, host and port; one character per byte), not yet escaped; '' when there is none. */
export function canonicalHost(authority: string): string {
  if (PLAIN_NAME.test(authority)) return withoutExtraDots(authority)
  const at = authority.lastIndexOf('@')
  const written = withoutPort(at < 0 ? authority : authority.slice(at + 1))
  if (written.startsWith('[')) return canonicalIpv6(lowerCase(written))
  const host = withoutExtraDots(lowerCase(asciiHost(written)))
  return canonicalIpv4(host) ?? host
}

function withoutPort(host: string): string {
  const colon = host.lastIndexOf(':')
  return colon >= 0 && /^\d*$/.test(host.slice(colon + 1)) ? host.slice(0, colon) : host
}

/** The host in Punycode when the bytes are UTF-8 of an international domain name; otherwise unchanged. */
function asciiHost(bytes: string): string {
  if (!/[^\0-\x7f]/.test(bytes)) return bytes
  const text = Buffer.from(bytes, 'latin1').toString('utf8')
  const ascii = text.includes('\ufffd') ? '' : asciiDomain(text)
  return ascii === '' ? bytes : ascii
}

/** Lower-cases ASCII letters only: other characters are bytes, not letters of Latin-1. */
function lowerCase(bytes: string): string {
  return /[A-Z]/.test(bytes) ? bytes.replaceAll(/[A-Z]/g, (letter) => letter.toLowerCase()) : bytes
}

function withoutExtraDots(host: string): string {
  if (!host.startsWith('.') && !host.endsWith('.') && !host.includes('..')) return host
  return host
    .split('.')
    .filter((label) => label !== '')
    .join('.')
}

/** Four decimal numbers for an IPv4 address in any legal notation: decimal, octal, hexadecimal, one to four parts. */
function canonicalIpv4(host: string): string | undefined {
  if (!/^[0-9][0-9a-fx.]*$/.test(host)) return undefined
  const parts = host.split('.')
  if (parts.length > IPV4_BYTES) return undefined
  const bytes: number[] = []
  for (const [i, part] of parts.entries()) {
    const number = ipv4Number(part)
    if (number === undefined) return undefined
    const count = i === parts.length - 1 ? IPV4_BYTES - i : 1
    for (let place = count - 1; place >= 0; place -= 1) bytes.push((number >>> (8 * place)) & 0xff)
  }
  return bytes.join('.')
}

function ipv4Number(part: string): number | undefined {
  const number = /^0x[0-9a-f]+$/.test(part)
    ? Number.parseInt(part.slice(2), 16)
    : /^0[0-7]*$/.test(part)
      ? Number.parseInt(part, 8)
      : /^[1-9][0-9]*$/.test(part)
        ? Number.parseInt(part, 10)
        : Number.NaN
  return number <= IPV4_MAX ? number : undefined
}

function canonicalIpv6(host: string): string {
  const [, high, low] = IPV4_IN_IPV6.exec(host) ?? []
  if (high === undefined || low === undefined) return host
  return [high, low]
    .map((group) => Number.parseInt(group, 16))
    .flatMap((group) => [group >> 8, group & 0xff])
    .join('.')
}
