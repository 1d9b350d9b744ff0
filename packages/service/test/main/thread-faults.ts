/** Loaded into a service with `--import`: a serving thread that gets a request with the field X-Fault ends or hangs. */
import { subscribe } from 'node:diagnostics_channel'
import type { IncomingMessage } from 'node:http'
import { isMainThread } from 'node:worker_threads'

if (!isMainThread) {
  subscribe('http.server.request.start', (event) => {
    const { request } = event as { request: IncomingMessage }
    const fault = request.headers['x-fault']
    // When the request has come to its handler, and is not answered yet.
    process.nextTick(() => {
      if (fault === 'ends') process.exit(1)
      while (fault === 'hangs');
    })
  })
}
