/** The DNS lists that Tamis knows by name (dns-lists.tsv): zones, codes, what they mean, and what they weigh. */
import { oneOf, optionalNumber, readTable, requiredText } from '../../mail/data-table.ts'
import type { DnsList, ListCode } from './dns-list.ts'

const ROWS = readTable(new URL('dns-lists.tsv', import.meta.url), {
  /** The name in TAMIS_DNS_LISTS. */
  preset: requiredText,
  name: requiredText,
  zone: requiredText,
  kind: oneOf('ip', 'domain', 'url'),
  code: requiredText,
  meaning: requiredText,
  logOdds: requiredNumber,
})

function requiredNumber(text: string): number {
  const number = optionalNumber(text)
  if (number === undefined) throw new RangeError('is empty')
  return number
}

/** Presets that need no key, by name. */
const PUBLIC: ReadonlyMap<string, readonly DnsList[]> = new Map(
  [...Map.groupBy(ROWS, ({ preset }) => preset)].map(([preset, rows]) => [
    preset,
    [...Map.groupBy(rows, ({ name }) => name).values()].map(listOf),
  ]),
)

/** The list whose codes are `rows`. */
function listOf(rows: readonly (typeof ROWS)[number][]): DnsList {
  const { name, zone, kind } = rows[0]!
  const codes = rows.map(({ code, meaning, logOdds }): [string, ListCode] => [
    code,
    { meaning, logOdds },
  ])
  return { name, zone, kind, codes: new Map(codes) }
}

/** Below this name every customer of Spamhaus's query service has zones of their own; the key is a secret. */
const SPAMHAUS_SERVICE = 'dq.spamhaus.net'

/** Keys are letters and digits so far; a key is one label of a name. */
const KEY = '[a-zA-Z0-9]{1,63}'

/** What a preset looks like, for the schema of the setting. */
export const PRESET_PATTERN = `^(?:${[...PUBLIC.keys()].join('|')}|spamhaus:${KEY})$`

export const PRESETS_ALLOWED = [...PUBLIC.keys(), 'spamhaus:KEY']

/** The lists of a preset; `name` matches PRESET_PATTERN. */
export function presetLists(name: string): readonly DnsList[] {
  const known = PUBLIC.get(name)
  if (known !== undefined) return known
  const key = name.slice(name.indexOf(':') + 1).toLowerCase()
  return PUBLIC.get('spamhaus')!.map((list) => ({
    ...list,
    zone: `${key}.${list.zone.replace('spamhaus.org', SPAMHAUS_SERVICE)}`,
  }))
}
