/** A feed that is on disk (feed-files.ts): how it is loaded, and what the processes tell each other of it. */
import { randomBytes } from 'node:crypto'
import type { HashKey } from '../../mail/urls/keyed-hash.ts'
import { topic } from '../siblings/siblings.ts'
import type { FeedFiles, Manifest } from './feed-files.ts'
import type { LoadedFeed } from './load.ts'
import { loadInThread } from './load-thread.ts'
import { FeedRefusal, type RefusalReason } from './refusal.ts'
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

/** What is known of a feed, in the office, which downloads it, and in the server processes, which use it. */
export interface FeedStatus {
  readonly feed: string
  /** Entries of the feed in use; 0 while there is none. */
  readonly entries: number
  /** When the feed in use was fetched. */
  readonly fetchedAt?: Date
  /** When the source last gave a good feed or said that nothing has changed. */
  readonly lastSuccessAt?: Date
  /** Time since `lastSuccessAt`, or else since `fetchedAt`. */
  readonly ageMs?: number
  /** Why and when the last attempt failed; absent when it did not. */
  readonly lastFailure?: { readonly reason: RefusalReason; readonly at: Date }
  /** Undefined while an attempt is under way. */
  readonly nextAttemptAt?: Date
}

/** The same at any time. */
export type KnownOfFeed = Omit<FeedStatus, 'ageMs'>

/** Told by the office, after each attempt and when there is a feed to load. */
export const FEEDS_NEWS = topic<[feeds: readonly KnownOfFeed[]]>('feeds news')

/** Asks the office. */
export const FEEDS = topic<[], readonly KnownOfFeed[]>('feeds')

export function withAge(known: KnownOfFeed, now: Date): FeedStatus {
  const good = known.lastSuccessAt ?? known.fetchedAt
  return { ...known, ...(good && { ageMs: Math.max(0, now.getTime() - good.getTime()) }) }
}
