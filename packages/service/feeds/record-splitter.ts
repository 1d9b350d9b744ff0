/**
 * Cuts a stream of bytes into records, holding one record at a time.
 *
 * A record longer than RECORD_BYTES_MAX is dropped while it is read, so that neither a line of a gigabyte
 * nor an endless JSON object takes memory.
 */

/** Longest record. Entries of PhishTank in JSON have some 700 bytes, URLs of a few thousand included. */
export const RECORD_BYTES_MAX = 64 * 1024

/** Finds the end of the record that continues in `chunk` at `start`: the index after it, or -1 when the end is not in this chunk. May keep state between calls. */
export type EndFinder = (chunk: Buffer, start: number) => number

export class RecordSplitter {
  readonly #endOf: EndFinder
  readonly #take: (record: Buffer) => void
  #held: Buffer[] = []
  #heldBytes = 0
  /** Records dropped for their length. */
  dropped = 0

  constructor(endOf: EndFinder, take: (record: Buffer) => void) {
    this.#endOf = endOf
    this.#take = take
  }

  write(chunk: Buffer): void {
    let start = 0
    // Each round goes past at least one byte of the chunk.
    while (start < chunk.length) {
      const end = this.#endOf(chunk, start)
      this.#hold(chunk.subarray(start, end < 0 ? chunk.length : end))
      if (end < 0) return
      this.flush()
      start = end
    }
  }

  /** Emits what is held as a record. */
  flush(): void {
    if (this.#heldBytes > RECORD_BYTES_MAX) this.dropped += 1
    else if (this.#heldBytes > 0) {
      this.#take(this.#held.length === 1 ? this.#held[0]! : Buffer.concat(this.#held))
    }
    this.#held = []
    this.#heldBytes = 0
  }

  get isHolding(): boolean {
    return this.#heldBytes > 0
  }

  #hold(bytes: Buffer): void {
    this.#heldBytes += bytes.length
    if (this.#heldBytes > RECORD_BYTES_MAX) this.#held = []
    else this.#held.push(bytes)
  }
}
