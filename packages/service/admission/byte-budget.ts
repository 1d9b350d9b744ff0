/** How many bytes all bodies in memory may take together. */
export interface Budget {
  /** Takes `bytes` from the budget; when there are not enough, takes nothing and returns false. */
  take(bytes: number): boolean
  giveBack(bytes: number): void
}

/** For a single thread. */
export class ByteBudget implements Budget {
  readonly #bytesMax: number
  #taken = 0

  constructor(bytesMax: number) {
    this.#bytesMax = bytesMax
  }

  get taken(): number {
    return this.#taken
  }

  take(bytes: number): boolean {
    if (this.#taken + bytes > this.#bytesMax) return false
    this.#taken += bytes
    return true
  }

  giveBack(bytes: number): void {
    this.#taken -= bytes
  }
}
