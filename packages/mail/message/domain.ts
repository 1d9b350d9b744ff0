/**
 * Hosts of links, and the domains that someone registered (a registrable domain: one label
 * below a public suffix, https://publicsuffix.org).
 *
 * Addresses are read as browsers read them (WHATWG URL): `http://0x7f.1/` is 127.0.0.1, and
 * `https://bank.example@evil.example` leads to evil.example. Only the ICANN part of the Public Suffix
 * List counts here, so that all pages of a hosting company belong to one domain.
 */
import { domainToASCII } from 'node:url'
import { getDomain, getPublicSuffix, parse } from 'tldts'
import { DOMAIN_LENGTH_MAX } from './limits.ts'

/** Ignores private suffixes and does no clean-up: hosts come from `hostOf` or an address. */
const PUBLIC_SUFFIXES_ONLY = { allowPrivateDomains: false, extractHostname: false } as const

/** Companies below whose names others have domains of their own have entered themselves in the list. */
const ALL_SUFFIXES = { allowPrivateDomains: true, extractHostname: false } as const

/**
 * Host of an http or https link: lower case, ASCII (punycode), IPv4 as four decimal numbers, IPv6
 * in brackets, no dot at the end. Undefined for other schemes and for anything but an absolute URL.
 */
export function hostOf(href: string): string | undefined {
  const url = parseUrl(href)
  if (url === null || (url.protocol !== 'http:' && url.protocol !== 'https:')) return undefined
  const { hostname } = url
  return hostname.endsWith('.') ? hostname.slice(0, -1) : hostname
}

/**
 * `href` as a browser reads it (WHATWG URL); null when it is not an absolute URL, or its host is longer
 * than a name can be: normalising such a host takes time quadratic in its combining marks, 5 ms each.
 *
 * @param base what a relative `href`, without a host, is relative to.
 */
export function parseUrl(href: string, base?: URL): URL | null {
  return NOT_ASCII.test(href) && isTooLong(writtenHost(href)) ? null : URL.parse(href, base?.href)
}

/** `domain` in Punycode; '' where it is no domain name. */
export function asciiDomain(domain: string): string {
  return NOT_ASCII.test(domain) && isTooLong(domain) ? '' : domainToASCII(domain)
}

const NOT_ASCII = /[^\0-\x7f]/

/** Characters that are dropped when a host is read: line ends, and invisible characters (UTS #46 §4). */
const IGNORED = /[\t\r\n]|\p{Default_Ignorable_Code_Point}/gu

const ESCAPED_BYTE = /%[0-9a-f]{2}/gi

/** The host as written: between the scheme and the path, after the user. */
function writtenHost(href: string): string {
  const authority = /^[^:/\\?#]*:[/\\]*([^/\\?#]*)/.exec(href)?.[1] ?? ''
  return authority.slice(authority.lastIndexOf('@') + 1)
}

function isTooLong(host: string): boolean {
  if (host.length <= DOMAIN_LENGTH_MAX) return false
  return host.replace(IGNORED, '').replace(ESCAPED_BYTE, 'x').length > DOMAIN_LENGTH_MAX
}

/** The registrable domain of `host`: 'example.co.uk' for 'www.example.co.uk'; `host` itself when it has none, like an IP address. */
export function registrableDomain(host: string): string {
  return getDomain(host, PUBLIC_SUFFIXES_ONLY) ?? host
}

/** Whether `host` stands below a suffix of the list, as `example.co.uk` does: neither `index.js` nor `co.uk`. */
export function hasKnownSuffix(host: string): boolean {
  if (!host.includes('.') || host.includes('..')) return false
  const { publicSuffix, isIcann } = parse(host.toLowerCase(), PUBLIC_SUFFIXES_ONLY)
  return isIcann === true && publicSuffix !== null && publicSuffix.length < host.length
}

/** True when `name` belongs to nobody but whoever gives away names below it: 'co.uk', 'github.io', in either part of the list. */
export function isPublicSuffix(name: string): boolean {
  return getPublicSuffix(name, ALL_SUFFIXES) === name
}
