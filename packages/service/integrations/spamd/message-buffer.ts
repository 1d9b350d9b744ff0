/** A message that is arriving, in memory, within a bound of its own and one for all messages together. */
import { createInflate } from 'node:zlib'
import type { Budget } from '../../admission/byte-budget.ts'
import { GrowingBytes } from '../../admission/growing-bytes.ts'
import { Refusal } from './response.ts'

/** First capacity: the most that one read of a socket gives. */
const FIRST_CAPACITY_BYTES = 64 * 1024

export interface BufferLimits {
  readonly budget: Budget
  /** Largest message, in bytes. */
  readonly bytesMax: number
}

/** A buffer whose bytes count against the budget until `release`. */
export class MessageBuffer {
  readonly #limits: BufferLimits
  readonly #received: GrowingBytes
  #released = false

  constructor(limits: BufferLimits) {
    this.#limits = limits
    this.#received = new GrowingBytes(FIRST_CAPACITY_BYTES, limits.budget, limits.bytesMax)
  }

  get length(): number {
    return this.#received.length
  }

  get bytes(): Uint8Array<ArrayBuffer> {
    return this.#received.bytes
  }

  /** @throws Refusal EX_TOOBIG, EX_TEMPFAIL */
  add(chunk: Uint8Array): void {
    // Bytes that come too late must not take from the budget again.
    if (this.#released) throw new Refusal('EX_TIMEOUT', 'The request did not arrive in time')
    if (this.length + chunk.length > this.#limits.bytesMax) {
      throw new Refusal('EX_TOOBIG', `The message is larger than ${this.#limits.bytesMax} bytes`)
    }
    if (!this.#received.add(chunk)) {
      throw new Refusal('EX_TEMPFAIL', 'Too many messages are being received at once')
    }
  }

  release(): void {
    this.#released = true
    this.#received.release()
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
