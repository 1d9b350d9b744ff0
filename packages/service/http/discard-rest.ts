/**
 * Discards the rest of a body whose request was refused before all of it had arrived.
 *
 * Most clients send all of a body before they read the answer. If the connection were cut at once,
 * they would never see the refusal (RFC 9112, section 9.6). So the rest is read and thrown away, for as long as a request may
 * take to arrive.
 */
import type { IncomingMessage, ServerResponse } from 'node:http'
import { Socket } from 'node:net'

export function discardRest(request: IncomingMessage, response: ServerResponse): void {
  if (hasEnded(request)) return
  const { socket } = request
  // Node calls it when the last answer on a connection is written. Until the body has arrived only our half of the connection is
  // closed, so that the client learns that no other answer comes.
  socket.destroySoon = () => {
    socket.destroySoon = Socket.prototype.destroySoon
    if (hasEnded(request)) socket.destroySoon()
    else request.once('end', () => socket.destroySoon()).socket.end()
  }
  response.once('finish', () => request.resume())
}

function hasEnded({ complete, readableEnded, destroyed }: IncomingMessage): boolean {
  return complete || readableEnded || destroyed
}
