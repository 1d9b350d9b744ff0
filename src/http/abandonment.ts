/** Clients that leave before they have their answer. */
import type { ServerResponse } from 'node:http'

/** A signal that is aborted when the connection of `response` closes before the answer is out. */
export function abandonment(response: ServerResponse): AbortSignal {
  const left = new AbortController()
  response.once('close', () => {
    if (!response.writableFinished) left.abort()
  })
  return left.signal
}
