/**
 * The folders that the path forms may read from, and how a file in one of them is opened.
 *
 * Checking a path before opening it is not safe: anyone who may write in a folder can swap the file for a
 * link between the check and the opening. So the opened file is checked, by its descriptor. Only Linux
 * tells where an open file is; on other systems there are no path forms.
 */
import { constants } from 'node:fs'
import { type FileHandle, open, readlink, realpath } from 'node:fs/promises'
import { isAbsolute, sep } from 'node:path'
import { TamisError } from '../../errors/errors.ts'

/** Where Linux tells the place of each open file, without symbolic links (proc_pid_fd(5)). */
const DESCRIPTORS = '/proc/self/fd'

/** Refuses a link as the last part of the path, and does not wait for the writer of a FIFO. */
const OPEN_FLAGS = constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK

export class PathRoots {
  /** The folders without symbolic links, each with a separator at its end. */
  readonly #folders: readonly string[]

  private constructor(folders: readonly string[]) {
    this.#folders = folders
  }

  /** @throws TamisError CONFIG_INVALID when one of `folders` cannot be found, or this system does not tell where open files are. */
  static async open(folders: readonly string[]): Promise<PathRoots> {
    if (folders.length > 0) await refuseWithoutDescriptors()
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
      throw new TamisError(
        'PATH_NOT_READABLE',
        'The path does not name a message that may be read',
        {
          cause,
        },
      )
    }
  }

  async #openInside(path: string): Promise<{ file: FileHandle; length: number }> {
    if (!isAbsolute(path)) throw new Error('The path is not absolute')
    const resolved = await realpath(path)
    // A file outside is not even opened, unless it is swapped in at this moment.
    this.#refuseOutside(resolved)
    const file = await open(resolved, OPEN_FLAGS)
    try {
      this.#refuseOutside(await readlink(`${DESCRIPTORS}/${file.fd}`))
      const status = await file.stat()
      if (!status.isFile()) throw new Error('The path does not name a regular file')
      return { file, length: status.size }
    } catch (error) {
      await file.close()
      throw error
    }
  }

  #refuseOutside(path: string): void {
    if (this.#folders.some((folder) => path.startsWith(folder))) return
    throw new Error('The file is outside the folders')
  }
}

async function refuseWithoutDescriptors(): Promise<void> {
  try {
    const itself = await open('/', constants.O_RDONLY)
    try {
      if ((await readlink(`${DESCRIPTORS}/${itself.fd}`)) === '/') return
    } finally {
      await itself.close()
    }
  } catch {
    // The folder does not exist, or the system has no links there.
  }
  throw new TamisError(
    'CONFIG_INVALID',
    `TAMIS_PATH_ROOTS is set; allowed: only on Linux with /proc. On other systems Tamis cannot check whether an opened file is in the folders`,
  )
}

async function resolveRoot(folder: string): Promise<string> {
  try {
    const resolved = await realpath(folder)
    return resolved.endsWith(sep) ? resolved : resolved + sep
  } catch (cause) {
    throw new TamisError(
      'CONFIG_INVALID',
      `TAMIS_PATH_ROOTS names "${folder}", which does not exist; allowed: folders that exist`,
      { cause },
    )
  }
}
