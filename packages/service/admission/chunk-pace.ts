/**
 * How finely a body may be cut, and when others have their turn.
 *
 * Node hands each chunk of a body to JavaScript by itself. One read of a socket brings up to
 * 10,900 chunks of a byte, which take as long as some hundred requests, and a connection that
 * never runs dry gets 32 reads before anybody else is looked at. So after some hundred chunks
 * a connection waits for the others, and one that goes on with tiny chunks is refused.
 */
import type { Socket } from 'node:net'

/** Chunks that may be of any size: of a message of so many lines each may be a chunk. */
const CHUNKS_FREE = 10_000

/** Beyond these the mean size of chunks, in bytes: lines of base64, which are most of a large message, have 78. */
const CHUNK_BYTES_MIN = 64

/** Chunks that a connection brings before others have their turn: 256 take about a millisecond. */
const CHUNKS_A_TURN = 256

export class ChunkPace {
  readonly #socket: Socket | undefined
  #chunks = 0
  #bytes = 0
  #chunksThisTurn = 0

  /** @param socket that the body comes on; undefined where it comes from elsewhere. */
  constructor(socket: Socket | undefined) {
    this.#socket = socket
  }

  /** Counts a chunk; false once there are too many for what they hold. */
  take(bytes: number): boolean {
    this.#chunks++
    this.#bytes += bytes
    if (++this.#chunksThisTurn === CHUNKS_A_TURN) this.#letOthers()
    return (this.#chunks - CHUNKS_FREE) * CHUNK_BYTES_MIN <= this.#bytes
  }

  /** Reads no more until all others that have something to read have been looked at. */
  #letOthers(): void {
    this.#socket?.pause()
    setImmediate(() => {
      this.#chunksThisTurn = 0
      this.#socket?.resume()
    })
  }
}
