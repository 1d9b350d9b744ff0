/**
 * Networks of mailing services and large mailbox providers, and whether an address is in one.
 *
 * IPv4 addresses are looked up as the IPv6 addresses that they are mapped to (RFC 4291 §2.5.5.2), so
 * that there is one table for both. An address is four unsigned 32-bit words.
 */

/** In the service over shared memory: posted to a thread, it is not copied. */
export interface NetworkTable {
  /** First addresses, ascending. Shape (networks, WORDS). */
  readonly starts: Uint32Array
  /** Last addresses, in step; no network reaches into the next. Shape (networks, WORDS). */
  readonly ends: Uint32Array
}

/** Of an address. */
const WORDS = 4
const WORD_BITS = 32
const ADDRESS_BITS = WORDS * WORD_BITS

/** Bits before an IPv4 address in the IPv6 address that it is mapped to. */
const MAPPED_BITS = 96

/** Third word of the IPv6 addresses to which IPv4 addresses are mapped. */
const MAPPED_WORD = 0xffff

/** Of an IPv6 address as text. */
const GROUPS = 8

/** Shape (WORDS,). */
export type Address = readonly number[]

interface Network {
  readonly start: Address
  readonly end: Address
}

/**
 * The table of networks in CIDR notation (RFC 4632 §3.1), those that overlap joined.
 *
 * @throws SyntaxError for what is no network.
 */
export function networkTable(texts: Iterable<string>): NetworkTable {
  const networks = Array.from(texts, networkOf).toSorted((a, b) => compare(a.start, b.start))
  const joined: Network[] = []
  for (const network of networks) {
    const last = joined.at(-1)
    if (last === undefined || compare(last.end, network.start) < 0) joined.push(network)
    else if (compare(last.end, network.end) < 0) {
      joined[joined.length - 1] = { start: last.start, end: network.end }
    }
  }
  return {
    starts: Uint32Array.from(joined.flatMap(({ start }) => start)),
    ends: Uint32Array.from(joined.flatMap(({ end }) => end)),
  }
}

/** Networks in `table`. */
export function networkCount({ starts }: NetworkTable): number {
  return starts.length / WORDS
}

/** True when `address`, as text, is in a network of `table`. */
export function isInNetworks(table: NetworkTable, address: string): boolean {
  const words = addressOf(address)
  if (words === undefined) return false
  let low = 0
  let high = networkCount(table)
  while (low < high) {
    const middle = (low + high) >>> 1
    if (compareAt(table.starts, middle, words) <= 0) low = middle + 1
    else high = middle
  }
  return low > 0 && compareAt(table.ends, low - 1, words) >= 0
}

/** Networks in which nobody on the internet is: RFC 1918, 6598, 3927, 4193, 4291, and loopback. */
const LOCAL = networkTable([
  '0.0.0.0/8',
  '10.0.0.0/8',
  '100.64.0.0/10',
  '127.0.0.0/8',
  '169.254.0.0/16',
  '172.16.0.0/12',
  '192.168.0.0/16',
  '::/127',
  'fc00::/7',
  'fe80::/10',
])

/** True when `address` is of a machine on the internet, and not of a home or a machine itself. */
export function isPublicAddress(address: string): boolean {
  return addressOf(address) !== undefined && !isInNetworks(LOCAL, address)
}

function networkOf(text: string): Network {
  const prefix = prefixOf(text.trim())
  if (prefix === undefined) throw new SyntaxError(`no network: ${text}`)
  const { address: start, bits } = prefix
  const masks = start.map((_, word) => hostMask(bits - word * WORD_BITS))
  return { start, end: start.map((word, at) => (word | masks[at]!) >>> 0) }
}

/** A network: its first address, and the bits that all its addresses have in common, of 128 (IPv4: from 96 on). */
export interface Prefix {
  readonly address: Address
  readonly bits: number
}

/** The network that `text` is in CIDR notation; bits of hosts are dropped. Undefined for what is none. */
export function prefixOf(text: string): Prefix | undefined {
  const [, written = '', length = ''] = /^([0-9a-fA-F.:]{2,45})\/(\d{1,3})$/.exec(text) ?? []
  const address = addressOf(written)
  const bits = Number(length) + (written.includes(':') ? 0 : MAPPED_BITS)
  if (address === undefined || bits > ADDRESS_BITS) return undefined
  return { address: networkAddress(address, bits), bits }
}

/** The first address of the network of `bits` bits in which `address` is. */
export function networkAddress(address: Address, bits: number): Address {
  return address.map((word, at) => (word & ~hostMask(bits - at * WORD_BITS)) >>> 0)
}

/** Bits of a word that the first `bits` bits of it leave to hosts. */
function hostMask(bits: number): number {
  if (bits >= WORD_BITS) return 0
  return bits <= 0 ? 0xffffffff : 0xffffffff >>> bits
}

/** The address that `text` is; undefined for what is none. */
export function addressOf(text: string): Address | undefined {
  return text.includes(':') ? ipv6Of(text) : ipv4Of(text)
}

function ipv4Of(text: string): Address | undefined {
  if (!/^\d{1,3}(?:\.\d{1,3}){3}$/.test(text)) return undefined
  const parts = text.split('.').map(Number)
  if (parts.some((part) => part > 255)) return undefined
  return [0, 0, MAPPED_WORD, parts.reduce((address, part) => address * 256 + part, 0)]
}

function ipv6Of(text: string): Address | undefined {
  const sides = text.split('::', 3).map((side) => (side === '' ? [] : side.split(':', GROUPS + 1)))
  const [start = [], end = []] = sides
  const missing = GROUPS - start.length - end.length
  if (sides.length > 2 || (sides.length === 1 ? missing !== 0 : missing < 1)) return undefined
  const groups = [...start, ...Array<string>(missing).fill('0'), ...end]
  if (!groups.every((group) => /^[0-9a-f]{1,4}$/i.test(group))) return undefined
  const numbers = groups.map((group) => Number.parseInt(group, 16))
  return [0, 2, 4, 6].map((at) => ((numbers[at]! << 16) | numbers[at + 1]!) >>> 0)
}

function compare(a: Address, b: Address): number {
  const at = a.findIndex((word, i) => word !== b[i])
  return at < 0 ? 0 : a[at]! - b[at]!
}

function compareAt(addresses: Uint32Array, network: number, address: Address): number {
  for (let word = 0; word < WORDS; word += 1) {
    const difference = addresses[network * WORDS + word]! - address[word]!
    if (difference !== 0) return difference
  }
  return 0
}
