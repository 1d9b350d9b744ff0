/** A message that is arriving, in memory, within a bound of its own and one for all messages together. */
import { createInflate } from 'node:zlib'
import type { ByteBudget } from '../../admission/byte-budget.ts'
import { Refusal } from './response.ts'

/** First capacity: the most that one read of a socket gives. */
const FIRST_CAPACITY_BYTES = 64 * 1024

export interface BufferLimits {
  readonly budget: ByteBudget
  /** Largest message, in bytes. */
  readonly bytesMax: number
}

/** A buffer whose bytes count against the budget until `release`. */
export class MessageBuffer {
  readonly #limits: BufferLimits
  #bytes: Uint8Array<ArrayBuffer> = new Uint8Array(0)
  #length = 0
  #released = false

  constructor(limits: BufferLimits) {
    this.#limits = limits
  }

  get length(): number {
    return this.#length
  }

  get bytes(): Uint8Array<ArrayBuffer> {
    return this.#bytes.subarray(0, this.#length)
  }

  /** @throws Refusal EX_TOOBIG, EX_TEMPFAIL */
  add(chunk: Uint8Array): void {
    // Bytes that come too late must not take from the budget again.
    if (this.#released) throw new Refusal('EX_TIMEOUT', 'The request did not arrive in time')
    const length = this.#length + chunk.length
    if (length > this.#limits.bytesMax) {
      throw new Refusal('EX_TOOBIG', `The message is larger than ${this.#limits.bytesMax} bytes`)
    }
    if (length > this.#bytes.length) this.#grow(length)
    this.#bytes.set(chunk, this.#length)
    this.#length = length
  }

  release(): void {
    this.#released = true
    this.#limits.budget.giveBack(this.#bytes.length)
    this.#bytes = new Uint8Array(0)
    this.#length = 0
  }

  /** Doubles the capacity each time, so that nothing is copied more than twice. It is one buffer, so that single bytes do not take an object each. */
  #grow(length: number): void {
    const wanted = Math.max(length, 2 * this.#bytes.length, FIRST_CAPACITY_BYTES)
    const capacity = Math.min(wanted, Math.max(length, this.#limits.bytesMax))
    if (!this.#limits.budget.take(capacity - this.#bytes.length)) {
      throw new Refusal('EX_TEMPFAIL', 'Too many messages are being received at once')
    }
    const roomier = Buffer.allocUnsafeSlow(capacity)
    roomier.set(this.#bytes.subarray(0, this.#length))
    this.#bytes = roomier
  }
}

/**
 * Unpacks `packed` piece by piece: a few kilobytes may hold gigabytes, and the limits apply to the
 * unpacked bytes.
 *
 * @throws Refusal EX_DATAERR, EX_TOOBIG, EX_TEMPFAIL
 */
export async function inflated(packed: Uint8Array, limits: BufferLimits): Promise<MessageBuffer> {
  const inflate = createInflate()
  const message = new MessageBuffer(limits)
  inflate.end(packed)
  try {
    for await (const chunk of inflate) message.add(chunk as Uint8Array)
    return message
  } catch (error) {
    message.release()
    if (error instanceof Refusal) throw error
    throw new Refusal('EX_DATAERR', 'The message is not compressed with zlib, or is damaged', {
      cause: error,
    })
  } finally {
    inflate.destroy()
  }
}
