/** The settings in use in words, group by group. */
import type { SettingsResult } from '../../client/types.ts'

type Setting = SettingsResult['settings'][number]

const TITLES: Readonly<Record<Setting['group'], string>> = {
  thresholds: 'Thresholds',
  senders: 'Checks of the sender',
  feeds: 'URL feeds',
  lists: 'DNS lists',
  scanner: 'Virus scanner',
  learning: 'Learning',
  history: 'History',
}

/** In the order of the answer; none is empty. */
export function groupsOf(settings: readonly Setting[]) {
  return Array.from(
    Map.groupBy(settings, ({ group }) => group),
    ([group, those]) => ({ title: TITLES[group], settings: those }),
  )
}

export function valueWords({ key, value }: Setting): string {
  if (key === 'historyDays' && value === '0') return '0: no history is kept'
  return value === '' ? 'none' : value
}

/** 'from the settings file, "threshold"'. */
export function sourceWords({ source, key }: Setting): string {
  if (source === 'file') return `settings file, "${key}"`
  return source
}
