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
  /** Time between two attempts to read it. */
  readonly intervalMs: number
}

export interface RemoteSource extends SourceBase {
  readonly kind: 'remote'
  /** The address, which is a secret. */
  readonly address: string
  readonly userAgent: string
}

export interface FileSource extends SourceBase {
  readonly kind: 'file'
  readonly path: string
}

/** A source that only `tamis feeds import` fills. */
export interface ImportedSource extends SourceBase {
  readonly kind: 'imported'
}

/** PhishTank is published every hour and refuses clients that come more often (massive-octo-spice#336: 509 after 75 requests in 72 hours). */
const PHISHTANK_INTERVAL_MS = HOUR_MS

/** OpenPhish updates its public feed twice a day, as it says; SpamAssassin asks every six hours. */
const OPENPHISH_INTERVAL_MS = 6 * HOUR_MS

/** URLhaus is published every five minutes; once an hour is enough for mail. */
const URLHAUS_INTERVAL_MS = HOUR_MS

/** A file on disk costs nothing to look at. */
const FILE_INTERVAL_MS = MINUTE_MS

/** PhishTank wants to know who asks: phishtank/<user name>. */
const PHISHTANK_USER = 'tamis'

const USER_AGENT = 'tamis (URL feed download)'

/** Keys are letters and digits everywhere so far. */
const KEY = '[\\w-]{1,200}'

const PHISHTANK = new RegExp(`^phishtank(?::(${KEY})(?::(${KEY}))?)?$`)
const URLHAUS = new RegExp(`^urlhaus:(${KEY})$`)
const MIRROR = /^(phishtank|openphish|urlhaus)\+(https?:\/\/\S+)$/
const FILE = /^file:(\/\S.*)$/

/** The allowed values of TAMIS_FEEDS, in words. */
export const FEEDS_ALLOWED =
  'a list, separated by commas, of: `phishtank`, `phishtank:KEY`, `phishtank:KEY:USER`, `openphish`, `urlhaus:KEY`, `file:/path`, `imported`, or one of `phishtank`, `openphish` and `urlhaus` with the https address of a mirror as in `phishtank+https://example.com/online-valid.csv.gz`'

/**
 * The sources that `text` names, in its order; none for an empty text.
 *
 * @throws TamisError CONFIG_INVALID that says which of them is not allowed, without quoting it, since it
 *   may hold a key.
 */
export function feedSources(text: string): FeedSource[] {
  if (text.trim() === '') return []
  const sources = text.split(',').map((item, i) => {
    const source = sourceOf(item.trim())
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
  if (item === 'imported') {
    return { kind: 'imported', name: item, id: item, intervalMs: FILE_INTERVAL_MS }
  }
  if (item === 'openphish') {
    const address =
      'https://raw.githubusercontent.com/openphish/public_feed/refs/heads/main/feed.txt'
    return remote('openphish', address)
  }
  return phishTank(item) ?? urlHaus(item) ?? mirror(item) ?? file(item)
}

function phishTank(item: string): FeedSource | undefined {
  const match = PHISHTANK.exec(item)
  if (match === null) return undefined
  const [, key, user = PHISHTANK_USER] = match
  const folder = key === undefined ? '' : `${key}/`
  const address = `https://data.phishtank.com/data/${folder}online-valid.csv.gz`
  return { ...remote('phishtank', address), id: 'phishtank', userAgent: `phishtank/${user}` }
}

function urlHaus(item: string): FeedSource | undefined {
  const key = URLHAUS.exec(item)?.[1]
  if (key === undefined) return undefined
  const address = `https://urlhaus-api.abuse.ch/files/exports/recent.csv?auth-key=${key}`
  return { ...remote('urlhaus', address), id: 'urlhaus' }
}

function mirror(item: string): FeedSource | undefined {
  const [, name, address] = MIRROR.exec(item) ?? []
  if (name === undefined || address === undefined || !isAllowedAddress(address)) return undefined
  return remote(name as RemoteName, address)
}

type RemoteName = 'phishtank' | 'openphish' | 'urlhaus'

const INTERVALS: Readonly<Record<RemoteName, number>> = {
  phishtank: PHISHTANK_INTERVAL_MS,
  openphish: OPENPHISH_INTERVAL_MS,
  urlhaus: URLHAUS_INTERVAL_MS,
}

function remote(name: RemoteName, address: string): RemoteSource {
  return {
    kind: 'remote',
    name,
    id: `${name}-${digest(address)}`,
    address,
    userAgent: name === 'phishtank' ? `phishtank/${PHISHTANK_USER}` : USER_AGENT,
    intervalMs: INTERVALS[name],
  }
}

function file(item: string): FeedSource | undefined {
  const path = FILE.exec(item)?.[1]
  if (path === undefined) return undefined
  const name = `file:${path.slice(path.lastIndexOf('/') + 1)}`
  return { kind: 'file', name, id: `file-${digest(path)}`, path, intervalMs: FILE_INTERVAL_MS }
}

/** Enough of a checksum to tell a few sources apart, and too little to give a key away. */
function digest(text: string): string {
  return createHash('sha256').update(text).digest('hex').slice(0, 8)
}
