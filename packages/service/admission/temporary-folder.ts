/**
 * The folder for temporary files of large messages. Each process of the service has one of its own in it,
 * named by its index, so that one that starts removes nothing that another has in hand.
 */
import { mkdir, readdir, rm, rmdir } from 'node:fs/promises'
import { join } from 'node:path'
import type { Siblings } from '../siblings/siblings.ts'

/** The ending that marks temporary files as ours; other files in the folder are left alone. */
export const FILE_ENDING = '.tamis.eml'

/** The name of a folder of a process: there are 256 at most. */
const OF_PROCESS = /^[0-9]{1,3}$/

/** Only the service's user may read these temporary files. */
const FOLDER_MODE = 0o700

/**
 * The folder in `folder` for the temporary files of one process, made and cleared of what a crash left
 * behind. The first process also clears up after those that there are no longer.
 */
export async function openTemporaryFolder(
  folder: string,
  { index, count }: Pick<Siblings, 'index' | 'count'>,
): Promise<string> {
  const own = join(folder, String(index))
  await openCleared(own)
  if (index === 0) await clearUnused(folder, count)
  return own
}

/** Makes `folder`, or clears it of temporary files. */
export async function openCleared(folder: string): Promise<void> {
  await mkdir(folder, { recursive: true, mode: FOLDER_MODE })
  await clear(folder)
}

async function clear(folder: string): Promise<void> {
  const names = await readdir(folder)
  const leftovers = names.filter((name) => name.endsWith(FILE_ENDING))
  await Promise.all(leftovers.map((name) => rm(join(folder, name), { force: true })))
}

/** Removes what a service left in `folder` that had no folders of processes, or more of them. */
async function clearUnused(folder: string, count: number): Promise<void> {
  await clear(folder)
  for (const name of await readdir(folder)) {
    if (!OF_PROCESS.test(name) || Number(name) < count) continue
    await clear(join(folder, name))
    // It stays where something else is in it.
    await rmdir(join(folder, name)).catch(() => {})
  }
}
