/** Files that processes have open, those included that have no name any more. */
import { readdir, readlink } from 'node:fs/promises'
import { join } from 'node:path'

type Pid = number | 'self'

/**
 * The files in `folder` and below that are there or that one of the processes has open, each by its path;
 * Linux adds ' (deleted)' to the path of one that has no name any more.
 */
export async function filesOf(folder: string, pids: readonly Pid[] = ['self']): Promise<string[]> {
  const open = (await Promise.all(pids.map(openFiles))).flat()
  const entries = await readdir(folder, { recursive: true, withFileTypes: true })
  const named = entries.filter((entry) => entry.isFile())
  return [
    ...new Set(
      [...open, ...named.map(({ parentPath, name }) => join(parentPath, name))].filter((path) =>
        path.startsWith(`${folder}/`),
      ),
    ),
  ]
}

async function openFiles(pid: Pid): Promise<string[]> {
  const descriptors = await readdir(`/proc/${pid}/fd`)
  // It may be closed by now.
  return await Promise.all(
    descriptors.map((descriptor) => readlink(`/proc/${pid}/fd/${descriptor}`).catch(() => '')),
  )
}
