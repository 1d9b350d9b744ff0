/**
 * From a request's stream to a message body: in memory as far as the limit for memory, beyond
 * it in a temporary file, and not at all beyond the largest message.
 *
 * A body lives no longer than the call that uses it. `Receiver.receive` gives it to a function
 * and, however that ends, gives back its bytes to the budget and removes its file.
 */
import { randomUUID } from 'node:crypto'
import { type FileHandle, mkdir, open, readdir, unlink } from 'node:fs/promises'
import { join } from 'node:path'
import type { Readable } from 'node:stream'
import { TamisError } from '../errors.ts'
import { ByteBudget } from './byte-budget.ts'
import type { MessageBody } from './message-body.ts'

/** Room for a body of unknown length to begin with: what one read of a socket gives at most. */
const FIRST_CAPACITY_BYTES = 64 * 1024

/** Temporary files are ours by this ending; others in the folder are left alone. */
const FILE_ENDING = '.tamis.eml'

/** Only the service reads mail that it keeps for a moment. */
const FILE_MODE = 0o600
const FOLDER_MODE = 0o700

export interface ReceiverSettings {
  /** Largest message, in bytes. */
  readonly messageBytesMax: number
  /** Largest message kept in memory, in bytes. */
  readonly memoryBytesMax: number
  /** Bytes that all bodies in memory take together. */
  readonly bufferBytes: number
  /** Folder of the temporary files; it belongs to this process. */
  readonly folder: string
}

export class Receiver {
  readonly #settings: ReceiverSettings
  readonly #budget: ByteBudget

  private constructor(settings: ReceiverSettings) {
    this.#settings = settings
    this.#budget = new ByteBudget(settings.bufferBytes)
  }

  /** A receiver with its folder made, and cleared of what a crash left behind. */
  static async open(settings: ReceiverSettings): Promise<Receiver> {
    await mkdir(settings.folder, { recursive: true, mode: FOLDER_MODE })
    const names = await readdir(settings.folder)
    const leftovers = names.filter((name) => name.endsWith(FILE_ENDING))
    await Promise.all(leftovers.map((name) => unlink(join(settings.folder, name))))
    return new Receiver(settings)
  }

  /** Bytes that bodies in memory take now. */
  get bufferedBytes(): number {
    return this.#budget.taken
  }

  /**
   * Reads `stream` to its end and gives the body to `use`; resolves to what `use` does.
   *
   * @param declaredLength of the whole body, in bytes, where the client has said it.
   * @throws TamisError MESSAGE_TOO_LARGE as soon as the limit is passed; BUFFERS_FULL, for a
   *   declared length before anything is read; BODY_TRUNCATED. The rest of the stream is then
   *   neither read nor destroyed.
   */
  async receive<T>(
    stream: Readable,
    declaredLength: number | undefined,
    use: (body: MessageBody) => Promise<T>,
  ): Promise<T> {
    const collector = new Collector(this.#settings, this.#budget)
    try {
      collector.expect(declaredLength)
      await readToEnd(stream, (chunk) => collector.add(chunk))
      return await use(collector.body())
    } finally {
      await collector.release()
    }
  }
}

/** Collects one body. */
class Collector {
  readonly #settings: ReceiverSettings
  readonly #budget: ByteBudget
  #bytes: Uint8Array<ArrayBuffer> = new Uint8Array(0)
  /** Bytes received so far. */
  #length = 0
  /** Bytes taken from the budget. */
  #taken = 0
  /** True once the body is known to be too large for memory. */
  #toFile = false
  #file: FileHandle | undefined
  #path: string | undefined
  /** The last write to the file. */
  #writing: Promise<void> | undefined

  constructor(settings: ReceiverSettings, budget: ByteBudget) {
    this.#settings = settings
    this.#budget = budget
  }

  /** Makes room before the first byte. */
  expect(declaredLength: number | undefined): void {
    if (declaredLength === undefined) return
    if (declaredLength > this.#settings.messageBytesMax) this.#refuseAsTooLarge()
    this.#toFile = declaredLength > this.#settings.memoryBytesMax
    if (!this.#toFile) this.#reserve(declaredLength)
  }

  /** Undefined when `chunk` is stored; a promise when that takes a while. */
  add(chunk: Uint8Array): Promise<void> | undefined {
    const start = this.#length
    this.#length += chunk.length
    if (this.#length > this.#settings.messageBytesMax) this.#refuseAsTooLarge()
    this.#toFile ||= this.#length > this.#settings.memoryBytesMax
    if (this.#toFile) {
      this.#writing = this.#addToFile(chunk, start)
      return this.#writing
    }
    if (this.#length > this.#bytes.length) this.#grow()
    this.#bytes.set(chunk, start)
    return undefined
  }

  body(): MessageBody {
    if (this.#file !== undefined) {
      return { kind: 'file', descriptor: this.#file.fd, length: this.#length }
    }
    return { kind: 'memory', bytes: this.#bytes.subarray(0, this.#length) }
  }

  /** Gives back all that the body holds. */
  async release(): Promise<void> {
    this.#dropMemory()
    // A client that leaves does not wait for the disk, and the file may just be about to open.
    await this.#writing?.catch(() => {})
    await this.#file?.close()
    if (this.#path !== undefined) await unlink(this.#path)
  }

  /**
   * Doubled each time, so that a body of unknown length is copied twice at most. One buffer and
   * not a list of chunks: a client that sends chunks of one byte would have an object for each.
   */
  #grow(): void {
    const wanted = Math.max(this.#length, 2 * this.#bytes.length, FIRST_CAPACITY_BYTES)
    this.#reserve(Math.min(wanted, this.#settings.memoryBytesMax))
  }

  #reserve(capacity: number): void {
    this.#take(capacity - this.#taken)
    const roomier = Buffer.allocUnsafeSlow(capacity)
    roomier.set(this.#bytes)
    this.#bytes = roomier
  }

  #take(bytes: number): void {
    if (!this.#budget.take(bytes)) {
      throw new TamisError('BUFFERS_FULL', 'Too many messages are being received at once')
    }
    this.#taken += bytes
  }

  async #addToFile(chunk: Uint8Array, start: number): Promise<void> {
    try {
      if (this.#file === undefined) await this.#moveToFile(start)
      await this.#file?.writeFile(chunk)
    } catch (cause) {
      // A full disk is to the caller what full buffers are: deliver without a verdict.
      throw new TamisError('BUFFERS_FULL', 'The message cannot be stored', { cause })
    }
  }

  async #moveToFile(length: number): Promise<void> {
    const path = join(this.#settings.folder, `${randomUUID()}${FILE_ENDING}`)
    this.#file = await open(path, 'wx+', FILE_MODE)
    this.#path = path
    await this.#file.writeFile(this.#bytes.subarray(0, length))
    this.#dropMemory()
  }

  #dropMemory(): void {
    this.#bytes = new Uint8Array(0)
    this.#budget.giveBack(this.#taken)
    this.#taken = 0
  }

  #refuseAsTooLarge(): never {
    throw new TamisError(
      'MESSAGE_TOO_LARGE',
      `The message is larger than ${this.#settings.messageBytesMax} bytes`,
    )
  }
}

/**
 * Gives `stream` to `add`, chunk by chunk, none before the one before it is stored. Events and
 * not `for await`, which destroys the stream when it is left early, and with it the connection
 * on which the refusal is to be sent.
 */
function readToEnd(
  stream: Readable,
  add: (chunk: Uint8Array) => Promise<void> | undefined,
): Promise<void> {
  return new Promise((resolve, reject) => {
    let storing: Promise<void> | undefined
    const detach = () => {
      stream.off('data', onData).off('end', onEnd).off('error', onCut).off('close', onCut)
      // An error after this is nobody's, and without a listener it would end the process.
      stream.on('error', () => {})
      stream.pause()
    }
    const fail = (error: unknown) => {
      detach()
      reject(error)
    }
    const onData = (chunk: Uint8Array) => {
      try {
        storing = add(chunk)
        if (storing === undefined) return
        stream.pause()
        storing.then(() => stream.resume(), fail)
      } catch (error) {
        fail(error)
      }
    }
    const onEnd = () => {
      detach()
      // A stream that has ended says so even while it is paused for its last chunk.
      if (storing === undefined) resolve()
      else storing.then(resolve, reject)
    }
    const onCut = (cause?: unknown) => {
      fail(new TamisError('BODY_TRUNCATED', 'The body ended before its announced end', { cause }))
    }
    stream.on('data', onData).on('end', onEnd).on('error', onCut).on('close', onCut)
  })
}
