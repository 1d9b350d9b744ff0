/** Reads the setting TAMIS_DNS_LISTS: names of presets, and lists that the operator describes. */
import { type Static, Type } from 'typebox'
import { TamisError } from '../../errors/errors.ts'
import { LISTS_LOGIT_MAX } from '../../mail/verdict/list-findings.ts'
import type { DnsList } from './dns-list.ts'
import { PRESET_PATTERN, PRESETS_ALLOWED, presetLists } from './presets.ts'

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
    kind: Type.Union([Type.Literal('ip'), Type.Literal('domain'), Type.Literal('url')]),
    codes: Type.Record(
      Type.String({
        pattern: '^(?:127\\.\\d{1,3}\\.\\d{1,3}\\.\\d{1,3}|bit (?:1|2|4|8|16|32|64|128))$',
      }),
      Type.Object(
        {
          meaning: Type.String({ minLength: 1, maxLength: 100 }),
          logOdds: Type.Number({ exclusiveMinimum: 0, maximum: LISTS_LOGIT_MAX }),
        },
        { additionalProperties: false },
      ),
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
