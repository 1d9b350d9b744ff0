/**
 * Converts what the MTA says of a transaction to the forms that Tamis accepts. What Tamis would refuse is
 * left out, so that a strange envelope cannot bypass the filter.
 */
import { BlockList, isIPv6 } from 'node:net'
import { canonicalIp, canonicalMailbox } from '../../http/metadata.ts'
import { withoutBrackets } from '../../http/user-of.ts'

/** Networks whose addresses say nothing about the sender: RFC 1122, 1918, 3927, 4193 and 4291. */
const PRIVATE = new BlockList()
for (const [network, prefix] of [
  ['127.0.0.0', 8],
  ['10.0.0.0', 8],
  ['172.16.0.0', 12],
  ['192.168.0.0', 16],
  ['169.254.0.0', 16],
] as const) {
  PRIVATE.addSubnet(network, prefix, 'ipv4')
}
PRIVATE.addAddress('::1', 'ipv6')
PRIVATE.addSubnet('fc00::', 7, 'ipv6')
PRIVATE.addSubnet('fe80::', 10, 'ipv6')

/** The canonical text of an address as MTAs write it; undefined when it is not an address. */
export function clientIp(address: string | undefined): string | undefined {
  return address === undefined ? undefined : canonicalIp(address.trim())
}

/** `ip` if it may be the sender's: an address of a private network is a relay's, which SPF does not know. */
export function senderIp(ip: string | undefined): string | undefined {
  return ip === undefined || PRIVATE.check(ip, isIPv6(ip) ? 'ipv6' : 'ipv4') ? undefined : ip
}

/** The envelope sender as Tamis accepts it; '' is the null sender; undefined when Tamis would refuse it. */
export function senderEmail(path: string): string | undefined {
  const bare = withoutBrackets(path)
  return bare === '' ? '' : canonicalMailbox(bare)
}

interface Reception {
  readonly helo: string | undefined
  /** Name of the client in the DNS, or what the MTA gives in its place. */
  readonly host: string
  readonly ip: string | undefined
  /** Name of the MTA. */
  readonly mta: string | undefined
  readonly receivedAt: Date
}

/** Longest name; the DNS allows 255 bytes. */
const NAME_LENGTH_MAX = 255

/**
 * The Received field that the MTA is about to write (RFC 5321 §4.4), whole, with CRLF. A filter gets the message
 * without it; Tamis reads from it the client's HELO name, and that everything below it came from outside.
 */
export function receivedField(reception: Reception): string {
  const { ip, mta, receivedAt } = reception
  // Sendmail gives the address if it found no name.
  const host = reception.host.startsWith('[') ? 'unknown' : atom(reception.host)
  const helo = reception.helo === undefined ? host : atom(reception.helo)
  const address = ip === undefined ? '' : ` [${ip.includes(':') ? `IPv6:${ip}` : ip}]`
  const date = receivedAt.toUTCString().replace('GMT', '+0000')
  return [
    `Received: from ${helo} (${host}${address})`,
    `\tby ${atom(mta ?? 'localhost')} with ESMTP;`,
    `\t${date}`,
    '',
  ].join('\r\n')
}

/** The name without characters that would end a word, a comment or the field. */
function atom(name: string): string {
  const word = name.slice(0, NAME_LENGTH_MAX).replace(/[^!#-'*-:<-Z^-~[\]]/g, '?')
  return word === '' ? 'unknown' : word
}
