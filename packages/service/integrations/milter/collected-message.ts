/** A message that is arriving from the MTA: the service receives it as it does the body of a request (admission/receive.ts). */
import { PassThrough } from 'node:stream'
import type { Arriving, ReceivedBody, Receiver } from '../../admission/receive.ts'

/** Header fields are passed on together: each alone is small. */
const PIECE_BYTES = 16 * 1024

export type MilterReceiver = Pick<Receiver, 'receive' | 'messageBytesMax'>

export class CollectedMessage {
  readonly #bytesMax: number
  readonly #stream = new PassThrough()
  readonly #received: Promise<ReceivedBody>
  #pieces: Uint8Array[] = []
  #pieceBytes = 0
  /** Bytes kept. */
  length = 0
  /** True when the message was longer than what is kept. */
  isCut = false

  constructor(receiver: MilterReceiver) {
    this.#bytesMax = receiver.messageBytesMax
    this.#received = receiver.receive({ stream: this.#stream, declaredLength: undefined })
    // The judgement says why it was not received; what still comes is thrown away.
    this.#received.catch(() => this.#stream.resume())
  }

  get arriving(): Arriving {
    return { stream: this.#stream, declaredLength: undefined, received: this.#received }
  }

  /** Adds `chunk`, which is copied. Returns a promise, which never rejects, when that takes a while. */
  add(chunk: Uint8Array): Promise<void> | undefined {
    const room = this.#bytesMax - this.length
    if (chunk.length > room) this.isCut = true
    const kept = Uint8Array.prototype.slice.call(chunk, 0, room)
    if (kept.length === 0) return undefined
    this.length += kept.length
    this.#pieces.push(kept)
    this.#pieceBytes += kept.length
    return this.#pieceBytes < PIECE_BYTES ? undefined : this.#passOn()
  }

  /** No more comes. */
  end(): void {
    void this.#passOn()
    this.#stream.end()
  }

  /** Gives back everything that the message holds. */
  async release(): Promise<void> {
    this.#stream.destroy()
    const body = await this.#received.catch(() => undefined)
    await body?.[Symbol.asyncDispose]()
  }

  #passOn(): Promise<void> | undefined {
    const pieces = Buffer.concat(this.#pieces)
    this.#pieces = []
    this.#pieceBytes = 0
    if (pieces.length === 0 || this.#stream.destroyed || this.#stream.write(pieces))
      return undefined
    return new Promise((resolve) => {
      this.#stream.once('drain', resolve).once('close', () => resolve())
    })
  }
}
