/**
 * Discards the rest of a body whose request was refused before all of it had arrived.
 *
 * Most clients send all of a body before they read the answer. If the connection were cut at once,
 * they would never see the refusal (RFC 9112, section 9.6). So the rest is read and discarded, up to a bound.
 */
import type { IncomingMessage, ServerResponse } from 'node:http'
import { Socket } from 'node:net'

/** Lets a message of the largest size arrive, but not an endless stream. */
const DISCARDED_BYTES_MAX = 64 * 1024 * 1024

/** What a chunk counts besides its bytes: it costs as much. */
const CHUNK_BYTES = 1024

export function discardRest(request: IncomingMessage, response: ServerResponse): void {
  if (hasEnded(request)) return
  // Node itself discards a body that nobody has begun to read, and without a bound.
  request.read(0)
  const { socket } = request
  // Node calls it when the last answer on a connection is written. Until the body has arrived only our half of the connection is
  // closed, so that the client learns that no other answer comes.
  socket.destroySoon = () => {
    socket.destroySoon = Socket.prototype.destroySoon
    if (hasEnded(request)) socket.destroySoon()
    else request.once('end', () => socket.destroySoon()).socket.end()
  }
  let discarded = 0
  const count = ({ length }: Buffer) => {
    discarded += length + CHUNK_BYTES
    if (discarded > DISCARDED_BYTES_MAX) request.destroy()
  }
  response.once('finish', () => request.on('data', count).resume())
}

function hasEnded({ complete, readableEnded, destroyed }: IncomingMessage): boolean {
  return complete || readableEnded || destroyed
}
