/**
 * The rest of a body whose request has been refused while it was still on its way.
 *
 * Most clients send all of a body before they read the answer, so cutting the connection at
 * once would lose them the refusal. What still comes is read and thrown away, up to a bound.
 */
import type { IncomingMessage } from 'node:http'
import { ChunkPace } from '../admission/chunk-pace.ts'

/** A message of the largest size has room to arrive; a stream without end has not. */
const DISCARDED_BYTES_MAX = 64 * 1024 * 1024
const DISCARDING_MS_MAX = 10_000

/** Reads `request` to its end, or cuts its connection at the bound. */
export function discardRest(request: IncomingMessage): void {
  if (request.complete || request.readableEnded || request.destroyed) return
  let discardedBytes = 0
  const pace = new ChunkPace(request.socket)
  const cut = () => request.destroy()
  const timer = setTimeout(cut, DISCARDING_MS_MAX).unref()
  request
    .on('data', (chunk: Buffer) => {
      discardedBytes += chunk.length
      if (discardedBytes > DISCARDED_BYTES_MAX || !pace.take(chunk.length)) cut()
    })
    .once('close', () => clearTimeout(timer))
    .once('end', () => clearTimeout(timer))
    .resume()
}
