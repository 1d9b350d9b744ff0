/** What is known of senders and hosts: what comes with Tamis, and the operator's own list of domains. */
import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { open } from 'node:fs/promises'
import { pipeline } from 'node:stream/promises'
import { createGunzip } from 'node:zlib'
import { readKnowledge } from '../artifact-files/artifact-files.ts'
import { TamisError } from '../errors/errors.ts'
import { withKnownHashes } from '../mail/knowledge/domain-table.ts'
import type { Knowledge } from '../mail/knowledge/knowledge.ts'
import { KnownListReader } from '../mail/knowledge/known-list.ts'
import { systemFault } from '../terminal/system-fault.ts'

/** Bytes read at a time: some five thousand lines, a few milliseconds in which nothing else is done. */
const CHUNK_BYTES = 64 * 1024

/** RFC 1952 §2.3.1. */
const GZIP_MAGIC = 0x1f8b

/** Hexadecimal digits of a list's digest in the version. */
const DIGEST_DIGITS = 8

/**
 * What comes with Tamis and, as known, the domains of the list at `path`. A list of other domains gives
 * another version.
 *
 * @throws TamisError CONFIG_INVALID when the list cannot be read, ARTIFACT_MISMATCH.
 */
export async function openKnowledge(path: string | undefined): Promise<Knowledge> {
  const shipped = await readKnowledge()
  if (path === undefined) return shipped
  const hashes = await readKnownList(path)
  const digest = createHash('sha256').update(hashes).digest('hex').slice(0, DIGEST_DIGITS)
  return {
    ...shipped,
    version: `${shipped.version}+${digest}`,
    domains: withKnownHashes(shipped.domains, hashes),
  }
}

async function readKnownList(path: string): Promise<Uint32Array> {
  const reader = new KnownListReader(`TAMIS_KNOWN_DOMAINS, ${path}`)
  try {
    const isPacked = await isGzip(path)
    const file = createReadStream(path, { highWaterMark: CHUNK_BYTES })
    const read = async (chunks: AsyncIterable<Buffer>) => {
      for await (const chunk of chunks) reader.write(chunk)
    }
    if (isPacked) await pipeline(file, createGunzip({ chunkSize: CHUNK_BYTES }), read)
    else await pipeline(file, read)
  } catch (cause) {
    if (cause instanceof TamisError) throw cause
    throw new TamisError(
      'CONFIG_INVALID',
      `TAMIS_KNOWN_DOMAINS is "${path}", which cannot be read: ${systemFault(cause)}`,
      { cause },
    )
  }
  return reader.end()
}

async function isGzip(path: string): Promise<boolean> {
  const file = await open(path)
  try {
    const head = Buffer.alloc(2)
    await file.read(head, 0, head.length, 0)
    return head.readUInt16BE() === GZIP_MAGIC
  } finally {
    await file.close()
  }
}
