/**
 * The one spelling of a URL under which feeds and links are compared.
 *
 * The rules are those of Safe Browsing, "URLs and Hashing", Canonicalization
 * (https://developers.google.com/safe-browsing/v4/urls-hashing): they go further than RFC 3986,
 * since they undo every escape, however deep, and every way to write an IPv4 address. They are rules
 * about bytes, so in this module a string has one character for each byte of the URL in UTF-8.
 */

import { asciiDomain, parseUrl } from '../message/domain.ts'
import { LINK_LENGTH_MAX } from '../message/limits.ts'

/** Characters looked at. Longer URLs are cut, in feeds and messages alike, so that they still match. Stops a URL of 10 MB. */
export const URL_LENGTH_MAX = LINK_LENGTH_MAX

export interface CanonicalUrl {
  /** Lower case, without colon; 'http' when none was written. */
  readonly scheme: string
  /** Lower case and ASCII, without user, port and dots at its ends. IPv4 as four decimal numbers, IPv6 in brackets. */
  readonly host: string
  /** Begins with a slash. */
  readonly path: string
  /** What follows the first question mark; '' when nothing does, undefined without a question mark. */
  readonly query: string | undefined
}

/** `href` in its canonical spelling; undefined when it names no host. Takes time proportional to its length. */
export function canonicalUrl(href: string): CanonicalUrl | undefined {
  const cut = href.slice(0, URL_LENGTH_MAX)
  const isPlain = !TO_ESCAPE.test(cut)
  const url = isPlain ? cut : unescaped(bytesOf(withoutControls(withoutFragment(cut).trim())))
  const mark = url.indexOf('?')
  const rest = mark < 0 ? url : url.slice(0, mark)
  const query = mark < 0 ? undefined : url.slice(mark + 1)

  const scheme = schemeOf(rest)
  if (scheme !== '' && !rest.startsWith('//', scheme.length + 1)) return undefined
  const start = scheme === '' ? 0 : scheme.length + '://'.length
  const slash = rest.indexOf('/', start)
  const host = canonicalHost(slash < 0 ? rest.slice(start) : rest.slice(start, slash))
  const path = slash < 0 ? '/' : canonicalPath(rest.slice(slash))
  if (host === '') return undefined
  return {
    scheme: scheme === '' ? 'http' : scheme.toLowerCase(),
    host: isPlain ? host : escaped(host),
    path: isPlain ? path : escaped(path),
    query: isPlain || query === undefined ? query : escaped(query),
  }
}

function withoutFragment(href: string): string {
  const hash = href.indexOf('#')
  return hash < 0 ? href : href.slice(0, hash)
}

function withoutControls(href: string): string {
  return /[\t\r\n]/.test(href) ? href.replaceAll(/[\t\r\n]/g, '') : href
}

function bytesOf(text: string): string {
  return /[^\0-\x7f]/.test(text) ? Buffer.from(text, 'utf8').toString('latin1') : text
}

/** Bytes that are escaped in the end: those up to the space and from 0x7f on, # and %. */
const TO_ESCAPE = /[^!-~]|[#%]/

/** The scheme as written, '' when there is none. A name before a port is a host, not a scheme. */
function schemeOf(url: string): string {
  if (url.startsWith('https://')) return 'https'
  if (url.startsWith('http://')) return 'http'
  const scheme = /^([a-z][a-z0-9+.-]*):/i.exec(url)?.[1] ?? ''
  return scheme !== '' && /^:\d+(?:\/|$)/.test(url.slice(scheme.length)) ? '' : scheme
}

const PERCENT = 0x25

/**
 * Undoes all percent-escapes, also those that appear when others are undone.
 *
 * It takes one pass over the bytes: whenever the last three output bytes are an escape, they become its
 * byte. Two escapes never share a byte, so the order in which they are undone does not matter. Repeated
 * rounds over the whole URL, as the document words it, take quadratic time on `%25252525…`.
 */
function unescaped(bytes: string): string {
  if (!bytes.includes('%')) return bytes
  const out = Buffer.allocUnsafe(bytes.length)
  let length = 0
  for (let i = 0; i < bytes.length; i += 1) {
    out[length] = bytes.charCodeAt(i)
    length += 1
    // Each round makes the output shorter by two.
    while (length >= 3 && out[length - 3] === PERCENT) {
      const high = hexValue(out[length - 2]!)
      const low = hexValue(out[length - 1]!)
      if (high < 0 || low < 0) break
      length -= 2
      out[length - 1] = high * 16 + low
    }
  }
  return out.toString('latin1', 0, length)
}

/** The value of a hexadecimal digit; -1 for any other byte. */
function hexValue(byte: number): number {
  if (byte >= 0x30 && byte <= 0x39) return byte - 0x30
  const upper = byte & ~0x20
  return upper >= 0x41 && upper <= 0x46 ? upper - 0x37 : -1
}

function escaped(bytes: string): string {
  return bytes.replaceAll(/[^!-~]|[#%]/g, percentEscape)
}

function percentEscape(byte: string): string {
  return `%${byte.charCodeAt(0).toString(16).toUpperCase().padStart(2, '0')}`
}

/** `path` with single slashes, and without `.` and `..` as segments. */
function canonicalPath(path: string): string {
  if (!path.includes('//') && !path.includes('/.')) return path
  const kept: string[] = []
  const segments = path.split('/')
  for (const segment of segments) {
    if (segment === '..') kept.pop()
    else if (segment !== '' && segment !== '.') kept.push(segment)
  }
  const last = segments.at(-1)
  const isFolder = last === '' || last === '.' || last === '..'
  return kept.length === 0 ? '/' : `/${kept.join('/')}${isFolder ? '/' : ''}`
}

/**
 * The host of a URL in the canonical spelling of Safe Browsing (see canonical.ts).
 *
 * A browser takes `0x7f.1`, `2130706433` and `0177.0.0.1` for the same machine. IPv6 addresses
 * that stand for IPv4 addresses become those, as version 5 of the document requires.
 */

/** IPv4 in IPv6 as URLs write it: RFC 4291 §2.5.5.2, and the well-known NAT64 prefix of RFC 6052. */
const IPV4_IN_IPV6 = /^\[(?:::ffff:|64:ff9b::)([0-9a-f]{1,4}):([0-9a-f]{1,4})\]$/

/** A name in which only dots can be superfluous, and which cannot be an IPv4 address in any notation. */
const PLAIN_NAME = /^[a-z][a-z0-9.-]*$/

const IPV4_BYTES = 4

/** 2^32 - 1. */
const IPV4_MAX = 0xffff_ffff

/** The host in `authority` (user, host and port; one character per byte), not yet escaped; '' when there is none. */
function canonicalHost(authority: string): string {
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

/**
 * Where a browser goes when a link is clicked, for links that are not plainly written.
 *
 * The rules of Safe Browsing begin after a browser has read the URL. That matters where a sender uses
 * the difference: only the browser's rules (WHATWG URL) say where `http://good.example\@evil.example/`
 * and `http:evil.example` lead.
 */

/** A URL whose authority needs no interpretation and in which no backslash stands for a slash. */
const PLAIN = /^https?:\/\/[a-z0-9.-]+(?::\d+)?(?:[/?#][!-[\]-~]*)?$/i

const WEB_SCHEMES: ReadonlySet<string> = new Set(['http:', 'https:', 'ftp:'])

/** `href` as a browser reads it, without the user; unchanged when it is plain or no browser could open it. */
export function browserReading(href: string): string {
  if (PLAIN.test(href)) return href
  const url = parseUrl(href)
  if (url === null || !WEB_SCHEMES.has(url.protocol)) return href
  return `${url.protocol}//${url.host}${url.pathname}${url.search}${url.hash}`
}
