/**
 * The folder for temporary files of large messages. Each server process has one of its own in it, named by its
 * index, so that one that starts removes nothing that another has in hand.
 */
import { mkdir, readdir, rm, rmdir } from 'node:fs/promises'
import { join } from 'node:path'

/** The ending that marks temporary files as ours; other files in the folder are left alone. */
export const FILE_ENDING = '.tamis.eml'

/** The name of a folder of a process: there are 256 at most. */
const OF_PROCESS = /^[0-9]{1,3}$/

/** Only the service's user may read these temporary files. */
const FOLDER_MODE = 0o700

/** Makes the folder of a process, or clears it of what a crash left behind. */
export async function openCleared(folder: string): Promise<void> {
  await mkdir(folder, { recursive: true, mode: FOLDER_MODE })
  await clear(folder)
}

async function clear(folder: string): Promise<void> {
  const names = await readdir(folder)
  const leftovers = names.filter((name) => name.endsWith(FILE_ENDING))
  await Promise.all(leftovers.map((name) => rm(join(folder, name), { force: true })))
}

/** Removes what a service left in `folder` that had no folders of processes, or more of them than `count`. */
export async function clearUnused(folder: string, count: number): Promise<void> {
  await openCleared(folder)
  for (const name of await readdir(folder)) {
    if (!OF_PROCESS.test(name) || Number(name) < count) continue
    await clear(join(folder, name))
    // It stays where something else is in it.
    await rmdir(join(folder, name)).catch(() => {})
  }
}
