/** Which of the positions 0 … size - 1 belong together: union-find with path halving (Tarjan, 1975). */
export class DisjointSets {
  readonly #parents: Uint32Array

  constructor(size: number) {
    this.#parents = Uint32Array.from({ length: size }, (_, i) => i)
  }

  /** The smallest position of the set that `i` is in. */
  first(i: number): number {
    let at = i
    while (this.#parents[at] !== at) {
      this.#parents[at] = this.#parents[this.#parents[at]!]!
      at = this.#parents[at]!
    }
    return at
  }

  join(one: number, other: number): void {
    const [a, b] = [this.first(one), this.first(other)]
    this.#parents[Math.max(a, b)] = Math.min(a, b)
  }
}
