/**
 * Looks up names of HTML where they stand in the source, in any case (ASCII): elements and attributes. A
 * Map would need each name cut out of the source and hashed, which took longer than reading the tag.
 */

/** Slots for each name, so that nearly every look-up ends at the first. */
const SLOTS_PER_NAME = 8

export class NameTable<Value> {
  /** Names and values by slot; a name whose slot is taken has the next free one. */
  readonly #names: (string | undefined)[]
  readonly #values: (Value | undefined)[]
  readonly #mask: number

  /** Names are in lower case and have letters, digits, hyphens and colons only. */
  constructor(entries: ReadonlyMap<string, Value>) {
    const slots = 2 ** Math.ceil(Math.log2(entries.size * SLOTS_PER_NAME))
    this.#mask = slots - 1
    this.#names = new Array(slots).fill(undefined)
    this.#values = new Array(slots).fill(undefined)
    for (const [name, value] of entries) {
      let slot = hashOf(name, 0, name.length) & this.#mask
      while (this.#names[slot] !== undefined) slot = (slot + 1) & this.#mask
      this.#names[slot] = name
      this.#values[slot] = value
    }
  }

  /** The value of the name that stands in `source` from `start` to `end`. */
  find(source: string, start: number, end: number): Value | undefined {
    let slot = hashOf(source, start, end) & this.#mask
    for (;;) {
      const name = this.#names[slot]
      if (name === undefined) return undefined
      if (isSpelled(name, source, start, end)) return this.#values[slot]
      slot = (slot + 1) & this.#mask
    }
  }
}

/** Sets a letter to lower case, and changes no digit, hyphen or colon. */
const LOWER = 0x20

function hashOf(source: string, start: number, end: number): number {
  let hash = 0
  for (let at = start; at < end; at++) {
    hash = Math.imul(hash, 31) + (source.charCodeAt(at) | LOWER)
  }
  return hash ^ (hash >>> 9)
}

function isSpelled(name: string, source: string, start: number, end: number): boolean {
  if (name.length !== end - start) return false
  for (let at = 0; at < name.length; at++) {
    if ((source.charCodeAt(start + at) | LOWER) !== name.charCodeAt(at)) return false
  }
  return true
}
