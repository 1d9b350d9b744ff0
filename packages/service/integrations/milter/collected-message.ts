/**
 * A message on its way in: in memory as far as the limit for memory, beyond it in a temporary
 * file, and beyond the largest message not at all.
 *
 * The file has no name from the moment it is made, so nothing is left of it whatever happens to
 * this process.
 */
import { randomUUID } from 'node:crypto'
import { type FileHandle, open, unlink } from 'node:fs/promises'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import type { MessageBody } from '../../../client/client.ts'
import type { ByteBudget } from '../../admission/byte-budget.ts'

/** Room to begin with: most messages have less, or much more. */
const FIRST_CAPACITY_BYTES = 16 * 1024

const FILE_MODE = 0o600

export interface CollectorSettings {
  /** Of a message, the bytes that are kept; what comes after them is not looked at. */
  readonly messageBytesMax: number
  /** Largest message kept in memory, in bytes. */
  readonly memoryBytesMax: number
  /** Bytes that all messages in memory take together. */
  readonly budget: ByteBudget
  /** For temporary files. */
  readonly folder: string
}

/** Why a message was not kept: too many at once, or no room on the disk. */
export type CollectorFailure = 'memory' | 'disk'

export class CollectedMessage {
  readonly #settings: CollectorSettings
  #bytes: Buffer<ArrayBuffer> = Buffer.alloc(0)
  /** Bytes kept. */
  #length = 0
  #file: FileHandle | undefined
  #isCut = false
  #failure: CollectorFailure | undefined

  constructor(settings: CollectorSettings) {
    this.#settings = settings
  }

  /** Bytes kept. */
  get length(): number {
    return this.#length
  }

  /** True when there was more than is kept. */
  get isCut(): boolean {
    return this.#isCut
  }

  /** Undefined while all that was added is kept, to the largest message. */
  get failure(): CollectorFailure | undefined {
    return this.#failure
  }

  /** Undefined when `chunk` is copied; a promise, which never rejects, when that takes a while. */
  add(chunk: Uint8Array): Promise<void> | undefined {
    if (this.#failure !== undefined) return undefined
    const room = this.#settings.messageBytesMax - this.#length
    if (chunk.length > room) this.#isCut = true
    const kept = chunk.subarray(0, room)
    if (kept.length === 0) return undefined
    const isLarge = this.#length + kept.length > this.#settings.memoryBytesMax
    if (isLarge || this.#file !== undefined) return this.#addToFile(kept)
    if (this.#reserve(this.#length + kept.length)) this.#bytes.set(kept, this.#length)
    this.#length += kept.length
    return undefined
  }

  /** What is kept, from its beginning, for one request; can be asked for again. */
  body(): MessageBody {
    if (this.#file === undefined) return this.#bytes.subarray(0, this.#length)
    const stream = this.#file.createReadStream({ start: 0, autoClose: false })
    return Readable.toWeb(stream) as ReadableStream<Uint8Array>
  }

  /** Gives back all that the message holds. */
  async release(): Promise<void> {
    this.#dropMemory()
    const file = this.#file
    this.#file = undefined
    // It has no name any more: what a failed close leaves is the kernel's to take back.
    await file?.close().catch(() => {})
  }

  /** Doubled each time, so that a message is copied twice at most. False where there is no memory for it. */
  #reserve(length: number): boolean {
    if (length <= this.#bytes.length) return true
    const wanted = Math.max(length, 2 * this.#bytes.length, FIRST_CAPACITY_BYTES)
    const capacity = Math.min(wanted, this.#settings.memoryBytesMax)
    if (!this.#settings.budget.take(capacity - this.#bytes.length)) {
      this.#fail('memory')
      return false
    }
    const roomier = Buffer.allocUnsafeSlow(capacity)
    roomier.set(this.#bytes.subarray(0, this.#length))
    this.#bytes = roomier
    return true
  }

  async #addToFile(chunk: Uint8Array): Promise<void> {
    const start = this.#length
    this.#length += chunk.length
    try {
      this.#file ??= await this.#moveToFile(start)
      await writeAll(this.#file, chunk, start)
    } catch {
      this.#fail('disk')
    }
  }

  async #moveToFile(length: number): Promise<FileHandle> {
    const path = join(this.#settings.folder, `tamis-milter-${randomUUID()}`)
    const file = await open(path, 'wx+', FILE_MODE)
    try {
      await unlink(path)
      await writeAll(file, this.#bytes.subarray(0, length), 0)
    } catch (error) {
      await file.close()
      throw error
    }
    this.#dropMemory()
    return file
  }

  #fail(failure: CollectorFailure): void {
    this.#failure = failure
    this.#dropMemory()
  }

  #dropMemory(): void {
    this.#settings.budget.giveBack(this.#bytes.length)
    this.#bytes = Buffer.alloc(0)
  }
}

async function writeAll(file: FileHandle, bytes: Uint8Array, position: number): Promise<void> {
  let written = 0
  while (written < bytes.length) {
    const rest = bytes.subarray(written)
    const { bytesWritten } = await file.write(rest, 0, rest.length, position + written)
    written += bytesWritten
  }
}
