/**
 * What the MTA says of a transaction -> what Tamis wants to know of it, in the forms that it takes.
 * What it would refuse is left out: a strange envelope is no way round the filter.
 */
import { BlockList, isIPv6 } from 'node:net'
import { canonicalIp } from '../../http/ip-address.ts'
import { canonicalMailbox } from '../../http/mailbox.ts'
import { withoutBrackets } from '../../http/user-of.ts'

/** Clients whose address says nothing of who sent the message: RFC 1122, 1918, 3927, 4193 and 4291. */
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

export function isIn(networks: BlockList, ip: string): boolean {
  return networks.check(ip, isIPv6(ip) ? 'ipv6' : 'ipv4')
}

/** Canonical text of an address as MTAs write it; undefined where it is none. */
export function clientIp(address: string | undefined): string | undefined {
  return address === undefined ? undefined : canonicalIp(address.trim())
}

/** `ip` where it is the sender's: one of a private network is a relay's, and SPF knows it not. */
export function senderIp(ip: string | undefined): string | undefined {
  return ip === undefined || isIn(PRIVATE, ip) ? undefined : ip
}

/** The envelope sender as Tamis takes it; '' is the null sender, undefined one that it would refuse. */
export function senderEmail(path: string): string | undefined {
  const bare = withoutBrackets(path)
  return bare === '' ? '' : canonicalMailbox(bare)
}
