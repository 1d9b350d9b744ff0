/**
 * The one spelling of a URL under which feeds and links are compared.
 *
 * The rules are those of Safe Browsing, "URLs and Hashing", Canonicalization
 * (https://developers.google.com/safe-browsing/v4/urls-hashing): they go further than RFC 3986,
 * since they undo every escape, however deep, and every way to write an IPv4 address. They are rules
 * about bytes, so in this module a string has one character for each byte of the URL in UTF-8.
 */
import { LINK_LENGTH_MAX } from '../message/limits.ts'
import { canonicalHost } from './canonical-host.ts'

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

/** Escapes once. */
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
