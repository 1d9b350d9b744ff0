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
  'clamd',
  'clamdTimeoutMs',
  'ownDomains',
  'knownDomains',
  'siteRules',
  'weightedRules',
  'logLevel',
]

/** `before` with what a reload takes of `next`. */
export function withLiveOf(before: Config, next: Config): Config {
  const live = Object.fromEntries(LIVE.map((name) => [name, next[name]]))
  return { ...before, ...live, sources: mergedSources(before, next) }
}

/** The settings whose value differs; where a value comes from is none. */
export function changedSettings(before: Config, next: Config): (keyof Config)[] {
  const names = (Object.keys(next) as (keyof Config)[]).filter((name) => name !== 'sources')
  return names.filter((name) => JSON.stringify(next[name]) !== JSON.stringify(before[name]))
}

function mergedSources(before: Config, next: Config): NonNullable<Config['sources']> {
  const isLive = new Set<string>(LIVE)
  return Object.fromEntries([
    ...Object.entries(before.sources ?? {}).filter(([name]) => !isLive.has(name)),
    ...Object.entries(next.sources ?? {}).filter(([name]) => isLive.has(name)),
  ])
}
