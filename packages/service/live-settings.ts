/** Which settings a reload changes; the others take effect at the next start. */
import type { Config } from './config.ts'

export const LIVE: readonly (keyof Config)[] = [
  'threshold',
  'recipientThresholds',
  'spamPrior',
  'models',
  'trustedAuthservIds',
  'authDns',
  'authTimeoutMs',
  'feeds',
  'dnsLists',
  'ownDomains',
  'knownDomains',
  'siteRules',
  'logLevel',
]

/** Those of `config`. */
export function liveOf(config: Config): Partial<Config> {
  return Object.fromEntries(LIVE.map((name) => [name, config[name]]))
}
