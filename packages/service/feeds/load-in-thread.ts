/** The thread that loads one feed: a million URLs take seconds of CPU, which the HTTP thread cannot spare. */
import { answerCalls } from '../threads/calls.ts'
import { type LoadedFeed, type LoadRequest, loadFeed } from './load.ts'
import { FeedRefusal, type RefusalDetails, type RefusalReason } from './refusal.ts'

/** The result as plain data, because a refusal loses its class between threads. */
export type LoadResult =
  | { readonly loaded: LoadedFeed }
  | { readonly refused: RefusalReason; readonly details: RefusalDetails }

export type LoadCalls = typeof CALLS

const CALLS = { load }

answerCalls(CALLS)

async function load(request: LoadRequest): Promise<LoadResult> {
  try {
    return { loaded: await loadFeed(request) }
  } catch (error) {
    if (!(error instanceof FeedRefusal)) throw error
    return { refused: error.reason, details: error.details }
  }
}
