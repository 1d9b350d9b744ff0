/**
 * The lists that the knowledge of senders and hosts is made from (docs/data.md): facts that
 * others have gathered, none of their prose.
 */
import type { DomainKind } from '../../mail/knowledge/domain-table.ts'

export interface Source {
  /** As NOTICE and the manifest name it. */
  readonly name: string
  /** Of the list, as far as it says so itself. */
  readonly date: string
  readonly licence: string
}

/** A file of names, one a line; a dot before a name means that what is below it counts, as it always does here. */
export interface NameFile extends Source {
  readonly file: string
  readonly kind: DomainKind
}

/** When the lists were gathered that bear no date of their own. */
const GATHERED = 'gathered in November 2026'

const MISP = { date: GATHERED, licence: 'CC0-1.0' }

/** In this order: a name that stands in several is of the first one's kind. */
export const NAME_FILES: readonly NameFile[] = [
  {
    file: 'url_shorteners.txt',
    kind: 'redirector',
    name: 'MISP warning lists: shorteners',
    ...MISP,
  },
  {
    file: 'link_in_bio.txt',
    kind: 'redirector',
    name: 'MISP warning lists: pages of links',
    ...MISP,
  },
  { file: 'abused_hosting.txt', kind: 'pages', name: 'MISP warning lists: hosting', ...MISP },
  {
    file: 'dynamic_dns.txt.gz',
    kind: 'shared',
    name: 'MISP warning lists: dynamic names',
    ...MISP,
  },
  {
    file: 'disposable_domains.txt.gz',
    kind: 'disposable',
    name: 'MISP warning lists: disposable mailboxes',
    ...MISP,
  },
  {
    file: 'mailbox_providers.txt',
    kind: 'mailbox',
    name: 'Thunderbird ISPDB',
    date: GATHERED,
    licence: 'MPL-2.0',
  },
]

/** Tab-separated: a name, and the letters of the lists that it stands in. */
export const KNOWN_FILE = 'known_domains.tsv.gz'

/** Lists of what exists, by their letters. */
export const KNOWN_LISTS: Readonly<Record<string, Source>> = {
  t: { name: 'Tranco, the first 10,000', date: '2025', licence: 'free of charge' },
  m: { name: 'Majestic Million, the first 15,000', date: 'March 2026', licence: 'CC-BY-3.0' },
  u: {
    name: 'Cisco Umbrella, the first 20,000 host names',
    date: 'August 2026',
    licence: 'free of charge',
  },
  o: { name: 'OpenDNS, the first 10,000', date: '2014', licence: 'public domain' },
  b: { name: 'kagisearch/bangs', date: GATHERED, licence: 'MIT' },
  k: {
    name: 'banks: MISP warning lists, AdguardTeam/HttpsExclusions',
    date: GATHERED,
    licence: 'CC0-1.0, MIT',
  },
  n: { name: 'Hipo/university-domains-list', date: GATHERED, licence: 'MIT' },
  g: { name: 'cisagov/dotgov-data', date: GATHERED, licence: 'public domain' },
  '2': { name: '2factorauth', date: GATHERED, licence: 'MIT' },
  p: { name: 'alltheplaces', date: GATHERED, licence: 'CC0-1.0, MIT' },
  i: { name: 'simple-icons', date: GATHERED, licence: 'CC0-1.0' },
  a: { name: 'apple/password-manager-resources', date: GATHERED, licence: 'MIT' },
}

export const NETWORK_FILE: Source & { readonly file: string } = {
  file: 'smtp_sending_networks.txt',
  name: 'MISP warning lists: sending networks',
  ...MISP,
}

/** What is nobody's, beside this file: kind, name and reason. */
export const STRIKE_OUTS = 'strike-outs.tsv'
