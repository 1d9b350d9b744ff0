/**
 * How small the chunks of a body may be, and when other connections get their turn.
 *
 * Node hands each chunk of a body to JavaScript separately. One read of a socket brings up to 10,900
 * chunks of a byte, which take as long as some hundred requests, and a connection that always has data
 * gets 32 reads of 64 KiB before any other is looked at. So after some hundred chunks, and in a large body after
 * each read, a connection waits for the others, and one that goes on with tiny chunks is refused.
 */
import type { Socket } from 'node:net'

/** Chunks that may have any size: each line of a message with this many lines may be a chunk. */
const CHUNKS_FREE = 10_000

/** The least mean size of chunks beyond these, in bytes: lines of base64, which make up most of a large message, have 78. */
const CHUNK_BYTES_MIN = 64

/** Chunks taken from a connection before others get their turn: 256 take about a millisecond. */
const CHUNKS_A_TURN = 256

/** Bytes that are read as they come: messages of 200 KB that waited for others between reads took a sixth more CPU time. */
const BYTES_FREE = 256 * 1024

/** Bytes beyond these that are taken from a connection before others get their turn: one read. */
const BYTES_A_TURN = 64 * 1024

export class ChunkPace {
  readonly #socket: Socket | undefined
  #chunks = 0
  #bytes = 0
  #chunksThisTurn = 0
  #bytesThisTurn = 0
  #letsOthers = false

  /** @param socket the socket that the body comes on; undefined when it comes from elsewhere. */
  constructor(socket: Socket | undefined) {
    this.#socket = socket
  }

  /** Counts a chunk; false once there are too many for the bytes they hold. */
  take(bytes: number): boolean {
    this.#chunks++
    this.#bytes += bytes
    this.#chunksThisTurn++
    if (this.#bytes > BYTES_FREE) this.#bytesThisTurn += bytes
    const isOver = this.#chunksThisTurn >= CHUNKS_A_TURN || this.#bytesThisTurn >= BYTES_A_TURN
    if (isOver && !this.#letsOthers) this.#letOthers()
    return (this.#chunks - CHUNKS_FREE) * CHUNK_BYTES_MIN <= this.#bytes
  }

  /** Stops reading until all other sockets with data have been looked at. */
  #letOthers(): void {
    this.#letsOthers = true
    this.#socket?.pause()
    setImmediate(() => {
      this.#letsOthers = false
      this.#chunksThisTurn = 0
      this.#bytesThisTurn = 0
      this.#socket?.resume()
    })
  }
}
