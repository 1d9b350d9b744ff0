/** Loads one feed on a thread of its own, and ends: a million URLs take seconds of processor time that the thread that answers HTTP does not have. */
import { parentPort, workerData } from 'node:worker_threads'
import { type LoadedFeed, type LoadRequest, loadFeed } from './load.ts'
import { FeedRefusal, type RefusalDetails, type RefusalReason } from './refusal.ts'

/** Plain data, because an error loses its class between threads. */
export type LoadResult =
  | { readonly loaded: LoadedFeed }
  | { readonly refused: RefusalReason; readonly details: RefusalDetails }

try {
  const loaded = await loadFeed(workerData as LoadRequest)
  parentPort?.postMessage({ loaded } satisfies LoadResult)
} catch (error) {
  if (!(error instanceof FeedRefusal)) throw error
  const result: LoadResult = { refused: error.reason, details: error.details }
  parentPort?.postMessage(result)
}
