/** Which settings a reload changes; the others take effect at the next start. */
import type { Config } from './config.ts'

export const LIVE: readonly (keyof Config)[] = [
  'threshold',
  'spamPrior',
  'models',
  'trustedAuthservIds',
  'authDns',
  'feeds',
  'dnsLists',
  'clamd',
  'ownDomains',
  'knownDomains',
  'rules',
  'logLevel',
]

/** `before` with what a reload takes of `next`. */
export function withLiveOf(before: Config, next: Config): Config {
  const live = Object.fromEntries(LIVE.map((name) => [name, next[name]]))
  return { ...before, ...live }
}

/** The settings whose value differs. */
export function changedSettings(before: Config, next: Config): (keyof Config)[] {
  const names = Object.keys(next) as (keyof Config)[]
  return names.filter((name) => JSON.stringify(next[name]) !== JSON.stringify(before[name]))
}
