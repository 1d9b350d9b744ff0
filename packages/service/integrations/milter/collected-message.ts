/**
 * A message that is arriving: it is kept in memory up to the limit for memory, beyond it in a temporary
 * file, and beyond the largest message not at all.
 *
 * The file is unlinked as soon as it is made, so that nothing is left of it whatever happens to this
 * process.
 */
import { randomUUID } from 'node:crypto'
import { type FileHandle, open, unlink } from 'node:fs/promises'
import { join } from 'node:path'
import type { MessageBody } from '../../../client/client.ts'
import type { ByteBudget } from '../../admission/byte-budget.ts'
import { GrowingBytes } from '../../admission/growing-bytes.ts'

/** First capacity: most messages need less, or much more. */
const FIRST_CAPACITY_BYTES = 16 * 1024

/** Bytes read from the file at once. */
const CHUNK_BYTES = 64 * 1024

const FILE_MODE = 0o600

export interface CollectorSettings {
  /** Bytes kept of a message; the rest is not looked at. */
  readonly messageBytesMax: number
  /** Largest message kept in memory, in bytes. */
  readonly memoryBytesMax: number
  /** Bytes that all messages in memory take together. */
  readonly budget: ByteBudget
  /** Folder for temporary files. */
  readonly folder: string
}

/** Why a message was not kept: too many messages at once, or no room on the disk. */
export type CollectorFailure = 'memory' | 'disk'

export class CollectedMessage {
  readonly #settings: CollectorSettings
  readonly #inMemory: GrowingBytes
  /** Bytes kept. */
  #length = 0
  #file: FileHandle | undefined
  #isCut = false
  #failure: CollectorFailure | undefined

  constructor(settings: CollectorSettings) {
    const { budget, memoryBytesMax } = settings
    this.#settings = settings
    this.#inMemory = new GrowingBytes(FIRST_CAPACITY_BYTES, budget, memoryBytesMax)
  }

  /** Bytes kept. */
  get length(): number {
    return this.#length
  }

  /** True when the message was longer than what is kept. */
  get isCut(): boolean {
    return this.#isCut
  }

  /** Why something could not be kept; undefined while everything was, up to the largest message. */
  get failure(): CollectorFailure | undefined {
    return this.#failure
  }

  /** Adds `chunk`. Returns undefined when it is copied at once, or a promise, which never rejects, when that takes a while. */
  add(chunk: Uint8Array): Promise<void> | undefined {
    if (this.#failure !== undefined) return undefined
    const room = this.#settings.messageBytesMax - this.#length
    if (chunk.length > room) this.#isCut = true
    const kept = chunk.subarray(0, room)
    if (kept.length === 0) return undefined
    const isLarge = this.#length + kept.length > this.#settings.memoryBytesMax
    if (isLarge || this.#file !== undefined) return this.#addToFile(kept)
    if (!this.#inMemory.add(kept)) this.#fail('memory')
    this.#length += kept.length
    return undefined
  }

  /** The message as kept, for one request; may be called again for another. */
  body(): MessageBody {
    if (this.#file === undefined) return this.#inMemory.bytes
    // A stream of Node's would close the file when its reader goes away, as a request does that breaks off.
    return ReadableStream.from(chunksOf(this.#file, this.#length))
  }

  /** Gives back everything that the message holds. */
  async release(): Promise<void> {
    this.#inMemory.release()
    const file = this.#file
    this.#file = undefined
    // The file has no name any more: if closing it fails, the kernel frees it later.
    await file?.close().catch(() => {})
  }

  async #addToFile(chunk: Uint8Array): Promise<void> {
    const start = this.#length
    this.#length += chunk.length
    try {
      this.#file ??= await this.#moveToFile()
      await writeAll(this.#file, chunk, start)
    } catch {
      this.#fail('disk')
    }
  }

  async #moveToFile(): Promise<FileHandle> {
    const path = join(this.#settings.folder, `tamis-milter-${randomUUID()}`)
    const file = await open(path, 'wx+', FILE_MODE)
    try {
      await unlink(path)
      await writeAll(file, this.#inMemory.bytes, 0)
    } catch (error) {
      await file.close()
      throw error
    }
    this.#inMemory.release()
    return file
  }

  #fail(failure: CollectorFailure): void {
    this.#failure = failure
    this.#inMemory.release()
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

async function* chunksOf(file: FileHandle, length: number): AsyncGenerator<Uint8Array> {
  for (let position = 0; position < length; ) {
    const { bytesRead, buffer } = await file.read(Buffer.allocUnsafeSlow(CHUNK_BYTES), {
      position,
    })
    if (bytesRead === 0) return
    position += bytesRead
    yield buffer.subarray(0, bytesRead)
  }
}
