/**
 * The DNS lists that Tamis knows by name: zones, codes, what they mean, and what they weigh.
 *
 * Codes: https://docs.spamhaus.com/datasets (zones), https://surbl.org/lists, https://uribl.com/usage.shtml,
 * https://www.spamcop.net/bl.shtml. Weights and why they are what they are:
 * docs/decisions/0018-dns-lists.md.
 */
import type { DnsList, ListCode } from './dns-list.ts'

function codes(table: Readonly<Record<string, readonly [meaning: string, logOdds: number]>>) {
  return new Map<string, ListCode>(
    Object.entries(table).map(([code, [meaning, logOdds]]) => [code, { meaning, logOdds }]),
  )
}

const ZEN: DnsList = {
  name: 'spamhaus-zen',
  zone: 'zen.spamhaus.org',
  kind: 'ip',
  codes: codes({
    '127.0.0.2': ['spam source', 3],
    '127.0.0.3': ['spam source, found automatically', 3],
    '127.0.0.4': ['infected or abused machine', 3],
    '127.0.0.9': ['hijacked or criminal network', 4],
    '127.0.0.10': ['sends no mail itself, says its provider', 1.5],
    '127.0.0.11': ['sends no mail itself, by its network', 1.5],
    '127.0.0.30': ['botnet server', 4],
  }),
}

const DBL: DnsList = {
  name: 'spamhaus-dbl',
  zone: 'dbl.spamhaus.org',
  kind: 'domain',
  codes: codes({
    '127.0.1.2': ['spam', 4],
    '127.0.1.4': ['phishing', 5],
    '127.0.1.5': ['malware', 5],
    '127.0.1.6': ['botnet server', 5],
    '127.0.1.102': ['legitimate domain abused for spam', 2],
    '127.0.1.103': ['legitimate redirector abused for spam', 1],
    '127.0.1.104': ['legitimate domain abused for phishing', 3],
    '127.0.1.105': ['legitimate domain abused for malware', 3],
    '127.0.1.106': ['legitimate domain abused for a botnet', 3],
  }),
}

const SURBL: DnsList = {
  name: 'surbl',
  zone: 'multi.surbl.org',
  kind: 'url',
  codes: codes({
    'bit 4': ['disposable addresses', 1],
    'bit 8': ['phishing', 5],
    'bit 16': ['malware', 5],
    'bit 32': ['counts clicks in mail that nobody asked for', 1],
    'bit 64': ['spam', 4],
    'bit 128': ['cracked site', 2.5],
  }),
}

const URIBL: DnsList = {
  name: 'uribl',
  zone: 'multi.uribl.com',
  kind: 'url',
  codes: codes({
    'bit 2': ['spam', 4],
    'bit 4': ['mailing service that spammers use', 1],
    'bit 8': ['young domain seen in much mail', 1.5],
  }),
}

const SPAMCOP: DnsList = {
  name: 'spamcop',
  zone: 'bl.spamcop.net',
  kind: 'ip',
  codes: codes({ '127.0.0.2': ['reported as a source of spam', 2] }),
}

/** Presets that need no key, by the name in TAMIS_DNS_LISTS. */
const PUBLIC: Readonly<Record<string, readonly DnsList[]>> = {
  spamhaus: [ZEN, DBL],
  surbl: [SURBL],
  uribl: [URIBL],
  spamcop: [SPAMCOP],
}

/** Below this name every customer of Spamhaus's query service has zones of their own; the key is a secret. */
const SPAMHAUS_SERVICE = 'dq.spamhaus.net'

/** Keys are letters and digits so far; a key is one label of a name. */
const KEY = '[a-zA-Z0-9]{1,63}'

/** What a preset looks like, for the schema of the setting. */
export const PRESET_PATTERN = `^(?:${Object.keys(PUBLIC).join('|')}|spamhaus:${KEY})$`

export const PRESETS_ALLOWED = [...Object.keys(PUBLIC), 'spamhaus:KEY']

/** The lists of a preset; `name` matches PRESET_PATTERN. */
export function presetLists(name: string): readonly DnsList[] {
  const known = PUBLIC[name]
  if (known !== undefined) return known
  const key = name.slice(name.indexOf(':') + 1).toLowerCase()
  return [
    { ...ZEN, zone: `${key}.zen.${SPAMHAUS_SERVICE}` },
    { ...DBL, zone: `${key}.dbl.${SPAMHAUS_SERVICE}` },
  ]
}
