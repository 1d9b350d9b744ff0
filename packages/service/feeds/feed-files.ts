/**
 * The last good feeds on disk, and what became of the last attempt to get each: the office thread writes both, serving threads read
 * them, and `tamis feeds` may use the folder at the same time. A feed is kept as it came, in a file named by its checksum, which a
 * manifest names. Both are synced and renamed, the manifest last, so that it always names a complete file.
 */
import { randomBytes } from 'node:crypto'
import { mkdir, open, readdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { RefusalReason } from './refusal.ts'

/** What is known of a feed besides its content. */
export interface Manifest {
  /** Name of the source. */
  readonly source: string
  /** RFC 3339. */
  readonly fetchedAt: string
  readonly entries: number
  /** Of the file. */
  readonly sha256: string
  readonly etag?: string
  readonly lastModified?: string
}

/** What became of the last attempt to get a feed; times as in RFC 3339. */
export interface Attempt {
  /** When the source last gave a good feed or said that nothing has changed. */
  readonly lastSuccessAt?: string | undefined
  /** Absent when the last attempt did not fail. */
  readonly lastFailure?: RefusalReason
  /** It is kept, so that a service that restarts repeatedly does not ask every time. */
  readonly notBefore: string
  /** Whether the source itself set that time. */
  readonly isAsked: boolean
}

/** Age from which an unfinished file is left over from a process that ended; a download takes less. */
const LEFTOVER_AGE_MS = 60 * 60 * 1000

const PART = '.part'

/** The folder is in the data folder, which is closed to other users of the machine. */
const FOLDER_MODE = 0o700
export const FEED_FILE_MODE = 0o600

/** Hexadecimal digits of the checksum in the name of a file. */
const NAME_DIGITS = 16

export class FeedFiles {
  readonly #folder: string

  private constructor(folder: string) {
    this.#folder = folder
  }

  /** Makes `folder`, and removes half-written files that other processes left there. */
  static async open(folder: string, now: Date): Promise<FeedFiles> {
    await mkdir(folder, { recursive: true, mode: FOLDER_MODE })
    for (const name of await readdir(folder)) {
      if (!name.endsWith(PART)) continue
      const path = join(folder, name)
      const modified = await stat(path).catch(() => undefined)
      if (modified !== undefined && now.getTime() - modified.mtimeMs > LEFTOVER_AGE_MS) {
        await rm(path, { force: true })
      }
    }
    return new FeedFiles(folder)
  }

  /** When something in the folder was last renamed or removed, in milliseconds. */
  async changedMs(): Promise<number> {
    return (await stat(this.#folder)).mtimeMs
  }

  /** A new name to write to; `keep` or `discard` ends its use. */
  partPath(id: string): string {
    return join(this.#folder, `${id}.${randomBytes(8).toString('hex')}${PART}`)
  }

  async discard(path: string): Promise<void> {
    await rm(path, { force: true })
  }

  /** Makes what was written at `path` the feed of `id`. */
  async keep(id: string, path: string, manifest: Manifest): Promise<void> {
    const kept = this.pathOf(id, manifest)
    await sync(path)
    await rename(path, kept)
    await this.#replace(join(this.#folder, `${id}.json`), manifest, id)
    await this.#removeOthers(id, kept)
  }

  /** Undefined when there is none; 'damaged' when it cannot be read. */
  async manifest(id: string): Promise<Manifest | 'damaged' | undefined> {
    const content = await readJson(join(this.#folder, `${id}.json`))
    if (content === undefined) return undefined
    const { fetchedAt, entries, sha256 } = (content ?? {}) as Partial<Manifest>
    const isSound =
      Number.isInteger(entries) &&
      !Number.isNaN(Date.parse(`${fetchedAt}`)) &&
      /^[0-9a-f]{64}$/.test(`${sha256}`)
    return isSound ? (content as Manifest) : 'damaged'
  }

  pathOf(id: string, { sha256 }: Manifest): string {
    return join(this.#folder, `${id}-${sha256.slice(0, NAME_DIGITS)}.feed`)
  }

  /** Removes the feed of `id`. */
  async remove(id: string): Promise<void> {
    await rm(join(this.#folder, `${id}.json`), { force: true })
    await this.#removeOthers(id, undefined)
  }

  async attempt(id: string): Promise<Attempt | undefined> {
    const content = (await readJson(this.#attemptPath(id))) as Attempt | null | undefined
    return Number.isNaN(Date.parse(`${content?.notBefore}`)) ? undefined : content!
  }

  async setAttempt(id: string, attempt: Attempt): Promise<void> {
    await this.#replace(this.#attemptPath(id), attempt, id)
  }

  #attemptPath(id: string): string {
    return join(this.#folder, `${id}.attempt.json`)
  }

  async #replace(path: string, content: object, id: string): Promise<void> {
    const part = this.partPath(id)
    await writeFile(part, JSON.stringify(content, null, 2), { mode: FEED_FILE_MODE })
    await sync(part)
    await rename(part, path)
    await sync(this.#folder)
  }

  async #removeOthers(id: string, kept: string | undefined): Promise<void> {
    const isOf = new RegExp(`^${id}-[0-9a-f]{${NAME_DIGITS}}\\.feed$`)
    for (const name of await readdir(this.#folder)) {
      const path = join(this.#folder, name)
      if (path !== kept && isOf.test(name)) await rm(path, { force: true })
    }
  }
}

/** Waits until what was written at `path` is on the disk. */
async function sync(path: string): Promise<void> {
  const file = await open(path, 'r')
  try {
    await file.sync()
  } finally {
    await file.close()
  }
}

/** The JSON in a file; undefined when there is no such file; null when it is not JSON. */
async function readJson(path: string): Promise<unknown> {
  try {
    return JSON.parse(await readFile(path, 'utf8'))
  } catch (error) {
    const isMissing = error instanceof Error && 'code' in error && error.code === 'ENOENT'
    return isMissing ? undefined : null
  }
}
