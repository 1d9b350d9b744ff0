/**
 * Where URL feeds come from, as the setting TAMIS_FEEDS names them.
 *
 * A download address may hold a key (PhishTank has it in the path, URLhaus in the query) and is
 * never written to a log or into an error; `name` and `id` stand for it.
 */
import { createHash } from 'node:crypto'
import { TamisError } from '../../errors/errors.ts'

const MINUTE_MS = 60 * 1000
const HOUR_MS = 60 * MINUTE_MS

export type FeedSource = RemoteSource | FileSource | ImportedSource

interface SourceBase {
  /** The name in hits, logs and metrics: 'phishtank', 'file:local.csv'. */
  readonly name: string
  /** The name of its files on disk; it does not depend on the key. */
  readonly id: string
}

export interface RemoteSource extends SourceBase {
  readonly kind: 'remote'
  /** The address, which is a secret. */
  readonly address: string
  readonly userAgent: string
  /** Time between two attempts to read it. */
  readonly intervalMs: number
}

export interface FileSource extends SourceBase {
  readonly kind: 'file'
  readonly path: string
  readonly intervalMs: number
}

/** A source that only `tamis feeds import` fills. */
export interface ImportedSource extends SourceBase {
  readonly kind: 'imported'
}

/** PhishTank wants to know who asks: phishtank/<user name>. */
const PHISHTANK_USER = 'tamis'

/** What publishers allow, and what is enough for mail. */
const PUBLISHERS = {
  // Published every hour; clients that come more often are refused (massive-octo-spice#336: 509 after 75 requests in 72 hours).
  phishtank: { intervalMs: HOUR_MS, userAgent: `phishtank/${PHISHTANK_USER}` },
  // Updated twice a day, as it says; SpamAssassin asks every six hours.
  openphish: { intervalMs: 6 * HOUR_MS, userAgent: 'tamis (URL feed download)' },
  // Published every five minutes.
  urlhaus: { intervalMs: HOUR_MS, userAgent: 'tamis (URL feed download)' },
} as const

/** Keys are letters and digits everywhere so far. */
const KEY = '[\\w-]{1,200}'

/** Each form of an item of TAMIS_FEEDS, and the source that it names. */
const FORMS: readonly [
  form: RegExp,
  sourceOf: (...groups: (string | undefined)[]) => FeedSource | undefined,
][] = [
  [
    new RegExp(`^phishtank(?::(${KEY})(?::(${KEY}))?)?$`),
    (key, user = PHISHTANK_USER) => ({
      ...remote(
        'phishtank',
        `https://data.phishtank.com/data/${key === undefined ? '' : `${key}/`}online-valid.csv.gz`,
      ),
      id: 'phishtank',
      userAgent: `phishtank/${user}`,
    }),
  ],
  [
    /^openphish$/,
    () =>
      remote(
        'openphish',
        'https://raw.githubusercontent.com/openphish/public_feed/refs/heads/main/feed.txt',
      ),
  ],
  [
    new RegExp(`^urlhaus:(${KEY})$`),
    (key) => ({
      ...remote('urlhaus', `https://urlhaus-api.abuse.ch/files/exports/recent.csv?auth-key=${key}`),
      id: 'urlhaus',
    }),
  ],
  [
    /^(phishtank|openphish|urlhaus)\+(https?:\/\/\S+)$/,
    (name, address = '') =>
      isAllowedAddress(address) ? remote(name as keyof typeof PUBLISHERS, address) : undefined,
  ],
  [
    /^file:(\/\S.*)$/,
    (path = '') => ({
      kind: 'file',
      name: `file:${path.slice(path.lastIndexOf('/') + 1)}`,
      id: `file-${digest(path)}`,
      path,
      // A file on disk costs nothing to look at.
      intervalMs: MINUTE_MS,
    }),
  ],
  [/^imported$/, () => ({ kind: 'imported', name: 'imported', id: 'imported' })],
]

/** The allowed values of TAMIS_FEEDS, in words. */
export const FEEDS_ALLOWED =
  'a list, separated by commas, of: `phishtank`, `phishtank:KEY`, `phishtank:KEY:USER`, `openphish`, `urlhaus:KEY`, `file:/path`, `imported`, or one of `phishtank`, `openphish` and `urlhaus` with the https address of a mirror as in `phishtank+https://example.com/online-valid.csv.gz`'

/**
 * The sources that the items of the setting name, in their order.
 *
 * @throws TamisError CONFIG_INVALID that says which of them is not allowed, without quoting it, since it
 *   may hold a key.
 */
export function feedSources(items: readonly string[]): FeedSource[] {
  const sources = items.map((item, i) => {
    const source = sourceOf(item)
    if (source !== undefined) return source
    throw new TamisError(
      'CONFIG_INVALID',
      `Feed ${i + 1} of TAMIS_FEEDS is not allowed; allowed: ${FEEDS_ALLOWED}`,
    )
  })
  const names = sources.map(({ name }) => name)
  const repeated = names.find((name, i) => names.indexOf(name) !== i)
  if (repeated === undefined) return sources
  throw new TamisError('CONFIG_INVALID', `TAMIS_FEEDS names ${repeated} twice; allowed: once`)
}

/** True when feeds may be fetched from `address`: over TLS, or from this machine. */
export function isAllowedAddress(address: string): boolean {
  const url = URL.parse(address)
  if (url === null || url.username !== '' || url.password !== '') return false
  return url.protocol === 'https:' || (url.protocol === 'http:' && LOOPBACK.has(url.hostname))
}

const LOOPBACK: ReadonlySet<string> = new Set(['127.0.0.1', '[::1]', 'localhost'])

function sourceOf(item: string): FeedSource | undefined {
  for (const [form, sourceBy] of FORMS) {
    const match = form.exec(item)
    if (match !== null) return sourceBy(...match.slice(1))
  }
  return undefined
}

function remote(name: keyof typeof PUBLISHERS, address: string): RemoteSource {
  return { kind: 'remote', name, id: `${name}-${digest(address)}`, address, ...PUBLISHERS[name] }
}

/** Enough of a checksum to tell a few sources apart, and too little to give a key away. */
function digest(text: string): string {
  return createHash('sha256').update(text).digest('hex').slice(0, 8)
}
