/** Reads the setting TAMIS_CLAMD: where clamd listens, which is `LocalSocket` or `TCPAddr` and `TCPSocket` in its clamd.conf. */
import type { NetConnectOpts } from 'node:net'
import { TamisError } from '../../errors/errors.ts'

/** A path of at most 107 bytes (unix(7)), or a host and a port, an IPv6 address in brackets. */
export const CLAMD_PATTERN =
  '^(?:|/[!-~]{1,106}|(?:[A-Za-z0-9.-]{1,253}|\\[[0-9a-fA-F:.]{2,45}\\]):[0-9]{1,5})$'

const PORT_MAX = 65_535

/**
 * What to connect to for a setting that matches CLAMD_PATTERN; undefined for an empty one.
 *
 * @throws TamisError CONFIG_INVALID for a port that there is not.
 */
export function clamdAddress(setting: string): NetConnectOpts | undefined {
  if (setting === '') return undefined
  if (setting.startsWith('/')) return { path: setting }
  const colon = setting.lastIndexOf(':')
  const port = Number(setting.slice(colon + 1))
  if (port < 1 || port > PORT_MAX) {
    throw new TamisError(
      'CONFIG_INVALID',
      `TAMIS_CLAMD is "${setting}"; allowed: a port from 1 to ${PORT_MAX}`,
    )
  }
  return { host: setting.slice(0, colon).replace(/^\[|\]$/g, ''), port }
}
