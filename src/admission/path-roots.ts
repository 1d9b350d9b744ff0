/** The folders from which the path forms may read, and the opening of a file in one of them. */
import { constants } from 'node:fs'
import { type FileHandle, open, realpath } from 'node:fs/promises'
import { isAbsolute, sep } from 'node:path'
import { TamisError } from '../errors.ts'

/** No link in the last place, and no waiting for the writer of a FIFO. */
const OPEN_FLAGS = constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK

export class PathRoots {
  /** Without symbolic links, each with a separator at its end. */
  readonly #folders: readonly string[]

  private constructor(folders: readonly string[]) {
    this.#folders = folders
  }

  /** @throws TamisError CONFIG_INVALID when one of `folders` cannot be found. */
  static async open(folders: readonly string[]): Promise<PathRoots> {
    return new PathRoots(await Promise.all(folders.map(resolveRoot)))
  }

  /** False when the path forms are switched off. */
  get enabled(): boolean {
    return this.#folders.length > 0
  }

  /**
   * The regular file at `path`, open for reading, and its length in bytes.
   *
   * @throws TamisError PATH_NOT_READABLE, the same for a file that is missing, outside the
   *   folders or not regular: the answer says nothing about files elsewhere.
   */
  async openFile(path: string): Promise<{ file: FileHandle; length: number }> {
    try {
      return await this.#openInside(path)
    } catch (cause) {
      throw new TamisError('PATH_NOT_READABLE', 'There is no message that may be read at path', {
        cause,
      })
    }
  }

  async #openInside(path: string): Promise<{ file: FileHandle; length: number }> {
    if (!isAbsolute(path)) throw new Error('The path is not absolute')
    const resolved = await realpath(path)
    if (!this.#folders.some((folder) => resolved.startsWith(folder))) {
      throw new Error('The file is outside the folders')
    }
    const file = await open(resolved, OPEN_FLAGS)
    try {
      const status = await file.stat()
      if (!status.isFile()) throw new Error('The file is not regular')
      return { file, length: status.size }
    } catch (error) {
      await file.close()
      throw error
    }
  }
}

async function resolveRoot(folder: string): Promise<string> {
  try {
    const resolved = await realpath(folder)
    return resolved.endsWith(sep) ? resolved : resolved + sep
  } catch (cause) {
    throw new TamisError(
      'CONFIG_INVALID',
      `TAMIS_PATH_ROOTS names "${folder}", which is not there; allowed: folders that exist`,
      { cause },
    )
  }
}
