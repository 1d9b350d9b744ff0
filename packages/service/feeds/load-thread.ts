/** This side of the thread that loads a feed (load-worker.ts): a request out, a list in shared memory back. */
import { Worker } from 'node:worker_threads'
import { workerModule } from '../../mail/worker-module.ts'
import type { LoadedFeed, LoadRequest } from './load.ts'
import type { LoadResult } from './load-worker.ts'
import { causeOf, FeedRefusal } from './refusal.ts'

/** JavaScript heap of the thread. A reader holds a chunk and a record; the young generation is what makes RSS grow. */
const HEAP_LIMITS = { maxOldGenerationSizeMb: 128, maxYoungGenerationSizeMb: 8 } as const

/** Twenty times what a million entries take. Stops a feed that a reader is slow at. */
const LOAD_TIMEOUT_MS = 2 * 60 * 1000

/** @throws FeedRefusal as `loadFeed`, and TIMEOUT, also when `signal` breaks it off. */
export async function loadInThread(
  request: LoadRequest,
  signal?: AbortSignal,
): Promise<LoadedFeed> {
  const worker = new Worker(workerModule(import.meta.url, 'load-worker'), {
    workerData: request,
    resourceLimits: HEAP_LIMITS,
    // What Node was started with (-e, --watch) is not for this thread.
    execArgv: [],
  })
  const end = () => void worker.terminate()
  const timer = setTimeout(end, LOAD_TIMEOUT_MS).unref()
  signal?.addEventListener('abort', end)
  if (signal?.aborted) end()
  try {
    const result = await firstMessage(worker)
    if ('loaded' in result) return result.loaded
    throw new FeedRefusal(result.refused, result.details)
  } finally {
    clearTimeout(timer)
    signal?.removeEventListener('abort', end)
    await worker.terminate()
  }
}

function firstMessage(worker: Worker): Promise<LoadResult> {
  return new Promise((resolve, reject) => {
    worker.once('message', resolve)
    worker.once('error', (error) => reject(new FeedRefusal('BROKEN', causeOf(error))))
    worker.once('exit', () => reject(new FeedRefusal('TIMEOUT')))
  })
}
