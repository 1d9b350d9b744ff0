/**
 * Discards the rest of a body whose request was refused before all of it had arrived.
 *
 * Most clients send all of a body before they read the answer. If the connection were cut at once,
 * they would never see the refusal. So the rest is read and thrown away, up to a bound.
 */
import type { IncomingMessage } from 'node:http'
import { ChunkPace } from '../admission/chunk-pace.ts'

/** The bound lets a message of the largest size arrive, but not an endless stream. */
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
