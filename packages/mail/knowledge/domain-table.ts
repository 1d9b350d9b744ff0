/**
 * What kind of domain a name is, from a table of hashes: the names themselves would take four times
 * the room.
 *
 * A name that is in no list is taken for one that is as often as its hash is another's:
 * `falsePositiveRate`. The hash has no secret key, since the table comes ready made: who computes for
 * a second can find a name that the table takes for a known one. It gains no more than an expired
 * domain of a known name does, which costs as much: known is evidence and no pardon.
 */
import { type HashKey, keyedHash } from '../urls/keyed-hash.ts'

/**
 * What may be known of a name; one of them.
 *
 * - `shared`: anybody may have a name below it, with its mail: hosting, dynamic DNS, suffixes that are sold.
 * - `pages`: anybody may have a page or a file there; what it sends is its own.
 * - `redirector`: its links lead wherever somebody has said: shorteners, pages of links.
 * - `account`: a company's own, but what it sends and shows is its customers': networks, mailing services.
 * - `disposable`: mailboxes for one use.
 * - `mailbox`: a provider of mailboxes or access, at which everybody may have an address.
 * - `known`: of an organisation that exists in the world.
 */
export const DOMAIN_KINDS = [
  'shared',
  'pages',
  'redirector',
  'account',
  'disposable',
  'mailbox',
  'known',
] as const

export type DomainKind = (typeof DOMAIN_KINDS)[number]

/** In the service over shared memory: posted to a thread, it is not copied. */
export interface DomainTable {
  /** Of names, ascending, none twice. Shape (entries,). */
  readonly hashes: Uint32Array
  /** Positions in DOMAIN_KINDS, in step with `hashes`. Shape (entries,). */
  readonly kinds: Uint8Array
  /** Upper bits of a hash by which `buckets` is indexed: so many that a bucket holds one to two entries on average. */
  readonly bucketBits: number
  /** Where in `hashes` those with these upper bits begin. Shape (2^bucketBits + 1,). */
  readonly buckets: Uint32Array
}

const HASH_BITS = 32

/** Positions that fit beside a 32-bit hash in a whole number. */
const NAMES_MAX = 2 ** 21

/** Not secret (see above); digits of pi. Another key needs another artifact. */
const KEY: HashKey = [0x243f6a88, 0x85a308d3]

/** Labels below the registrable domain that are looked at. Stops hosts of a hundred labels; the lists have three at most. */
const LABELS_MAX = 6

/** The hash by which a table knows `name`: lower case, Punycode. */
export function domainHash(name: string): number {
  return keyedHash(KEY, name)
}

/** The table of `names`, at most NAMES_MAX; what stands there several times is of the kind that it has first. */
export function domainTable(names: readonly (readonly [string, DomainKind])[]): DomainTable {
  // Each hash before its position, in the 53 bits of a whole number.
  const sorted = Float64Array.from(names, ([name], at) => domainHash(name) * NAMES_MAX + at).sort()
  const hashes = new Uint32Array(sorted.length)
  const kinds = new Uint8Array(sorted.length)
  let count = 0
  for (const entry of sorted) {
    const hash = Math.floor(entry / NAMES_MAX)
    if (count > 0 && hashes[count - 1] === hash) continue
    hashes[count] = hash
    kinds[count] = DOMAIN_KINDS.indexOf(names[entry % NAMES_MAX]![1])
    count += 1
  }
  return indexed(hashes.subarray(0, count), kinds.subarray(0, count))
}

/** The table of `hashes`, ascending, with the kind of each. */
function indexed(hashes: Uint32Array, kinds: Uint8Array): DomainTable {
  const bucketBits = bucketBitsFor(hashes.length)
  const buckets = new Uint32Array(2 ** bucketBits + 1)
  let at = 0
  for (let bucket = 0; bucket < 2 ** bucketBits; bucket += 1) {
    buckets[bucket] = at
    while (at < hashes.length && hashes[at]! >>> (HASH_BITS - bucketBits) === bucket) at += 1
  }
  buckets[2 ** bucketBits] = at
  return { hashes, kinds, bucketBits, buckets }
}

/** How many upper bits of a hash tell the bucket in a table of `names`. */
export function bucketBitsFor(names: number): number {
  return Math.max(1, Math.floor(Math.log2(Math.max(1, names))))
}

/** The kind of `name` itself: lower case, Punycode. Undefined when it is in no list. */
export function kindOfName(table: DomainTable, name: string): DomainKind | undefined {
  const hash = domainHash(name)
  const bucket = hash >>> (HASH_BITS - table.bucketBits)
  const end = table.buckets[bucket + 1]!
  for (let at = table.buckets[bucket]!; at < end; at += 1) {
    if (table.hashes[at] === hash) return DOMAIN_KINDS[table.kinds[at]!]
  }
  return undefined
}

/**
 * The kind of `host`, whose registrable domain is `domain`: that of the longest name in the table
 * which it is or is below. What stands of docs.example.com does not hold for example.com.
 */
export function kindOfHost(
  table: DomainTable,
  host: string,
  domain: string,
): DomainKind | undefined {
  let name = host
  for (let labels = 0; labels < LABELS_MAX && name.length > domain.length; labels += 1) {
    const kind = kindOfName(table, name)
    if (kind !== undefined) return kind
    name = name.slice(name.indexOf('.') + 1)
  }
  return kindOfName(table, domain)
}

/** How often a name that is in no list is taken for one that is, for one look-up. */
export function falsePositiveRate({ hashes }: DomainTable): number {
  return hashes.length / 2 ** HASH_BITS
}
