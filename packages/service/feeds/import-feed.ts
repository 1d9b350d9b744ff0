/** Imports a feed from a file that somebody has fetched, for machines without access to the Internet. */
import { copyFile } from 'node:fs/promises'
import { FeedFiles } from './feed-files.ts'
import { loadInThread } from './load-thread.ts'
import type { FeedSource } from './sources.ts'

export interface Imported {
  readonly entries: number
  /** Records that do not name a page with one owner. */
  readonly skipped: number
}

/**
 * Makes the feed in `path` that of `source`, also when it is smaller than the last one, since a person
 * chose it. A running service takes it into use within a minute or so.
 *
 * @throws FeedRefusal when it is not a feed; a system error when it cannot be read.
 */
export async function importFeed(
  path: string,
  source: FeedSource,
  folder: string,
  now: Date,
): Promise<Imported> {
  const files = await FeedFiles.open(folder, now)
  const part = files.partPath(source.id)
  try {
    await copyFile(path, part)
    // Nothing is looked up in this list, so its hashes need no secret key.
    const { list, sha256, skipped } = await loadInThread({
      path: part,
      feed: source.name,
      key: [0, 0],
      isWhole: true,
    })
    const { entries } = list
    await files.keep(source.id, part, {
      source: source.name,
      fetchedAt: now.toISOString(),
      entries,
      sha256,
    })
    return { entries, skipped }
  } finally {
    await files.discard(part)
  }
}
