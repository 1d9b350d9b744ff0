/**
 * The settings in use in words, for whoever may look at them.
 *
 * Every tenant's admin may. So no secret is in them and no path, and of settings that name users or domains only
 * how many they name: they may be another tenant's.
 */
import { type Config, type SettingSource, settings } from './config.ts'
import { dnsListsOf } from './dns-lists/settings.ts'
import { feedSources } from './feeds/sources.ts'

/** What a setting is about. */
export const SETTING_GROUPS = [
  'thresholds',
  'senders',
  'feeds',
  'lists',
  'scanner',
  'learning',
  'history',
] as const

export const SETTING_SOURCES = ['default', 'environment', 'file'] as const

type SettingGroup = (typeof SETTING_GROUPS)[number]

export interface SettingInUse {
  readonly group: SettingGroup
  /** Its name in the settings file. */
  readonly key: string
  /** Its name in the environment. */
  readonly environment: string
  /** '' for none. */
  readonly value: string
  readonly source: SettingSource
}

/** The settings of `config` that say something of verdicts, group by group. */
export function settingsInUse(config: Config): SettingInUse[] {
  return SHOWN.map(({ group, key, value }) => ({
    group,
    key,
    environment: ENVIRONMENT_NAMES.get(key)!,
    value: value(config),
    source: config.sources?.[key] ?? 'default',
  }))
}

type Key = Exclude<keyof Config, 'sources'>

interface Shown {
  readonly group: SettingGroup
  readonly key: Key
  readonly value: (config: Config) => string
}

const SHOWN: readonly Shown[] = [
  shown('thresholds', 'threshold'),
  counted('thresholds', 'recipientThresholds'),
  shown('thresholds', 'spamPrior'),
  shown('senders', 'authDns'),
  shown('senders', 'authTimeoutMs'),
  shown('senders', 'trustedAuthservIds'),
  counted('senders', 'ownDomains'),
  { group: 'feeds', key: 'feeds', value: ({ feeds }) => names(feedSources(feeds)) },
  { group: 'lists', key: 'dnsLists', value: ({ dnsLists }) => names(dnsListsOf(dnsLists)) },
  // Not where it listens: a path, or a host of the operator's.
  { group: 'scanner', key: 'clamd', value: ({ clamd }) => (clamd === '' ? 'off' : 'on') },
  shown('scanner', 'clamdTimeoutMs'),
  shown('learning', 'learning'),
  counted('learning', 'learningOffFor'),
  shown('learning', 'correspondents'),
  shown('learning', 'memorySubjects'),
  shown('learning', 'retentionDays'),
  shown('history', 'historyDays'),
  shown('history', 'historyEntriesMax'),
]

function shown(group: Shown['group'], key: Key): Shown {
  return { group, key, value: (config) => [config[key]].flat().join(', ') }
}

/** What names users and domains, which may be another tenant's. */
function counted(group: Shown['group'], key: Key): Shown {
  const value = (config: Config) => {
    const { length } = [config[key]].flat()
    return length === 0 ? '' : `${length} named`
  }
  return { group, key, value }
}

function names(named: readonly { readonly name: string }[]): string {
  return named.map(({ name }) => name).join(', ')
}

const ENVIRONMENT_NAMES: ReadonlyMap<string, string> = new Map(
  settings().map(({ key, environment }) => [key, environment]),
)
