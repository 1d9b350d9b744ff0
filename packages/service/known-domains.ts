/** What is known of senders and hosts: what comes with Tamis, and the operator's own list of domains. */
import { createReadStream } from 'node:fs'
import { open, stat } from 'node:fs/promises'
import { pipeline } from 'node:stream/promises'
import { createGunzip } from 'node:zlib'
import { type Memory, readKnowledge } from '../artifact-files/artifact-files.ts'
import { TamisError } from '../errors/errors.ts'
import { withKnownHashes } from '../mail/knowledge/domain-table.ts'
import { encodeKnowledge, type Knowledge, knowledgeIn } from '../mail/knowledge/knowledge.ts'
import { KnownListReader } from '../mail/knowledge/known-list.ts'
import { systemFault } from '../terminal/system-fault.ts'

/** Bytes read at a time: some five thousand lines, a few milliseconds in which nothing else is done. */
const CHUNK_BYTES = 64 * 1024

/** RFC 1952 §2.3.1. */
const GZIP_MAGIC = 0x1f8b

/**
 * What comes with Tamis and, as known, the domains of the list at `path`. Threads share one table as long as the list is
 * the same file.
 *
 * @throws TamisError CONFIG_INVALID when the list cannot be read, ARTIFACT_MISMATCH.
 */
export async function openKnowledge(path: string | undefined, shared?: Memory): Promise<Knowledge> {
  if (path === undefined) return await readKnowledge(shared)
  const { mtimeMs, size } = await stat(path).catch((cause: unknown) => {
    throw unreadable(path, cause)
  })
  const shipped = await readKnowledge()
  const version = `${shipped.version}+${mtimeMs}.${size}`
  const make = async () => {
    const hashes = await readKnownList(path)
    return encodeKnowledge({ ...shipped, domains: withKnownHashes(shipped.domains, hashes) })
  }
  const memory = (await shared?.memory(`known-domains ${version} ${path}`, make)) ?? (await make())
  return { version, ...knowledgeIn(memory) }
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
    throw unreadable(path, cause)
  }
  return reader.end()
}

function unreadable(path: string, cause: unknown): TamisError {
  return new TamisError(
    'CONFIG_INVALID',
    `TAMIS_KNOWN_DOMAINS is "${path}", which cannot be read: ${systemFault(cause)}`,
    { cause },
  )
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
