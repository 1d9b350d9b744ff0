/**
 * Discards the rest of a body whose request was refused before all of it had arrived.
 *
 * Most clients send all of a body before they read the answer. If the connection were cut at once,
 * they would never see the refusal (RFC 9112, section 9.6). So the rest is read and thrown away, up
 * to a bound.
 */
import type { IncomingMessage, ServerResponse } from 'node:http'
import { Socket } from 'node:net'
import { ChunkPace } from '../admission/chunk-pace.ts'

/** The bound lets a message of the largest size arrive, but not an endless stream. */
const DISCARDED_BYTES_MAX = 64 * 1024 * 1024
const DISCARDING_MS_MAX = 10_000

/** Once `response` is written, reads `request` to its end, or cuts its connection at the bound. */
export function discardRest(request: IncomingMessage, response: ServerResponse): void {
  if (hasEnded(request)) return
  // Node itself discards a body that nobody has begun to read, and without a bound.
  request.read(0)
  closeAfterRest(request)
  response.once('finish', () => discard(request))
}

function hasEnded({ complete, readableEnded, destroyed }: IncomingMessage): boolean {
  return complete || readableEnded || destroyed
}

/**
 * Node closes the connection by `destroySoon` when its last answer is written. Until the body has
 * arrived only our half of it is closed, so that the client learns that no other answer comes.
 */
function closeAfterRest(request: IncomingMessage): void {
  const { socket } = request
  socket.destroySoon = () => {
    socket.destroySoon = Socket.prototype.destroySoon
    if (hasEnded(request)) socket.destroySoon()
    else socket.end()
  }
}

function discard(request: IncomingMessage): void {
  if (hasEnded(request)) return
  const { socket } = request
  let discardedBytes = 0
  // A request that does not come by the network (Fastify's inject) has something else there.
  const pace = new ChunkPace(socket instanceof Socket ? socket : undefined)
  const cut = () => request.destroy()
  const timer = setTimeout(cut, DISCARDING_MS_MAX).unref()
  request
    .on('data', (chunk: Buffer) => {
      discardedBytes += chunk.length
      if (discardedBytes > DISCARDED_BYTES_MAX || !pace.take(chunk.length)) cut()
    })
    .once('close', () => clearTimeout(timer))
    .once('end', () => {
      clearTimeout(timer)
      if (socket.writableEnded) socket.destroy()
    })
    .resume()
}
