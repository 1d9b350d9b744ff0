/** The names that a list is asked for (RFC 5782 §2): addresses backwards, domains as they are, and the zone. */
import { isIPv4 } from 'node:net'
import { isInNetworks, isPublicAddress, networkTable } from '../../mail/knowledge/network-table.ts'
import type { ListNames } from '../../mail/urls/list-names.ts'
import type { DnsList } from './dns-list.ts'

/** What of a message can be listed. */
export interface Listable extends ListNames {
  /** The client that delivered it, in canonical text; undefined when it is not known. */
  readonly senderIp: string | undefined
}

export interface ListQuestion {
  /** The domain or address that the list may hold. */
  readonly listed: string
  /** The name to look up. */
  readonly name: string
}

/**
 * Networks, besides those of homes and machines themselves, from which no mail comes: for benchmarks,
 * multicast and the future (RFC 6890), 6to4 relays. Those for documentation may be asked about.
 */
const RESERVED = networkTable([
  '192.0.0.0/24',
  '192.88.99.0/24',
  '198.18.0.0/15',
  '224.0.0.0/3',
  '64:ff9b:1::/48',
  '100::/64',
  '2001::/23',
  'fec0::/10',
  'ff00::/8',
])

/** Groups of an IPv6 address, and hexadecimal digits of a group. */
const GROUPS = 8
const GROUP_DIGITS = 4

/** What `list` is asked about a message; nothing about private and reserved addresses. */
export function questionsOf(
  list: DnsList,
  { senderIp, domains, addresses }: Listable,
): ListQuestion[] {
  const asked = {
    ip: senderIp === undefined ? [] : [senderIp],
    domain: domains,
    url: [...domains, ...addresses],
  }[list.kind]
  return asked.flatMap((listed) => {
    const label = labelsOf(listed)
    return label === undefined ? [] : [{ listed, name: `${label}.${list.zone}` }]
  })
}

function labelsOf(listed: string): string | undefined {
  const isIp = isIPv4(listed) || listed.includes(':')
  if (!isIp) return listed
  return isAskedAbout(listed) ? reversed(listed) : undefined
}

function isAskedAbout(address: string): boolean {
  return isPublicAddress(address) && !isInNetworks(RESERVED, address)
}

/** '66.2.0.192' for '192.0.2.66'; for IPv6 each of the 32 digits is a label. */
function reversed(address: string): string {
  if (isIPv4(address)) return address.split('.').reverse().join('.')
  return [...ipv6Digits(address)].reverse().join('.')
}

function ipv6Digits(address: string): string {
  const [before = [], after = []] = address
    .split('::')
    .map((half) => (half === '' ? [] : half.split(':')))
  const zeros = Array<string>(GROUPS - before.length - after.length).fill('0')
  return [...before, ...zeros, ...after].map((group) => group.padStart(GROUP_DIGITS, '0')).join('')
}
