/**
 * Messages over which an analysis thread has ended, in whichever process of the service: their header alone is judged
 * when they come again, so that sending one again and again does not keep ending threads.
 */
import { hash } from 'node:crypto'
import { type Siblings, topic } from '../siblings/siblings.ts'

/** How many are remembered, at 100 bytes each; the oldest leave. */
const REMEMBERED_MAX = 1_000

const DEADLY = topic<[name: string]>('deadly message')

export class DeadlyMessages {
  readonly #siblings: Siblings
  /** The oldest first. */
  readonly #names = new Set<string>()

  constructor(siblings: Siblings) {
    this.#siblings = siblings
    siblings.on(DEADLY, (name) => this.#remember(name))
  }

  has(name: string): boolean {
    return this.#names.has(name)
  }

  /** Remembers a message, and tells the other processes. */
  add(name: string): void {
    this.#remember(name)
    this.#siblings.tell(DEADLY, name)
  }

  #remember(name: string): void {
    this.#names.delete(name)
    this.#names.add(name)
    if (this.#names.size > REMEMBERED_MAX) this.#names.delete(this.#names.values().next().value!)
  }
}

/** The name of a message of `length` bytes with the header in `header`. One that differs only in its body is as suspect. */
export function nameOf(length: number, header: Uint8Array): string {
  return `${length} ${hash('sha256', header, 'base64')}`
}
