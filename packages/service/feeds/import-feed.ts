/** A feed from a file that somebody has fetched, put where a service finds it: for machines without a way to the Internet. */
import { copyFile } from 'node:fs/promises'
import { FeedFiles } from './feed-files.ts'
import { loadInThread } from './load-thread.ts'
import type { FeedSource } from './sources.ts'

export interface Imported {
  readonly entries: number
  /** Records that name no page of one owner. */
  readonly skipped: number
}

/**
 * Makes the feed in `path` the one of `source`, also when it is smaller than the last one: whoever
 * imports has seen it. A running service takes it into use within a minute or so.
 *
 * @throws FeedRefusal when it is no feed; a system error when it cannot be read.
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
    // The list is not looked into here, so that its hashes need no secret key.
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
