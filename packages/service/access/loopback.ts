/**
 * Without keys, whoever reaches the service may use it, so only this machine may reach it.
 *
 * Listening on loopback is half of that. The other half are browsers on this machine: any page can
 * send requests to 127.0.0.1, and with a host name that it points there (DNS rebinding) read the
 * answers too. A page cannot hide its Host and Origin, nor what the browser says of where it stands
 * (Fetch Metadata, https://www.w3.org/TR/fetch-metadata/). Pages of other ports of this machine are
 * others too: a form on one could roll back models.
 */
import type { IncomingMessage } from 'node:http'
import { BlockList, isIP, isIPv6 } from 'node:net'
import { TamisError } from '../../mail/errors.ts'

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
    `TAMIS_HOST is "${host}"; allowed while no key is configured: localhost, 127.0.0.1 or ::1. Without keys, everybody who reaches the service may use it`,
  )
}

/** What browsers call a request of the service's own pages, and of a person. */
const OWN_SITES: readonly unknown[] = ['same-origin', 'none']

/** The last Host header that was let in: nearly all requests have the same one. */
let lastHost: string | undefined

/** What a request says of where it comes from. */
export type Asking = Pick<IncomingMessage, 'method' | 'headers'>

/** @throws TamisError ORIGIN_FORBIDDEN when the request was meant for, or comes from a page of, elsewhere. */
export function refuseForeign({ method, headers }: Asking): void {
  // A browser always sends one; HTTP/1.0, which Rspamd's clients speak, has none.
  const { host } = headers
  if (host !== lastHost && host !== undefined && !isLoopback(hostName(host))) {
    throw new TamisError('ORIGIN_FORBIDDEN', 'The Host header does not name this machine')
  }
  lastHost = host
  const { origin } = headers
  const site = headers['sec-fetch-site']
  if (origin === undefined && (site === undefined || OWN_SITES.includes(site))) return
  // A link may lead here: what it asks for is shown to the person who follows it, and to no page.
  const isVisit = method === 'GET' && headers['sec-fetch-mode'] === 'navigate'
  if (origin === undefined ? isVisit : originHost(origin) === host) return
  throw new TamisError('ORIGIN_FORBIDDEN', 'The request comes from a page of another site')
}

/** Host without its port (RFC 9110 §7.2). */
function hostName(hostHeader: string): string {
  return hostHeader.replace(/:\d*$/, '')
}

/** With its port, as Host has it; '' for `null`, the Origin of a sandboxed page, and for what is no origin. */
function originHost(origin: string): string {
  return URL.parse(origin)?.host ?? ''
}
