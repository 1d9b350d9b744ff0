/**
 * Deltas in shared memory that threads read while the next ones are written. A buffer that is
 * being read is never written to, so that no message is judged by half old, half new deltas.
 */
import type { Models } from '../models/models.ts'
import { type Deltas, zeroDeltas } from './deltas.ts'

interface Buffer {
  readonly deltas: Deltas
  readers: number
}

/** Deltas that do not change until the lease is disposed of. */
export interface DeltasLease extends Disposable {
  readonly deltas: Deltas
}

export class DeltaBuffers {
  readonly #base: Models
  /** Two, and one more for each that is read for longer than the next takes to come. */
  readonly #buffers: Buffer[] = []
  #current: Buffer | undefined

  /** For what is added to the weights of `base`. */
  constructor(base: Models) {
    this.#base = base
  }

  /** The deltas in use now; undefined for none. */
  lease(): DeltasLease | undefined {
    const buffer = this.#current
    if (buffer === undefined) return undefined
    buffer.readers++
    return {
      deltas: buffer.deltas,
      [Symbol.dispose]: () => {
        buffer.readers--
      },
    }
  }

  /** Makes what `write` writes the current deltas; it has to write every number. */
  async replace(write: (deltas: Deltas) => Promise<void>): Promise<void> {
    const free = this.#free()
    await write(free.deltas)
    this.#current = free
  }

  /** Leaves no deltas current. */
  clear(): void {
    this.#current = undefined
  }

  #free(): Buffer {
    const free = this.#buffers.find((each) => each !== this.#current && each.readers === 0)
    if (free !== undefined) return free
    const made: Buffer = { deltas: zeroDeltas(this.#base), readers: 0 }
    this.#buffers.push(made)
    return made
  }
}
