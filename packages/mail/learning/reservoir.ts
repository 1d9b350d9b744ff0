/**
 * A bounded sample of all corrections so far, each as likely to be in it as any other.
 * Algorithm R (Vitter, ACM TOMS 11, 1985). Its random numbers, in [0, 1), are arguments.
 */
export class Reservoir<T> {
  readonly #capacity: number
  readonly #items: T[] = []
  #seen = 0

  constructor(capacity: number) {
    this.#capacity = capacity
  }

  add(item: T, chance: number): void {
    this.#seen++
    if (this.#items.length < this.#capacity) {
      this.#items.push(item)
      return
    }
    const place = Math.floor(chance * this.#seen)
    if (place < this.#capacity) this.#items[place] = item
  }

  /** One item for each random number, drawn with replacement; none from an empty reservoir. */
  draw(chances: readonly number[]): T[] {
    if (this.#items.length === 0) return []
    return chances.map((chance) => this.#items[Math.floor(chance * this.#items.length)]!)
  }
}
