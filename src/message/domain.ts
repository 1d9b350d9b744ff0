/**
 * Hosts of links, and the domains that someone registered (a registrable domain: one label
 * below a public suffix, https://publicsuffix.org).
 *
 * Addresses are read as browsers read them (WHATWG URL): `http://0x7f.1/` is 127.0.0.1, and
 * `https://bank.example@evil.example` leads to evil.example. Of the Public Suffix List only the
 * ICANN part counts here, so that all pages of a hosting company are of one domain.
 */
import { getDomain } from 'tldts'

/** No look at private suffixes, and no clean-up: hosts come from `hostOf` or an address. */
const PUBLIC_SUFFIXES_ONLY = { allowPrivateDomains: false, extractHostname: false } as const

/**
 * Host of an http or https link: lower case, ASCII (punycode), IPv4 as four decimal numbers, IPv6
 * in brackets, no dot at the end. Undefined for other schemes and what is no absolute URL.
 */
export function hostOf(href: string): string | undefined {
  const url = URL.parse(href)
  if (url === null || (url.protocol !== 'http:' && url.protocol !== 'https:')) return undefined
  const { hostname } = url
  return hostname.endsWith('.') ? hostname.slice(0, -1) : hostname
}

/** The registrable domain of `host`: 'example.co.uk' of 'www.example.co.uk'; `host` itself when it has none, as an IP address. */
export function registrableDomain(host: string): string {
  return getDomain(host, PUBLIC_SUFFIXES_ONLY) ?? host
}
