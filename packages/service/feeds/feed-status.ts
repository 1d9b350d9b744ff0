/** What is known of a feed, in the office, which downloads it, and in the server processes, which use it. */
import { topic } from '../siblings/siblings.ts'
import type { RefusalReason } from './refusal.ts'

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
