/** A feed on disk -> a feed in shared memory, on a thread of its own that ends with it: a million URLs take seconds of CPU. */
import { moduleBeside } from '../../mail/module-beside.ts'
import { Thread } from '../threads/thread.ts'
import type { LoadCalls, LoadedFeed, LoadRequest } from './load-in-thread.ts'
import { causeOf, FeedRefusal } from './refusal.ts'

/** JavaScript heap of the thread. A reader holds a chunk and a record. */
const HEAP_LIMITS = { maxOldGenerationSizeMb: 128, maxYoungGenerationSizeMb: 8 } as const

/** Twenty times what a million entries take. Stops a feed that takes a reader very long. */
const LOAD_TIMEOUT_MS = 2 * 60 * 1000

/** @throws FeedRefusal as `readFeed` does, and TIMEOUT, also when `signal` aborts it. */
export async function loadFeed(request: LoadRequest, signal?: AbortSignal): Promise<LoadedFeed> {
  if (signal?.aborted) throw new FeedRefusal('TIMEOUT')
  const thread = new Thread<LoadCalls>({
    module: moduleBeside(import.meta.url, 'load-in-thread'),
    workerData: undefined,
    resourceLimits: HEAP_LIMITS,
    endedBy: (cause) =>
      cause === undefined ? new FeedRefusal('TIMEOUT') : new FeedRefusal('BROKEN', causeOf(cause)),
  })
  const end = () => void thread.end()
  const timer = setTimeout(end, LOAD_TIMEOUT_MS).unref()
  signal?.addEventListener('abort', end)
  try {
    const result = await thread.call('load', request)
    if ('memory' in result) return result
    throw new FeedRefusal(result.refused, result.details)
  } catch (error) {
    throw error instanceof FeedRefusal ? error : new FeedRefusal('BROKEN', causeOf(error))
  } finally {
    clearTimeout(timer)
    signal?.removeEventListener('abort', end)
    await thread.close()
  }
}
