/**
 * The last good feeds on disk, so that a restart does not begin without feeds.
 *
 * A feed is kept as it came, in a file named by its checksum; a manifest beside it names that file. Both
 * are written under another name, synced and renamed, the manifest last: at every moment it names a
 * complete file. A service and `tamis feeds` may use the folder at the same time.
 */
import { randomBytes } from 'node:crypto'
import { mkdir, open, readdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { isOf, type Static, Type } from '../json-schema.ts'

/** What is known of a feed besides its content. */
const MANIFEST = Type.Object(
  {
    /** Name of the source. */
    source: Type.String(),
    /** Name of the file that holds it. */
    file: Type.String({ pattern: '^[a-z0-9-]{1,100}\\.feed$' }),
    fetchedAt: Type.String({ format: 'date-time' }),
    entries: Type.Integer({ minimum: 0 }),
    sha256: Type.String({ pattern: '^[0-9a-f]{64}$' }),
    etag: Type.Optional(Type.String({ maxLength: 1024 })),
    lastModified: Type.Optional(Type.String({ maxLength: 1024 })),
  },
  { additionalProperties: false },
)

export type Manifest = Readonly<Static<typeof MANIFEST>>

/** When a source may be asked again. It is kept, so that a service that restarts repeatedly does not ask every time. */
const ATTEMPT = Type.Object({
  notBefore: Type.String({ format: 'date-time' }),
  /** Whether the source itself set the time. */
  isAsked: Type.Boolean(),
})

export interface NextAttempt {
  readonly notBefore: Date
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

  /** A new name to write to; `keep` or `discard` ends its use. */
  partPath(id: string): string {
    return join(this.#folder, `${id}.${randomBytes(8).toString('hex')}${PART}`)
  }

  async discard(path: string): Promise<void> {
    await rm(path, { force: true })
  }

  /** Makes what was written at `path` the feed of `id`. */
  async keep(id: string, path: string, manifest: Omit<Manifest, 'file'>): Promise<Manifest> {
    const kept: Manifest = {
      ...manifest,
      file: `${id}-${manifest.sha256.slice(0, NAME_DIGITS)}.feed`,
    }
    await sync(path)
    await rename(path, join(this.#folder, kept.file))
    await this.#replace(this.#manifestPath(id), JSON.stringify(kept, null, 2), id)
    await this.#removeOthers(id, kept.file)
    return kept
  }

  /** Undefined when there is none; 'damaged' when it cannot be read. */
  async manifest(id: string): Promise<Manifest | 'damaged' | undefined> {
    const content = await readJson(this.#manifestPath(id))
    if (content === undefined) return undefined
    return isOf(MANIFEST, content) ? content : 'damaged'
  }

  pathOf(manifest: Manifest): string {
    return join(this.#folder, manifest.file)
  }

  /** Removes the feed of `id`. */
  async remove(id: string): Promise<void> {
    await rm(this.#manifestPath(id), { force: true })
    await this.#removeOthers(id, undefined)
  }

  async nextAttempt(id: string): Promise<NextAttempt | undefined> {
    const content = await readJson(this.#attemptPath(id))
    if (!isOf(ATTEMPT, content)) return undefined
    return { notBefore: new Date(content.notBefore), isAsked: content.isAsked }
  }

  async setNextAttempt(id: string, { notBefore, isAsked }: NextAttempt): Promise<void> {
    const content: Static<typeof ATTEMPT> = { notBefore: notBefore.toISOString(), isAsked }
    await this.#replace(this.#attemptPath(id), JSON.stringify(content), id)
  }

  #manifestPath(id: string): string {
    return join(this.#folder, `${id}.json`)
  }

  #attemptPath(id: string): string {
    return join(this.#folder, `${id}.attempt.json`)
  }

  async #replace(path: string, content: string, id: string): Promise<void> {
    const part = this.partPath(id)
    await writeFile(part, content, { mode: FEED_FILE_MODE })
    await sync(part)
    await rename(part, path)
    await sync(this.#folder)
  }

  async #removeOthers(id: string, file: string | undefined): Promise<void> {
    const isOf = new RegExp(`^${id}-[0-9a-f]{${NAME_DIGITS}}\\.feed$`)
    for (const name of await readdir(this.#folder)) {
      if (name !== file && isOf.test(name)) await rm(join(this.#folder, name), { force: true })
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

/** The JSON in a file; undefined when there is no such file; null, which is not a manifest, when it is not JSON. */
async function readJson(path: string): Promise<unknown> {
  try {
    return JSON.parse(await readFile(path, 'utf8'))
  } catch (error) {
    return isMissing(error) ? undefined : null
  }
}

function isMissing(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'ENOENT'
}
