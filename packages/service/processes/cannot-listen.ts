import { TamisError } from '../../mail/errors.ts'
import { systemFault } from '../../terminal/system-fault.ts'
import type { Config } from '../config.ts'

/** The error where nobody can listen, because of `cause`. */
export function cannotListen(
  { host, port }: Pick<Config, 'host' | 'port'>,
  cause: unknown,
): TamisError {
  return new TamisError(
    'CONFIG_INVALID',
    `Cannot listen on TAMIS_HOST "${host}", TAMIS_PORT ${port}: ${systemFault(cause)}`,
    { cause },
  )
}
