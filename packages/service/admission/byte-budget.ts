/** How many bytes all bodies in memory may take together. */
export class ByteBudget {
  readonly #bytesMax: number
  #taken = 0

  constructor(bytesMax: number) {
    this.#bytesMax = bytesMax
  }

  get taken(): number {
    return this.#taken
  }

  /** Takes `bytes` from the budget; when there are not enough, takes nothing and returns false. */
  take(bytes: number): boolean {
    if (this.#taken + bytes > this.#bytesMax) return false
    this.#taken += bytes
    return true
  }

  giveBack(bytes: number): void {
    this.#taken -= bytes
  }
}

/**
 * A budget of bytes that senders of bodies share. A sender is a key, or an address while there is no key.
 *
 * Nobody may hold more than is then left for all others: the first gets half of the budget, the next half
 * of the rest. However many take all they can, something is left for the next one. A share of a fixed
 * size would be too small for the one mail server that most services have, or so large that a few
 * senders take everything.
 */
export class SharedBudget {
  readonly #bytesMax: number
  #taken = 0
  /** The bytes that each holder holds. */
  readonly #held = new Map<string, number>()

  constructor(bytesMax: number) {
    this.#bytesMax = bytesMax
  }

  get taken(): number {
    return this.#taken
  }

  /** Whether `holder` could take `bytes` now. */
  hasRoom(holder: string, bytes: number): boolean {
    const held = (this.#held.get(holder) ?? 0) + bytes
    return held <= this.#bytesMax - this.#taken - bytes
  }

  /** Takes `bytes` for `holder`; when there is no room, takes nothing and returns false. */
  take(holder: string, bytes: number): boolean {
    if (!this.hasRoom(holder, bytes)) return false
    this.#taken += bytes
    this.#held.set(holder, (this.#held.get(holder) ?? 0) + bytes)
    return true
  }

  giveBack(holder: string, bytes: number): void {
    this.#taken -= bytes
    const held = (this.#held.get(holder) ?? 0) - bytes
    if (held > 0) this.#held.set(holder, held)
    else this.#held.delete(holder)
  }
}
