/**
 * Receives a message body from a request's stream: in memory up to the limit for memory, beyond it in a
 * temporary file, and not at all beyond the largest message.
 *
 * Bytes count as they arrive, against a budget of which each client has a share. An announced length
 * takes nothing from the budget: it only tells sooner that the body will not fit.
 *
 * A body lives no longer than the block that holds it by `await using`: however that block ends, its
 * bytes go back to the budget. Its file is unlinked as soon as it is open, so that nothing is left of it
 * even when this process is killed.
 */
import { randomUUID } from 'node:crypto'
import { type FileHandle, open, unlink } from 'node:fs/promises'
import type { IncomingMessage } from 'node:http'
import { Socket } from 'node:net'
import { join } from 'node:path'
import type { Readable } from 'node:stream'
import { TamisError } from '../../errors/errors.ts'
import { SharedBudget } from './byte-budget.ts'
import { ChunkPace } from './chunk-pace.ts'
import type { MessageBody } from './message-body.ts'
import { FILE_ENDING, openCleared } from './temporary-folder.ts'

/** First capacity for a body: a page of memory. Bytes that have not arrived take no memory. */
const FIRST_CAPACITY_BYTES = 4 * 1024

/**
 * Memory of a request besides its body, in bytes: socket, parser, header fields and the objects that
 * wait for it; 16 KiB as measured, twice that with the longest header. It counts like the body, so that
 * an attacker with four thousand open connections of a byte a second each uses up the client's share.
 */
export const REQUEST_BYTES = 32 * 1024

/** How many messages of the largest size fit in temporary files at a time: without a bound clients could fill the disk that the store is on. */
export const LARGEST_FILES_MAX = 50

/** And at the least, however many processes share the disk: one client gets half of the room. */
export const LARGEST_FILES_MIN = 2

/** Only the service's user may read these temporary files. */
const FILE_MODE = 0o600

export interface ReceiverSettings {
  /** Largest message, in bytes. */
  readonly messageBytesMax: number
  /** Largest message kept in memory, in bytes. */
  readonly memoryBytesMax: number
  /** Bytes that all bodies in memory may take together; one client gets at most half of them. */
  readonly bufferBytes: number
  /** Folder for the temporary files; it belongs to this process. */
  readonly folder: string
  /** How many messages of the largest size fit in its files at a time. */
  readonly largestFilesMax?: number
}

/** A body that is arriving. */
export interface Arriving {
  readonly stream: Readable
  /** Length of the whole body in bytes, if the client has announced it. */
  readonly declaredLength: number | undefined
  /** The name under which the sender's share of the budget is counted. */
  readonly client: string
}

/** A body that is released at the end of its `await using` block. */
export type ReceivedBody = MessageBody & AsyncDisposable

/** The budgets for bytes in memory and for bytes in temporary files. */
interface Budgets {
  readonly memory: SharedBudget
  readonly files: SharedBudget
}

export class Receiver {
  readonly #settings: ReceiverSettings
  readonly #budgets: Budgets

  private constructor(settings: ReceiverSettings) {
    const { bufferBytes, messageBytesMax, largestFilesMax = LARGEST_FILES_MAX } = settings
    this.#settings = settings
    this.#budgets = {
      memory: new SharedBudget(bufferBytes),
      files: new SharedBudget(largestFilesMax * messageBytesMax),
    }
  }

  /** Opens a receiver: makes its folder, and clears it of what a crash left behind. */
  static async open(settings: ReceiverSettings): Promise<Receiver> {
    await openCleared(settings.folder)
    return new Receiver(settings)
  }

  /** Bytes of memory that bodies and their requests take at present. */
  get bufferedBytes(): number {
    return this.#budgets.memory.taken
  }

  /**
   * Reads the stream of `arriving` to its end. The body holds its bytes until it is disposed of.
   *
   * @throws TamisError MESSAGE_TOO_LARGE as soon as the limit is passed; BUFFERS_FULL, before anything is
   *   read if there is no room for the announced length; BODY_TRUNCATED; REQUEST_MALFORMED when its chunks
   *   are too small. The rest of the stream is then neither read nor destroyed.
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
  /** The length that the client announced. */
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

  /** Refuses, before the first byte, a body for which there is no room at present. */
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

  /** Gives back everything that the body holds. */
  async release(): Promise<void> {
    this.#bytes = new Uint8Array(0)
    this.#giveBack('memory')
    // The file may still be about to open when a client leaves.
    await this.#writing?.catch(() => {})
    await this.#file?.close()
    this.#giveBack('files')
  }

  /**
   * Doubles the capacity each time, so that a body is copied twice at most, and never beyond the announced
   * length. It is one buffer and not a list of chunks: chunks of one byte would take an object each.
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
      // To the caller a full disk is the same as full buffers: deliver without a verdict.
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
  throw new TamisError('REQUEST_MALFORMED', 'The body has too many chunks of a few bytes')
}

function refuseAsFull(): never {
  throw new TamisError('BUFFERS_FULL', 'Too many messages are being received at once')
}

/**
 * Gives `stream` to `add` chunk by chunk, each after the one before it is stored. It uses events rather
 * than `for await`, which destroys the stream when it is left early, and with it the connection on which
 * the refusal is to be sent.
 */
export function readToEnd(
  stream: Readable,
  add: (chunk: Uint8Array) => Promise<void> | undefined,
): Promise<void> {
  return new Promise((resolve, reject) => {
    let storing: Promise<void> | undefined
    const { socket } = stream as Partial<IncomingMessage>
    // A request that does not come by the network (Fastify's inject) has something else there.
    const pace = new ChunkPace(socket instanceof Socket ? socket : undefined)
    const detach = () => {
      stream.off('data', onData).off('end', onEnd).off('error', onCut).off('close', onCut)
      // A later error concerns nobody, but without a listener it would end the process.
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
      // A stream reports its end even while it is paused for its last chunk.
      if (storing === undefined) resolve()
      else storing.then(resolve, reject)
    }
    const onCut = (cause?: unknown) => {
      fail(new TamisError('BODY_TRUNCATED', 'The body is shorter than announced', { cause }))
    }
    stream.on('data', onData).on('end', onEnd).on('error', onCut).on('close', onCut)
  })
}
