/**
 * The store of the settings, as commands open it. Their first line, on standard error, says which it is.
 *
 * A command that runs in another folder than the service, or as root, must not make a second store,
 * nor one that the service cannot read.
 */
import { existsSync } from 'node:fs'
import { isAbsolute, resolve } from 'node:path'
import { TamisError } from '../../errors/errors.ts'
import type { Config } from '../config.ts'
import { otherOwner, ownUid, userName } from '../file-owner.ts'
import { openStore } from '../store/open.ts'
import { schemaState } from '../store/schema-state.ts'
import type { Store } from '../store/store.ts'
import { placeText } from '../store/store-place.ts'

/**
 * Whether a command makes a store where there is none. `where named`: only if the settings name it
 * wherever the command runs, by DATABASE_URL or an absolute TAMIS_DATA_DIR.
 */
export type MayMake = 'never' | 'where named' | 'always'

/** @throws TamisError CONFIG_INVALID where there is no store and none is made; STORE_UNAVAILABLE. */
export async function openOwnStore(config: Config, mayMake: MayMake): Promise<Store> {
  const { version, at } = await schemaState(config)
  if (version === 0) refuseToMake(config, mayMake, at)
  const store = await openStore(config)
  process.stderr.write(`${placeText(store.place)}\n`)
  return store
}

/** @throws TamisError CONFIG_INVALID unless a command that `mayMake` a store makes one at `at`. */
function refuseToMake({ databaseUrl, dataDir }: Config, mayMake: MayMake, at: string): void {
  const isNamed = databaseUrl !== undefined || isAbsolute(dataDir)
  if (mayMake === 'never' || (mayMake === 'where named' && !isNamed)) {
    throw new TamisError(
      'CONFIG_INVALID',
      `There is no store at ${at}. Name the store of the service with TAMIS_CONFIG, TAMIS_DATA_DIR or DATABASE_URL; to create a new one there, run \`tamis migrate\``,
    )
  }
  if (databaseUrl === undefined) refuseForOthers(resolve(dataDir))
}

/** @throws TamisError CONFIG_INVALID where the owner of `folder` could not use a store that this user makes there. */
function refuseForOthers(folder: string): void {
  const own = ownUid()
  const isRoot = own === 0
  if (isRoot && !existsSync(folder)) {
    throw new TamisError(
      'CONFIG_INVALID',
      `${folder} does not exist, and only root could use a folder that root creates. Create it for the user that the service runs as: install -d -m 700 -o USER ${folder}`,
    )
  }
  const owner = otherOwner(folder)
  if (owner === undefined || own === undefined || isRoot) return
  const [its, ours] = [userName(owner), userName(own)]
  throw new TamisError(
    'CONFIG_INVALID',
    `${folder} belongs to ${its}, who could not use a store that ${ours} creates there; run this as ${its}`,
  )
}
