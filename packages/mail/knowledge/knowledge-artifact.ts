/**
 * Knowledge as files: `manifest.json`, which says what it is and where it comes from, and `table.bin`:
 * the hashes of all names as little-endian 32-bit integers, the kind of each as a byte, and the first and
 * last addresses of all networks as 32-bit integers. Reading checks the digest: files that do not
 * belong together are refused.
 */
import { createHash } from 'node:crypto'
import { type Static, Type } from 'typebox'
import { Value } from 'typebox/value'
import { TamisError } from '../../errors/errors.ts'
import { DOMAIN_KINDS, type DomainTable, indexed } from './domain-table.ts'
import type { Knowledge } from './knowledge.ts'
import { type NetworkTable, networksFrom } from './network-table.ts'

export const KnowledgeManifest = Type.Object({
  name: Type.String(),
  version: Type.String(),
  /** How hashes are made; raised when that changes. */
  layout: Type.Literal('half-sip-32-1'),
  /** Each file that it was made from. */
  sources: Type.Record(
    Type.String(),
    Type.Object({
      entries: Type.Integer(),
      date: Type.String(),
      licence: Type.String(),
      sha256: Type.String(),
    }),
  ),
  /** Names of each kind. */
  domains: Type.Record(Type.String(), Type.Integer()),
  networks: Type.Integer(),
  /** How often a name in no list is taken for one that is, for one look-up. */
  falsePositiveRate: Type.Number(),
  table: Type.Object({ names: Type.Integer(), sha256: Type.String() }),
})

export type KnowledgeManifest = Static<typeof KnowledgeManifest>

const HASH_BYTES = 4
const KIND_BYTES = 1
/** A first and a last address of four words. */
const NETWORK_BYTES = 2 * 4 * 4

/** `table.bin`. */
export function encodeKnowledge({ domains, networks }: Omit<Knowledge, 'version'>): Uint8Array {
  const words = [domains.hashes, networks.starts, networks.ends].map(littleEndian)
  return Buffer.concat([words[0]!, domains.kinds, words[1]!, words[2]!])
}

/** The digest by which a manifest knows its `table.bin`. */
export function knowledgeDigest(table: Uint8Array): string {
  return createHash('sha256').update(table).digest('hex')
}

/**
 * What `table` holds, as its `manifest` says.
 *
 * @throws TamisError ARTIFACT_MISMATCH when the manifest is malformed or of another table.
 */
export function knowledgeFromArtifact(manifest: unknown, table: Uint8Array): Knowledge {
  if (!Value.Check(KnowledgeManifest, manifest)) {
    const [first] = Value.Errors(KnowledgeManifest, manifest)
    throw new TamisError(
      'ARTIFACT_MISMATCH',
      `The manifest of known-domains is malformed at ${first?.instancePath ?? '/'}: ${first?.message ?? ''}`,
    )
  }
  const { names } = manifest.table
  const bytes = names * (HASH_BYTES + KIND_BYTES) + manifest.networks * NETWORK_BYTES
  if (table.length !== bytes || knowledgeDigest(table) !== manifest.table.sha256) {
    throw new TamisError(
      'ARTIFACT_MISMATCH',
      'table.bin of known-domains is not the file its manifest describes',
    )
  }
  return {
    version: manifest.version,
    domains: readDomains(table, names),
    networks: readNetworks(table, names * (HASH_BYTES + KIND_BYTES), manifest.networks),
  }
}

/** Names of each kind in `table`. */
export function countsByKind({ kinds }: DomainTable): Record<string, number> {
  return Object.fromEntries(
    DOMAIN_KINDS.map((kind, at) => [kind, kinds.filter((it) => it === at).length]),
  )
}

function readDomains(table: Uint8Array, names: number): DomainTable {
  const kinds = table.slice(names * HASH_BYTES, names * (HASH_BYTES + KIND_BYTES))
  return indexed(wordsAt(table, 0, names), kinds)
}

function readNetworks(table: Uint8Array, start: number, networks: number): NetworkTable {
  const words = wordsAt(table, start, (networks * NETWORK_BYTES) / HASH_BYTES)
  return networksFrom(words.subarray(0, words.length / 2), words.subarray(words.length / 2))
}

function wordsAt(bytes: Uint8Array, start: number, count: number): Uint32Array {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  return Uint32Array.from({ length: count }, (_, i) => view.getUint32(start + i * HASH_BYTES, true))
}

function littleEndian(words: Uint32Array): Uint8Array {
  const bytes = new Uint8Array(words.length * HASH_BYTES)
  const view = new DataView(bytes.buffer)
  words.forEach((word, i) => {
    view.setUint32(i * HASH_BYTES, word, true)
  })
  return bytes
}
