/** What is known of the world's senders and hosts: facts that no message tells by itself. */

import { createHash } from 'node:crypto'
import { TamisError } from '../../errors/errors.ts'
import { type Shaped, shaped } from '../manifest.ts'
import { bucketBitsFor, DOMAIN_KINDS, type DomainTable } from './domain-table.ts'
import type { NetworkTable } from './network-table.ts'

/** In the service over shared memory, so that every thread reads one copy. */
export interface Knowledge {
  /** Of the artifact, for logs: '2026.11.1'. */
  readonly version: string
  readonly domains: DomainTable
  /** Of mailing services and large mailbox providers. */
  readonly networks: NetworkTable
}

/**
 * Knowledge as files: `manifest.json`, which says what it is and where it comes from, and `table.bin`, which is
 * used where it lies in memory: little-endian 32-bit integers (the numbers of names and networks, the hashes of
 * all names, their buckets, the first and the last addresses of all networks), and the kind of each name as a byte.
 */

const KNOWLEDGE = {
  name: 'string',
  version: 'string',
  /** How hashes are made and where they stand; raised when that changes. */
  layout: 'string',
  /** Each file that it was made from. */
  sources: { '*': { entries: 'number', date: 'string', licence: 'string', sha256: 'string' } },
  /** Names of each kind. */
  domains: { '*': 'number' },
  networks: 'number',
  /** How often a name in no list is taken for one that is, for one look-up. */
  falsePositiveRate: 'number',
  table: { names: 'number', sha256: 'string' },
} as const

export type KnowledgeManifest = Shaped<typeof KNOWLEDGE>

export const LAYOUT = 'half-sip-32-2'

const WORD_BYTES = 4
const ADDRESS_WORDS = 4

/** Words at the beginning: how many names and networks there are. */
const HEAD_WORDS = 2

/** The digest by which a manifest knows its `table.bin`. */
export function knowledgeDigest(table: Uint8Array): string {
  return createHash('sha256').update(table).digest('hex')
}

/** `table.bin`, in memory that threads share. */
export function encodeKnowledge({
  domains,
  networks,
}: Pick<Knowledge, 'domains' | 'networks'>): SharedArrayBuffer {
  const counts = [domains.hashes.length, networks.starts.length / ADDRESS_WORDS] as const
  const memory = new SharedArrayBuffer(placesOf(...counts).bytes)
  new Uint32Array(memory, 0, HEAD_WORDS).set(counts)
  const view = knowledgeIn(memory)
  view.domains.hashes.set(domains.hashes)
  view.domains.buckets.set(domains.buckets)
  view.domains.kinds.set(domains.kinds)
  view.networks.starts.set(networks.starts)
  view.networks.ends.set(networks.ends)
  return memory
}

/**
 * What an artifact holds.
 *
 * @param table that has the digest of the manifest.
 * @throws TamisError ARTIFACT_MISMATCH when the manifest is malformed or of another table.
 */
export function knowledgeFromArtifact(content: unknown, table: ArrayBufferLike): Knowledge {
  const { version, layout, table: its, networks } = shaped(KNOWLEDGE, content, 'known-domains')
  if (layout !== LAYOUT || table.byteLength !== placesOf(its.names, networks).bytes) {
    throw new TamisError(
      'ARTIFACT_MISMATCH',
      `known-domains has not the layout ${LAYOUT} or not the size that its manifest says`,
    )
  }
  return { version, ...knowledgeIn(table) }
}

/** The tables in the bytes of a `table.bin`. */
export function knowledgeIn(table: ArrayBufferLike): Omit<Knowledge, 'version'> {
  const [names = 0, networks = 0] = new Uint32Array(table, 0, HEAD_WORDS)
  const places = placesOf(names, networks)
  const words = (from: number, count: number) => new Uint32Array(table, from * WORD_BYTES, count)
  return {
    domains: {
      hashes: words(HEAD_WORDS, names),
      kinds: new Uint8Array(table, places.kinds * WORD_BYTES, names),
      bucketBits: bucketBitsFor(names),
      buckets: words(places.buckets, places.starts - places.buckets),
    },
    networks: {
      starts: words(places.starts, places.ends - places.starts),
      ends: words(places.ends, places.kinds - places.ends),
    },
  }
}

/** Where each table begins, in words, and the length of all in bytes. */
function placesOf(names: number, networks: number) {
  const buckets = HEAD_WORDS + names
  const starts = buckets + 2 ** bucketBitsFor(names) + 1
  const ends = starts + ADDRESS_WORDS * networks
  const kinds = ends + ADDRESS_WORDS * networks
  return { buckets, starts, ends, kinds, bytes: kinds * WORD_BYTES + names }
}

/** Names of each kind in `table`. */
export function countsByKind({ kinds }: DomainTable): Record<string, number> {
  return Object.fromEntries(
    DOMAIN_KINDS.map((kind, at) => [kind, kinds.filter((it) => it === at).length]),
  )
}
