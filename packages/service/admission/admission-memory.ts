/**
 * What the serving threads of a process know together of requests, in memory that they share: how many wait, how many bytes their
 * bodies take, and over which messages a thread has ended.
 *
 * A thread also keeps what it has taken in a row of its own, and the message that it analyses: when it ends, or is ended
 * because it hangs, the main thread gives back what it had and remembers the message (threadEnded).
 */
import { hash } from 'node:crypto'
import { threadId } from 'node:worker_threads'
import type { Octets } from '../../mail/message/octets.ts'
import type { Shared } from '../threads/shared.ts'
import type { Budget } from './byte-budget.ts'
import type { WaitingCount } from './queue.ts'

/** The name of the memory. */
export const ADMISSION = 'admission'

/** Serving threads: 256 at most, and as many that take over from them. */
const THREADS_MAX = 512

/** The columns of a row. The owner is the id of the thread plus one, 0 for none. The first row has the sums. */
const COLUMNS = { owner: 0, waiting: 1, memoryBytes: 2, fileBytes: 3, analysedBytes: 4 } as const
const ROW_LENGTH = 5
const ROWS = THREADS_MAX + 1

type Counted = 'waiting' | 'memoryBytes' | 'fileBytes'

/** A message is recognised by its length and by so many of its first bytes. They are copied for each, which costs a tenth of a microsecond. */
const HEAD_BYTES = 1024

/** Messages over which a thread has ended that are remembered; the oldest leave. */
const DEADLY_MAX = 256

const HEADS_AT = ROWS * ROW_LENGTH * BigInt64Array.BYTES_PER_ELEMENT
const DEADLY_AT = HEADS_AT + ROWS * HEAD_BYTES
const BYTES = DEADLY_AT + (1 + DEADLY_MAX) * BigInt64Array.BYTES_PER_ELEMENT

export function newAdmissionMemory(): SharedArrayBuffer {
  return new SharedArrayBuffer(BYTES)
}

export class AdmissionMemory {
  readonly #numbers: BigInt64Array
  readonly #heads: Uint8Array
  /** Their number so far, and the hashes of the latest. */
  readonly #deadly: BigInt64Array
  /** The row of this thread. */
  readonly #row: number
  #isClosed = false

  private constructor(memory: SharedArrayBuffer, row?: number) {
    this.#numbers = new BigInt64Array(memory, 0, ROWS * ROW_LENGTH)
    this.#heads = new Uint8Array(memory, HEADS_AT, ROWS * HEAD_BYTES)
    this.#deadly = new BigInt64Array(memory, DEADLY_AT)
    this.#row = row ?? this.#newRow()
  }

  static async open(shared: Shared): Promise<AdmissionMemory> {
    return new AdmissionMemory(await shared.memory(ADMISSION, newAdmissionMemory))
  }

  /** For the main thread: the thread `id` has ended, perhaps over the message that it was analysing. */
  static threadEnded(memory: SharedArrayBuffer, id: number): void {
    const numbers = new BigInt64Array(memory, 0, ROWS * ROW_LENGTH)
    for (let row = 1; row < ROWS; row++) {
      if (Number(numbers[row * ROW_LENGTH]) !== id + 1) continue
      const ended = new AdmissionMemory(memory, row)
      ended.#rememberAnalysed()
      ended.close()
    }
  }

  /** Requests that wait in all queues of the process. */
  get waiting(): WaitingCount {
    const memory = this
    return {
      get count() {
        return memory.sum('waiting')
      },
      add: (more) => this.#add('waiting', more),
    }
  }

  /** Bytes of which all threads together take `bytesMax` at most. */
  budget(counted: Exclude<Counted, 'waiting'>, bytesMax: number): Budget {
    return {
      take: (bytes) => {
        const sum = this.#add(counted, bytes)
        if (sum <= bytesMax) return true
        this.#add(counted, -bytes)
        return false
      },
      giveBack: (bytes) => void this.#add(counted, -bytes),
    }
  }

  /** What all threads have taken. */
  sum(counted: Counted): number {
    return Number(Atomics.load(this.#numbers, COLUMNS[counted]))
  }

  /** Remembers that this thread analyses the message from now on; `undefined` when it has done so. */
  analyses(message: Octets | undefined): void {
    if (message !== undefined) this.#heads.set(headOf(message), this.#row * HEAD_BYTES)
    this.#numbers[this.#row * ROW_LENGTH + COLUMNS.analysedBytes] = BigInt(message?.length ?? 0)
  }

  /** Whether a thread has ended over the message, or over one that begins like it and is as long. */
  isDeadly(message: Octets): boolean {
    const count = Number(Atomics.load(this.#deadly, 0))
    if (count === 0) return false
    return this.#deadly.indexOf(nameOf(message.length, headOf(message)), 1) > 0
  }

  addDeadly(message: Octets): void {
    this.#addDeadly(nameOf(message.length, headOf(message)))
  }

  /** Gives back what this thread has taken. */
  close(): void {
    for (const counted of ['waiting', 'memoryBytes', 'fileBytes'] as const) {
      this.#add(counted, -Number(this.#numbers[this.#row * ROW_LENGTH + COLUMNS[counted]]))
    }
    this.analyses(undefined)
    this.#isClosed = true
    Atomics.store(this.#numbers, this.#row * ROW_LENGTH, 0n)
  }

  /** Returns the sum. */
  #add(counted: Counted, more: number): number {
    // What was held at the end has been given back already.
    if (this.#isClosed) return this.sum(counted)
    const count = BigInt(more)
    this.#numbers[this.#row * ROW_LENGTH + COLUMNS[counted]]! += count
    return Number(Atomics.add(this.#numbers, COLUMNS[counted], count) + count)
  }

  #newRow(): number {
    for (let row = 1; row < ROWS; row++) {
      const at = row * ROW_LENGTH
      if (Atomics.compareExchange(this.#numbers, at, 0n, BigInt(threadId + 1)) === 0n) return row
    }
    throw new RangeError(`There are more than ${THREADS_MAX} threads`)
  }

  #rememberAnalysed(): void {
    const length = Number(this.#numbers[this.#row * ROW_LENGTH + COLUMNS.analysedBytes])
    if (length === 0) return
    const start = this.#row * HEAD_BYTES
    this.#addDeadly(nameOf(length, this.#heads.slice(start, start + Math.min(length, HEAD_BYTES))))
  }

  #addDeadly(name: bigint): void {
    const count = Number(Atomics.add(this.#deadly, 0, 1n))
    Atomics.store(this.#deadly, 1 + (count % DEADLY_MAX), name)
  }
}

function headOf(message: Octets): Uint8Array {
  return message.slice(0, Math.min(HEAD_BYTES, message.length))
}

function nameOf(length: number, head: Uint8Array): bigint {
  const digest = hash('sha256', Buffer.concat([head, Buffer.from(`${length}`)]), 'buffer')
  return digest.readBigInt64LE()
}
