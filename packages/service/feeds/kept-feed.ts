/** Loads a feed that is on disk (feed-files.ts). */
import { randomBytes } from 'node:crypto'
import type { HashKey } from '../../mail/urls/keyed-hash.ts'
import type { FeedFiles, Manifest } from './feed-files.ts'
import type { LoadedFeed } from './load.ts'
import { loadInThread } from './load-thread.ts'
import { FeedRefusal } from './refusal.ts'
import type { FeedSource } from './sources.ts'

export interface KeptFeed {
  readonly loaded: LoadedFeed
  readonly manifest: Manifest
}

/** The key of a process: who writes a feed cannot make its entries collide. */
export function newHashKey(): HashKey {
  const random = randomBytes(8)
  return [random.readUInt32LE(0), random.readUInt32LE(4)]
}

/**
 * The feed of `source` that is on disk; undefined if there is none, or if it is the one in use.
 *
 * @throws FeedRefusal DAMAGED when it is not what was written; TIMEOUT, also when `signal` aborts it; FILE.
 */
export async function loadKept(
  files: FeedFiles,
  { id, name }: FeedSource,
  inUse: Manifest | undefined,
  key: HashKey,
  signal: AbortSignal,
): Promise<KeptFeed | undefined> {
  const manifest = await files.manifest(id)
  if (manifest === 'damaged') throw new FeedRefusal('DAMAGED')
  if (manifest === undefined || manifest.sha256 === inUse?.sha256) return undefined
  const request = { path: files.pathOf(manifest), feed: name, key, isWhole: true }
  const loaded = await loadInThread(request, signal)
  if (loaded.sha256 !== manifest.sha256) throw new FeedRefusal('DAMAGED')
  return { loaded, manifest }
}
