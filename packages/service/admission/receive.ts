/**
 * From a request's stream to a message body: in memory as far as the limit for memory, beyond
 * it in a temporary file, and not at all beyond the largest message.
 *
 * Bytes count as they arrive, against a budget of which each client has a share. What one
 * announces takes nothing: it only says sooner that the body will not fit.
 *
 * A body lives no longer than the block that has it by `await using`: however that ends, its bytes
 * go back to the budget. Its file loses its name as soon as
 * it is open, so that nothing is left of it even when this process is killed.
 */
import { randomUUID } from 'node:crypto'
import { type FileHandle, mkdir, open, readdir, unlink } from 'node:fs/promises'
import type { IncomingMessage } from 'node:http'
import { join } from 'node:path'
import type { Readable } from 'node:stream'
import { TamisError } from '../../mail/errors.ts'
import { ChunkPace } from './chunk-pace.ts'
import type { MessageBody } from './message-body.ts'
import { SharedBudget } from './shared-budget.ts'

/** Room for a body to begin with: a page of memory. What has not arrived gets none. */
const FIRST_CAPACITY_BYTES = 4 * 1024

/**
 * What a request takes beside its body, in bytes: socket, parser, header fields and the objects
 * that wait for it; 16 KiB as measured, twice that with the longest header. It counts like the
 * body, so that whoever has four thousand connections open that send a byte a second each comes
 * to the end of his share.
 */
export const REQUEST_BYTES = 32 * 1024

/** Largest messages that have room in temporary files at a time: without a bound clients could fill the disk, and the store with it. */
const LARGEST_FILES_MAX = 50

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
  /** Bytes that all bodies in memory take together; one client gets half of them at most. */
  readonly bufferBytes: number
  /** Folder of the temporary files; it belongs to this process. */
  readonly folder: string
}

/** A body on its way in. */
export interface Arriving {
  readonly stream: Readable
  /** Of the whole body, in bytes, where the client has said it. */
  readonly declaredLength: number | undefined
  /** Who sends it, by a name under which their share of the budget is counted. */
  readonly client: string
}

/** For `await using`. */
export type ReceivedBody = MessageBody & AsyncDisposable

/** Bytes in memory, and bytes in temporary files. */
interface Budgets {
  readonly memory: SharedBudget
  readonly files: SharedBudget
}

export class Receiver {
  readonly #settings: ReceiverSettings
  readonly #budgets: Budgets

  private constructor(settings: ReceiverSettings) {
    this.#settings = settings
    this.#budgets = {
      memory: new SharedBudget(settings.bufferBytes),
      files: new SharedBudget(LARGEST_FILES_MAX * settings.messageBytesMax),
    }
  }

  /** A receiver with its folder made, and cleared of what a crash left behind. */
  static async open(settings: ReceiverSettings): Promise<Receiver> {
    await mkdir(settings.folder, { recursive: true, mode: FOLDER_MODE })
    const names = await readdir(settings.folder)
    const leftovers = names.filter((name) => name.endsWith(FILE_ENDING))
    await Promise.all(leftovers.map((name) => unlink(join(settings.folder, name))))
    return new Receiver(settings)
  }

  /** Bytes of memory that bodies and their requests take now. */
  get bufferedBytes(): number {
    return this.#budgets.memory.taken
  }

  /**
   * Reads the stream of `arriving` to its end: the body, which holds its bytes until it is disposed of.
   *
   * @throws TamisError MESSAGE_TOO_LARGE as soon as the limit is passed; BUFFERS_FULL, before
   *   anything is read where there is no room for what is announced; BODY_TRUNCATED; REQUEST_MALFORMED
   *   where it is cut too finely. The rest of the stream is then neither read nor destroyed.
   */
  async receive(arriving: Arriving): Promise<ReceivedBody> {
    const collector = new Collector(this.#settings, this.#budgets, arriving.client)
    try {
      collector.expect(arriving.declaredLength)
      await readToEnd(arriving.stream, (chunk) => collector.add(chunk))
      const release = () => collector.release()
      return { ...collector.body(), [Symbol.asyncDispose]: release }
    } catch (error) {
      await collector.release()
      throw error
    }
  }
}

/** Collects one body. */
class Collector {
  readonly #settings: ReceiverSettings
  readonly #budgets: Budgets
  readonly #client: string
  #bytes: Uint8Array<ArrayBuffer> = new Uint8Array(0)
  /** Bytes received so far. */
  #length = 0
  /** What the client says that the length will be. */
  #declaredLength: number | undefined
  /** Bytes taken from each budget. */
  readonly #taken = { memory: 0, files: 0 }
  /** True once the body is known to be too large for memory. */
  #toFile = false
  #file: FileHandle | undefined
  /** The last write to the file. */
  #writing: Promise<void> | undefined

  constructor(settings: ReceiverSettings, budgets: Budgets, client: string) {
    this.#settings = settings
    this.#budgets = budgets
    this.#client = client
  }

  /** Refuses before the first byte what could not be taken, as things stand. */
  expect(declaredLength: number | undefined): void {
    const { messageBytesMax, memoryBytesMax } = this.#settings
    const announcedBytes = declaredLength ?? 0
    if (announcedBytes > messageBytesMax) this.#refuseAsTooLarge()
    this.#declaredLength = declaredLength
    this.#toFile = announcedBytes > memoryBytesMax
    this.#take('memory', REQUEST_BYTES)
    const budget = this.#budgets[this.#toFile ? 'files' : 'memory']
    if (!budget.hasRoom(this.#client, announcedBytes)) refuseAsFull()
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
    this.#bytes = new Uint8Array(0)
    this.#giveBack('memory')
    // A client that leaves does not wait for the disk, and the file may just be about to open.
    await this.#writing?.catch(() => {})
    await this.#file?.close()
    this.#giveBack('files')
  }

  /**
   * Doubled each time, so that a body is copied twice at most, and never beyond what is announced.
   * One buffer and not a list of chunks: a client that sends chunks of one byte would have an
   * object for each.
   */
  #grow(): void {
    const wanted = Math.max(2 * this.#bytes.length, FIRST_CAPACITY_BYTES)
    const useful = Math.min(wanted, this.#declaredLength ?? wanted, this.#settings.memoryBytesMax)
    const capacity = Math.max(this.#length, useful)
    this.#take('memory', capacity - this.#bytes.length)
    const roomier = Buffer.allocUnsafeSlow(capacity)
    roomier.set(this.#bytes)
    this.#bytes = roomier
  }

  #take(from: keyof Budgets, bytes: number): void {
    if (!this.#budgets[from].take(this.#client, bytes)) refuseAsFull()
    this.#taken[from] += bytes
  }

  #giveBack(to: keyof Budgets): void {
    this.#budgets[to].giveBack(this.#client, this.#taken[to])
    this.#taken[to] = 0
  }

  #addToFile(chunk: Uint8Array, start: number): Promise<void> {
    this.#take('files', start + chunk.length - this.#taken.files)
    return this.#write(chunk, start)
  }

  async #write(chunk: Uint8Array, start: number): Promise<void> {
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
    await unlink(path)
    await this.#file.writeFile(this.#bytes.subarray(0, length))
    const inMemory = this.#bytes.length
    this.#bytes = new Uint8Array(0)
    this.#budgets.memory.giveBack(this.#client, inMemory)
    this.#taken.memory -= inMemory
  }

  #refuseAsTooLarge(): never {
    throw new TamisError(
      'MESSAGE_TOO_LARGE',
      `The message is larger than ${this.#settings.messageBytesMax} bytes`,
    )
  }
}

function refuseAsCutFinely(): never {
  throw new TamisError('REQUEST_MALFORMED', 'The body comes in too many chunks of a few bytes')
}

function refuseAsFull(): never {
  throw new TamisError('BUFFERS_FULL', 'Too many messages are being received at once')
}

/**
 * Gives `stream` to `add`, chunk by chunk, none before the one before it is stored. Events and
 * not `for await`, which destroys the stream when it is left early, and with it the connection
 * on which the refusal is to be sent.
 */
export function readToEnd(
  stream: Readable,
  add: (chunk: Uint8Array) => Promise<void> | undefined,
): Promise<void> {
  return new Promise((resolve, reject) => {
    let storing: Promise<void> | undefined
    const pace = new ChunkPace((stream as Partial<IncomingMessage>).socket)
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
        if (!pace.take(chunk.length)) refuseAsCutFinely()
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
