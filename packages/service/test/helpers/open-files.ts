/** Files that a process has open, those included that have no name any more. */
import { readdir, readlink } from 'node:fs/promises'

/**
 * The files in `folder`, and in folders in it, that are there or that the process has open, each by its path; Linux adds
 * ' (deleted)' to the path of one that has no name any more.
 */
export async function filesOf(folder: string, pid: number | 'self' = 'self'): Promise<string[]> {
  const descriptors = await readdir(`/proc/${pid}/fd`)
  const open = await Promise.all(
    // It may be closed by now.
    descriptors.map((descriptor) => readlink(`/proc/${pid}/fd/${descriptor}`).catch(() => '')),
  )
  const entries = await readdir(folder, { recursive: true, withFileTypes: true })
  const named = entries
    .filter((entry) => !entry.isDirectory())
    .map(({ parentPath, name }) => `${parentPath}/${name}`)
  return [...new Set([...open, ...named].filter((path) => path.startsWith(`${folder}/`)))]
}
