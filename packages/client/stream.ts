/** A message that comes piece by piece, in the one form that `fetch` sends. */

/** A stream of the web, or of Node (`Readable`), or anything else that gives bytes piece by piece. */
export type ByteStream = ReadableStream<Uint8Array> | AsyncIterable<Uint8Array>

/** True for what can be read only once. */
export function isStream(body: object): body is ByteStream {
  return body instanceof ReadableStream || Symbol.asyncIterator in body
}

/**
 * `stream` as `fetch` takes it: read as fast as it is sent, and told when nobody wants the rest.
 *
 * @param failed is told what `stream` itself throws, which `fetch` would call a failure of the network.
 */
export function sendableStream(
  stream: ByteStream,
  failed: (reason: unknown) => void,
): ReadableStream<Uint8Array> {
  const pieces = piecesOf(stream)
  // What it throws while it ends is of no use to anybody.
  const end = () => void pieces.return?.().catch(() => {})
  return new ReadableStream({
    async pull(controller) {
      try {
        const { done, value } = await pieces.next()
        if (done) controller.close()
        else controller.enqueue(bytesOf(value))
      } catch (error) {
        end()
        failed(error)
        throw error
      }
    },
    cancel: end,
  })
}

function piecesOf(stream: ByteStream): AsyncIterator<Uint8Array> {
  // Not every browser can iterate its own streams.
  return stream instanceof ReadableStream ? read(stream) : stream[Symbol.asyncIterator]()
}

async function* read(stream: ReadableStream<Uint8Array>): AsyncGenerator<Uint8Array> {
  const reader = stream.getReader()
  try {
    for (;;) {
      const { done, value } = await reader.read()
      if (done) return
      yield value
    }
  } finally {
    await reader.cancel()
  }
}

function bytesOf(piece: unknown): Uint8Array {
  if (piece instanceof Uint8Array) return piece
  throw new TypeError(
    `A stream of a message must give Uint8Arrays; this one gave a ${typeof piece}`,
  )
}
