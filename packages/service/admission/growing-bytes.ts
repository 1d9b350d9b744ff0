/**
 * Bytes that arrive chunk by chunk, in one buffer: in a list, chunks of one byte would take an object each.
 * The capacity doubles each time, so that nothing is copied more than twice.
 */
import type { Budget } from './byte-budget.ts'

const NOTHING: Buffer<ArrayBuffer> = Buffer.alloc(0)

export class GrowingBytes {
  readonly #firstCapacity: number
  readonly #budget: Budget | undefined
  readonly #capacityMax: number
  #buffer = NOTHING
  #length = 0

  /**
   * @param budget what the capacity counts against until `release`, in bytes.
   * @param capacityMax the capacity for bytes yet to come never passes it.
   */
  constructor(firstCapacity: number, budget?: Budget, capacityMax = Number.POSITIVE_INFINITY) {
    this.#firstCapacity = firstCapacity
    this.#budget = budget
    this.#capacityMax = capacityMax
  }

  get length(): number {
    return this.#length
  }

  /** Valid until more are added. */
  get bytes(): Buffer<ArrayBuffer> {
    return this.#buffer.subarray(0, this.#length)
  }

  /** Adds `chunk`; when the budget has no room for it, adds nothing and returns false. */
  add(chunk: Uint8Array): boolean {
    const length = this.#length + chunk.length
    if (length > this.#buffer.length && !this.#grow(length)) return false
    this.#buffer.set(chunk, this.#length)
    this.#length = length
    return true
  }

  /** Makes `rest`, which may be a part of the bytes, all of them. */
  keep(rest: Uint8Array): boolean {
    this.#length = 0
    return this.add(rest)
  }

  /** Drops the bytes, and gives them back to the budget. */
  release(): void {
    this.#budget?.giveBack(this.#buffer.length)
    this.#buffer = NOTHING
    this.#length = 0
  }

  #grow(length: number): boolean {
    const wanted = Math.max(2 * this.#buffer.length, this.#firstCapacity)
    const capacity = Math.max(length, Math.min(wanted, this.#capacityMax))
    if (this.#budget?.take(capacity - this.#buffer.length) === false) return false
    const roomier = Buffer.allocUnsafeSlow(capacity)
    roomier.set(this.bytes)
    this.#buffer = roomier
    return true
  }
}
