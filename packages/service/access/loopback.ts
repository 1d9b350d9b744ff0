/**
 * Without keys, everybody who can reach the service may use it, so only this machine may reach it.
 *
 * Listening on loopback is not enough, because of browsers on this machine: any page can send
 * requests to 127.0.0.1, and with a host name that points there (DNS rebinding) it can also read the
 * answers. A page cannot hide its Host and Origin, nor what the browser says about the page
 * (Fetch Metadata, https://www.w3.org/TR/fetch-metadata/). Pages from other ports of this machine are
 * foreign too: a form on one could roll back models.
 */
import type { IncomingMessage } from 'node:http'
import { BlockList, isIP, isIPv6 } from 'node:net'
import { TamisError } from '../../errors/errors.ts'

const LOOPBACK = new BlockList()
LOOPBACK.addSubnet('127.0.0.0', 8, 'ipv4')
LOOPBACK.addAddress('::1', 'ipv6')

/** True for `localhost` and for a loopback address, IPv6 with or without brackets. */
export function isLoopback(host: string): boolean {
  if (host.toLowerCase() === 'localhost') return true
  const address = host.startsWith('[') && host.endsWith(']') ? host.slice(1, -1) : host
  return isIP(address) !== 0 && LOOPBACK.check(address, isIPv6(address) ? 'ipv6' : 'ipv4')
}

/** @throws TamisError CONFIG_INVALID when `host` can be reached from other machines. */
export function refusePublicBind(host: string): void {
  if (isLoopback(host)) return
  throw new TamisError(
    'CONFIG_INVALID',
    `TAMIS_HOST, or ListenStream of the socket unit, is "${host}"; allowed while no key is configured: localhost, 127.0.0.1 or ::1. Without keys, anyone who can reach the service can use it`,
  )
}

/** The values of Sec-Fetch-Site for a request from the service's own pages, and from a person. */
const OWN_SITES: readonly unknown[] = ['same-origin', 'none']

/** The last Host header that was accepted: nearly all requests have the same one. */
let lastHost: string | undefined

/** The headers that say where a request comes from. */
export type Asking = Pick<IncomingMessage, 'method' | 'headers'>

/** @throws TamisError ORIGIN_FORBIDDEN if the request names another host, or comes from a page of another site. */
export function refuseForeign({ method, headers }: Asking): void {
  // A browser always sends a Host header; HTTP/1.0, which Rspamd's clients use, has none.
  const { host } = headers
  if (host !== lastHost && host !== undefined && !isLoopback(hostName(host))) {
    throw new TamisError('ORIGIN_FORBIDDEN', 'The Host header does not name this machine')
  }
  lastHost = host
  const { origin } = headers
  const site = headers['sec-fetch-site']
  if (origin === undefined && (site === undefined || OWN_SITES.includes(site))) return
  // A link may lead here: the answer is shown to the person who follows it, and no page can read it.
  const isVisit = method === 'GET' && headers['sec-fetch-mode'] === 'navigate'
  if (origin === undefined ? isVisit : originHost(origin) === host) return
  throw new TamisError('ORIGIN_FORBIDDEN', 'The request comes from a page of another site')
}

/** Host without its port (RFC 9110 §7.2). */
function hostName(hostHeader: string): string {
  return hostHeader.replace(/:\d*$/, '')
}

/** The host of an origin with its port, as in Host; '' for `null`, the Origin of a sandboxed page, and for text that is not an origin. */
function originHost(origin: string): string {
  return URL.parse(origin)?.host ?? ''
}
