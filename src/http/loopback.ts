/**
 * Without keys, whoever reaches the service may use it, so only this machine may reach it.
 *
 * Listening on loopback is half of that. The other half are browsers on this machine: a page
 * from elsewhere can send requests to 127.0.0.1, and with a host name that it points there (DNS
 * rebinding) read the answers too. Such a page cannot hide its Host and Origin.
 */
import type { IncomingHttpHeaders } from 'node:http'
import { BlockList, isIP, isIPv6 } from 'node:net'
import { TamisError } from '../errors.ts'

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
    `TAMIS_HOST is "${host}"; allowed while no key is configured: localhost, 127.0.0.1 or ::1. Everybody who reaches the service without keys may use it`,
  )
}

/** The last Host header that was let in: nearly all requests have the same one. */
let lastHost: string | undefined

/** @throws TamisError ORIGIN_FORBIDDEN when the request was meant for, or comes from, elsewhere. */
export function refuseForeign(headers: IncomingHttpHeaders): void {
  // A browser always sends one; HTTP/1.0, which Rspamd's clients speak, has none.
  const { host } = headers
  if (host !== lastHost && host !== undefined && !isLoopback(hostName(host))) {
    throw new TamisError('ORIGIN_FORBIDDEN', 'The Host header is not this machine')
  }
  lastHost = host
  if (headers.origin !== undefined && !isLoopback(originHost(headers.origin))) {
    throw new TamisError('ORIGIN_FORBIDDEN', 'The Origin header is not this machine')
  }
}

/** Host without its port (RFC 9110 §7.2). */
function hostName(hostHeader: string): string {
  return hostHeader.replace(/:\d*$/, '')
}

/** '' for `null`, the Origin of a sandboxed page, and for what is no origin. */
function originHost(origin: string): string {
  return URL.parse(origin)?.hostname ?? ''
}
