/**
 * Receives a message body from a request's stream: in memory up to the limit for memory, beyond it in a
 * temporary file, and not at all beyond the largest message.
 *
 * Bytes count as they arrive, against a budget for all threads of the process. An announced length
 * takes nothing from the budget: it only tells sooner that the body will not fit.
 *
 * A body lives no longer than the block that holds it by `await using`: however that block ends, its
 * bytes go back to the budget. Its file is unlinked before anything is written to it, so that nothing is left of it
 * even when this process is killed.
 */
import { randomUUID } from 'node:crypto'
import { type FileHandle, mkdir, open, unlink } from 'node:fs/promises'
import { join } from 'node:path'
import type { Readable } from 'node:stream'
import { TamisError } from '../../errors/errors.ts'
import type { AdmissionMemory } from './admission-memory.ts'
import type { Budget } from './byte-budget.ts'
import { GrowingBytes } from './growing-bytes.ts'
import type { MessageBody } from './message-body.ts'

/** First capacity for a body: a page of memory. Bytes that have not arrived take no memory. */
const FIRST_CAPACITY_BYTES = 4 * 1024

/**
 * Memory of a request besides its body, in bytes: socket, parser, header fields and the objects that
 * wait for it; 16 KiB as measured, twice that with the longest header. It counts like the body, so that
 * thousands of connections that send a byte a second come to an end.
 */
export const REQUEST_BYTES = 32 * 1024

/** How many messages of the largest size fit in temporary files at a time: without a bound clients could fill the disk that the store is on. */
const LARGEST_FILES_MAX = 50

/** Only the service's user may read these temporary files. */
const FOLDER_MODE = 0o700
const FILE_MODE = 0o600

/** Largest message kept in memory, in bytes: the interface has 10 MB. */
export const MEMORY_BYTES_MAX = 10 * 1024 * 1024

export interface ReceiverSettings {
  /** Largest message, in bytes. */
  readonly messageBytesMax: number
  /** In place of MEMORY_BYTES_MAX, for tests. */
  readonly memoryBytesMax?: number
  /** Bytes that all bodies in memory may take together. */
  readonly bufferBytes: number
  /** Folder for the temporary files. */
  readonly folder: string
  readonly memory: AdmissionMemory
}

/** A body that is arriving. */
export interface Arriving {
  readonly stream: Readable
  /** Length of the whole body in bytes, if the client has announced it. */
  readonly declaredLength: number | undefined
  /** The body, where it was received before it was known what for; whoever received it releases it too. */
  readonly received?: Promise<ReceivedBody> | undefined
}

/** A body that is released at the end of its `await using` block. */
export type ReceivedBody = MessageBody & AsyncDisposable

/** The budgets for bytes in memory and for bytes in temporary files. */
interface Budgets {
  readonly memory: Budget
  readonly files: Budget
}

export class Receiver {
  readonly #settings: ReceiverSettings
  readonly #budgets: Budgets

  private constructor(settings: ReceiverSettings) {
    const { memory, bufferBytes, messageBytesMax } = settings
    this.#settings = settings
    this.#budgets = {
      memory: memory.budget('memoryBytes', bufferBytes),
      files: memory.budget('fileBytes', LARGEST_FILES_MAX * messageBytesMax),
    }
  }

  /** Opens a receiver: makes its folder. */
  static async open(settings: ReceiverSettings): Promise<Receiver> {
    await mkdir(settings.folder, { recursive: true, mode: FOLDER_MODE })
    return new Receiver(settings)
  }

  /** Largest message, in bytes. */
  get messageBytesMax(): number {
    return this.#settings.messageBytesMax
  }

  /** Bytes of memory that bodies and their requests take at present, on all threads. */
  get bufferedBytes(): number {
    return this.#settings.memory.sum('memoryBytes')
  }

  /**
   * Reads the stream of `arriving` to its end. The body holds its bytes until it is disposed of.
   *
   * @throws TamisError MESSAGE_TOO_LARGE as soon as the limit is passed; BUFFERS_FULL, before anything is
   *   read if there is no room for the announced length; BODY_TRUNCATED. The rest of the stream is then neither read nor destroyed.
   */
  async receive({ stream, declaredLength = 0, received }: Arriving): Promise<ReceivedBody> {
    if (received !== undefined) return await received
    if (declaredLength > this.#settings.messageBytesMax) throw tooLarge(this.#settings)
    const collector = new Collector(this.#settings, this.#budgets, declaredLength)
    // A later error concerns nobody, but without a listener it would end the process.
    stream.on('error', () => {})
    try {
      for await (const chunk of chunksOf(stream)) {
        const storing = collector.add(chunk)
        if (storing !== undefined) await storing
      }
      return { ...collector.body(), [Symbol.asyncDispose]: () => collector.release() }
    } catch (error) {
      await collector.release()
      throw error
    }
  }
}

/** The stream is neither read on nor destroyed when this is left early: the refusal is to be sent on its connection. */
async function* chunksOf(stream: Readable): AsyncGenerator<Uint8Array> {
  const chunks = stream.iterator({ destroyOnReturn: false })
  try {
    yield* chunks
  } catch (cause) {
    throw new TamisError('BODY_TRUNCATED', 'The body is shorter than announced', { cause })
  }
}

/** Collects one body. */
class Collector {
  readonly #settings: ReceiverSettings
  readonly #budgets: Budgets
  readonly #declaredLength: number
  readonly #inMemory: GrowingBytes
  /** Bytes received so far. */
  #length = 0
  #file: FileHandle | undefined
  #fileBytes = 0
  /** The last write to the file. */
  #writing: Promise<void> | undefined

  /** Takes what a request takes. @throws TamisError BUFFERS_FULL when there is no room for the announced length at present. */
  constructor(settings: ReceiverSettings, budgets: Budgets, declaredLength: number) {
    const { memoryBytesMax = MEMORY_BYTES_MAX } = settings
    this.#settings = settings
    this.#budgets = budgets
    this.#declaredLength = declaredLength
    const capacityMax =
      declaredLength > 0 ? Math.min(declaredLength, memoryBytesMax) : memoryBytesMax
    this.#inMemory = new GrowingBytes(FIRST_CAPACITY_BYTES, budgets.memory, capacityMax)
    const { memory, files } = budgets
    if (!memory.take(REQUEST_BYTES)) throw buffersFull()
    const budget = this.#isFile(declaredLength) ? files : memory
    const hasRoom = budget.take(declaredLength)
    if (hasRoom) budget.giveBack(declaredLength)
    else {
      memory.giveBack(REQUEST_BYTES)
      throw buffersFull()
    }
  }

  /** Undefined when `chunk` is stored; a promise when that takes a while. */
  add(chunk: Uint8Array): Promise<void> | undefined {
    this.#length += chunk.length
    if (this.#length > this.#settings.messageBytesMax) throw tooLarge(this.#settings)
    if (this.#isFile(Math.max(this.#length, this.#declaredLength))) {
      if (!this.#budgets.files.take(this.#length - this.#fileBytes)) throw buffersFull()
      this.#fileBytes = this.#length
      this.#writing = this.#write(chunk)
      return this.#writing
    }
    if (!this.#inMemory.add(chunk)) throw buffersFull()
    return undefined
  }

  body(): MessageBody {
    if (this.#file !== undefined) {
      return { kind: 'file', descriptor: this.#file.fd, length: this.#length }
    }
    return { kind: 'memory', bytes: this.#inMemory.bytes }
  }

  /** Gives back everything that the body holds. */
  async release(): Promise<void> {
    this.#inMemory.release()
    this.#budgets.memory.giveBack(REQUEST_BYTES)
    // The file may still be about to open when a client leaves.
    await this.#writing?.catch(() => {})
    await this.#file?.close()
    this.#budgets.files.giveBack(this.#fileBytes)
  }

  #isFile(length: number): boolean {
    return length > (this.#settings.memoryBytesMax ?? MEMORY_BYTES_MAX)
  }

  async #write(chunk: Uint8Array): Promise<void> {
    try {
      if (this.#file === undefined) await this.#moveToFile()
      await this.#file?.writeFile(chunk)
    } catch (cause) {
      // To the caller a full disk is the same as full buffers: deliver without a verdict.
      throw new TamisError('BUFFERS_FULL', 'The message cannot be stored', { cause })
    }
  }

  async #moveToFile(): Promise<void> {
    const path = join(this.#settings.folder, randomUUID())
    this.#file = await open(path, 'wx+', FILE_MODE)
    await unlink(path)
    await this.#file.writeFile(this.#inMemory.bytes)
    this.#inMemory.release()
  }
}

function tooLarge({ messageBytesMax }: ReceiverSettings): TamisError {
  return new TamisError('MESSAGE_TOO_LARGE', `The message is larger than ${messageBytesMax} bytes`)
}

function buffersFull(): TamisError {
  return new TamisError('BUFFERS_FULL', 'Too many messages are being received at once')
}
