/** The one version of Tamis: that of its package. */
import { readFileSync } from 'node:fs'

/** For example '0.1.0'. */
export function ownVersion(): string {
  const { version } = JSON.parse(
    readFileSync(new URL('../../package.json', import.meta.url), 'utf8'),
  ) as { version: string }
  return version
}
