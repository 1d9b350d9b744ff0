/**
 * The folder for what the service writes. It holds personal data, so only the user that the service runs
 * as may look into it: at the store, and also at its log or a feed.
 */
import { chmod, mkdir, readdir, stat } from 'node:fs/promises'
import { TamisError } from '../errors/errors.ts'
import { systemFault } from '../terminal/system-fault.ts'
import { isRootAmongOthers, otherOwner, ownerText, ownUid, userName } from './file-owner.ts'

const PRIVATE_FOLDER = 0o700

/** The permission bits of group and others. */
const OTHERS = 0o077

/** The entries of a data folder that the service makes, and `written`, which comes with the repository. */
const OURS = /^(tamis\.sqlite(-wal|-shm|-journal)?|feeds|tmp|cache|written)$/

/**
 * Makes `folder`, for this user alone, if it does not exist. An existing folder is closed to others, which closes all that is in
 * it; one that also holds other things is left as it is, since others may need those.
 *
 * @returns a line for the operator about a folder that stays open to others; undefined when it does not.
 * @throws TamisError STORE_UNAVAILABLE when the folder cannot be made or opened; CONFIG_INVALID for root in
 *   a folder of another user.
 */
export async function openDataFolder(folder: string): Promise<string | undefined> {
  await makePrivateFolder(folder)
  refuseRootAmongOthers(folder)
  const names = await readdir(folder).catch((cause: Error) => {
    const text = `Cannot open the folder ${folder}: ${systemFault(cause)}${ownerText(folder)}`
    throw new TamisError('STORE_UNAVAILABLE', text, { cause })
  })
  if (((await stat(folder)).mode & OTHERS) === 0) return undefined
  if (!names.every((name) => OURS.test(name))) {
    return `${folder} is open to other users of this machine and holds other things than Tamis's: close it (chmod 700), or give Tamis a folder of its own`
  }
  try {
    await chmod(folder, PRIVATE_FOLDER)
    return undefined
  } catch (error) {
    return `${folder} is open to other users of this machine and cannot be closed: ${(error as Error).message}`
  }
}

/**
 * Makes `folder`, and those above it, for this user alone, where it does not exist.
 *
 * @throws TamisError STORE_UNAVAILABLE, which says as whom it was tried: `tamis keys` of the Debian package,
 *   run by root, runs as another user.
 */
export async function makePrivateFolder(folder: string): Promise<void> {
  try {
    await mkdir(folder, { recursive: true, mode: PRIVATE_FOLDER })
  } catch (cause) {
    const own = ownUid()
    const whose = own === undefined ? '' : ` -o ${userName(own)}`
    throw new TamisError(
      'STORE_UNAVAILABLE',
      `Cannot create the folder ${folder}: ${systemFault(cause)}${ownerText(folder)}. Create it (install -d -m 700${whose} ${folder}), or name another folder in TAMIS_DATA_DIR`,
      { cause },
    )
  }
}

/** @throws TamisError CONFIG_INVALID for root in a folder of another user, who could not use what root writes there. */
export function refuseRootAmongOthers(folder: string): void {
  if (!isRootAmongOthers(folder)) return
  const owner = userName(otherOwner(folder)!)
  throw new TamisError(
    'CONFIG_INVALID',
    `${folder} belongs to ${owner}, who could not use the files that root writes there; run this as ${owner}, for example with runuser`,
  )
}
