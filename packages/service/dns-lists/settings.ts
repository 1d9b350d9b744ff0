/** Reads the setting TAMIS_DNS_LISTS: names of presets, and lists that the operator describes. */
import { TamisError } from '../../errors/errors.ts'
import { oneOf, optionalNumber, readTable, requiredText } from '../../mail/data-table.ts'
import { LISTS_LOGIT_MAX } from '../../mail/verdict/explain.ts'
import { type Static, Type } from '../json-schema.ts'

/** The lists that Tamis knows by name: zones, codes, what they mean, and what they weigh. */
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
const PRESET_PATTERN = `^(?:${[...PUBLIC.keys()].join('|')}|spamhaus:${KEY})$`

const PRESETS_ALLOWED = [...PUBLIC.keys(), 'spamhaus:KEY']

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

/** Lists asked about one message: with 12 domains and 4 IP addresses each, 128 questions at most. */
const LISTS_MAX = 8

/** Codes of one list; those with most have some twenty. */
const CODES_MAX = 64

/** Longest zone; see NAME_LENGTH_MAX in mail/urls/list-names.ts. */
const ZONE_LENGTH_MAX = 92

const OwnList = Type.Object(
  {
    name: Type.String({ pattern: '^[a-z0-9][a-z0-9-]{0,31}$' }),
    zone: Type.String({
      pattern: '^(?:[a-zA-Z0-9_-]{1,63}\\.)+[a-zA-Z][a-zA-Z0-9-]{1,62}$',
      maxLength: ZONE_LENGTH_MAX,
    }),
    kind: Type.Enum(['ip', 'domain', 'url']),
    codes: Type.Record(
      Type.Object(
        {
          meaning: Type.String({ minLength: 1, maxLength: 100 }),
          logOdds: Type.Number({ exclusiveMinimum: 0, maximum: LISTS_LOGIT_MAX }),
        },
        { additionalProperties: false },
      ),
      '^(?:127\\.\\d{1,3}\\.\\d{1,3}\\.\\d{1,3}|bit (?:1|2|4|8|16|32|64|128))$',
      { additionalProperties: false, minProperties: 1, maxProperties: CODES_MAX },
    ),
  },
  { additionalProperties: false },
)

/** One entry of the setting. */
export const ListSetting = Type.Union([Type.String({ pattern: PRESET_PATTERN }), OwnList], {
  allowed: `${PRESETS_ALLOWED.map((name) => `\`${name}\``).join(', ')}; in the file also lists of your own (docs/lists.md)`,
})

type ListSetting = Static<typeof ListSetting>

/**
 * The lists of the setting, in its order.
 *
 * @throws TamisError CONFIG_INVALID for two lists of one name, and for too many.
 */
export function dnsListsOf(settings: readonly ListSetting[]): DnsList[] {
  const lists = settings.flatMap((setting) =>
    typeof setting === 'string' ? presetLists(setting) : ownList(setting),
  )
  const names = lists.map(({ name }) => name)
  const repeated = names.find((name, at) => names.indexOf(name) !== at)
  if (repeated !== undefined) {
    throw new TamisError('CONFIG_INVALID', `TAMIS_DNS_LISTS has two lists named "${repeated}"`)
  }
  if (lists.length > LISTS_MAX) {
    throw new TamisError(
      'CONFIG_INVALID',
      `TAMIS_DNS_LISTS has ${lists.length} lists (${names.join(', ')}); allowed: ${LISTS_MAX}`,
    )
  }
  return lists
}

function ownList({ codes, ...list }: Static<typeof OwnList>): DnsList {
  return { ...list, codes: new Map(Object.entries(codes)) }
}

/** A DNS list (RFC 5782): a zone in which a name below it stands for a listed address or domain. */

/**
 * What a list knows: `ip` the address of the client that delivers a message, `domain` domains, `url`
 * domains and IP addresses in links.
 */
type ListKind = 'ip' | 'domain' | 'url'

/** What an answer of a list means. */
export interface ListCode {
  readonly meaning: string
  /** What it adds to the log-odds of spam, above 0. */
  readonly logOdds: number
}

export interface DnsList {
  /** The name in the diagnostic, in logs and metrics; the zone may hold a key. */
  readonly name: string
  readonly zone: string
  readonly kind: ListKind
  /** By answer: an address, `127.0.0.2`, or a bit of its last number, `bit 8`. */
  readonly codes: ReadonlyMap<string, ListCode>
}
