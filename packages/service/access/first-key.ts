/** The first key of an installation, which the operator puts into a file (TAMIS_API_KEY_FILE). */
import { readFileSync } from 'node:fs'
import { TamisError } from '../../errors/errors.ts'
import { systemFault } from '../../terminal/system-fault.ts'
import type { Store } from '../store/store.ts'
import { keyHash } from './access.ts'
import { ENTITLEMENTS, SCOPES } from './caller.ts'

/** Said when the first key is added: who had none until then is refused from now on. */
export const NEEDED_FROM_NOW_ON =
  'This is the first key. From now on every request over HTTP needs one, also those of programs that run already. The commands take it from TAMIS_API_KEY or the file of --key-file (TAMIS_KEY_FILE), Dovecot from key_file in tamis.conf, other programs send "Authorization: Bearer KEY". Until then mail passes unjudged'

/** The shortest key that is accepted, in characters: short ones can be guessed. */
const KEY = /^[\w-]{32,200}$/

/**
 * Adds the key in `file`, with all scopes, unless the store already has it. Does nothing if there is no file.
 *
 * @returns whether it is the first key of this store, from which on keys are needed.
 * @throws TamisError CONFIG_INVALID when there is no key in it, or one that has been revoked.
 */
export async function addFirstKey(store: Store, file: string | undefined): Promise<boolean> {
  if (file === undefined) return false
  const hash = keyHash(readKeyFile(file))
  const isThere = async () => (await store.keys()).some((key) => hash.equals(key.hash))
  if (await isThere()) return false
  const isFirst = !(await store.keysNeeded())
  try {
    await store.addKey({
      name: 'TAMIS_API_KEY_FILE',
      hash,
      scopes: SCOPES,
      entitlements: ENTITLEMENTS,
    })
    return isFirst
  } catch (cause) {
    if (cause instanceof TamisError) throw cause
    // Another replica may have added it first.
    if (await isThere()) return false
    throw new TamisError(
      'CONFIG_INVALID',
      `TAMIS_API_KEY_FILE is "${file}", but its key has been revoked; put another key into the file`,
      { cause },
    )
  }
}

function readKeyFile(file: string): string {
  let text: string
  try {
    text = readFileSync(file, 'utf8').trim()
  } catch (cause) {
    const why = `which cannot be read: ${systemFault(cause)}`
    throw new TamisError('CONFIG_INVALID', `TAMIS_API_KEY_FILE is "${file}", ${why}`, { cause })
  }
  if (KEY.test(text)) return text
  throw new TamisError(
    'CONFIG_INVALID',
    `TAMIS_API_KEY_FILE is "${file}", which has no key; allowed: one line of at least 32 letters, digits, - and _`,
  )
}
