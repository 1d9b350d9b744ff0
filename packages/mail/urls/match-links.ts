/**
 * Finds the links of a message that are in a URL feed.
 *
 * A feed names pages and is taken literally: the exact URL matches; the page with another query matches
 * when the feed names no query; and a whole host matches only when the feed names the bare host. On
 * hosts shared by strangers only the exact URL matches (shared-hosts.ts). Fragments never reach a server
 * and are ignored. Folders above a listed page are not evidence.
 */
import { LINKS_MAX } from '../message/limits.ts'
import { browserReading } from './browser-reading.ts'
import { canonicalUrl } from './canonical.ts'
import { ownExpressions } from './expressions.ts'
import { type FeedEntry, type FeedTable, findEntry } from './feed-table.ts'
import { WRAPPERS_MAX, wrapperTarget } from './unwrap.ts'

/** A link that is in a feed. */
export interface FeedHit extends FeedEntry {
  /** The link as in the message: for the diagnostic, never for a log. */
  readonly href: string
  /** The expression of the link, or of the link that it wraps, that the feed holds: 'example.com/a?b=c'. */
  readonly expression: string
}

/** At most one hit for each different link, in order; links past LINKS_MAX are not looked at. */
export function matchLinks(table: FeedTable, hrefs: readonly string[]): FeedHit[] {
  const hits: FeedHit[] = []
  for (const href of new Set(hrefs.slice(0, LINKS_MAX))) {
    const hit = matchLink(table, href)
    if (hit !== undefined) hits.push(hit)
  }
  return hits
}

function matchLink(table: FeedTable, href: string): FeedHit | undefined {
  let link: string | undefined = href
  for (let depth = 0; depth <= WRAPPERS_MAX && link !== undefined; depth += 1) {
    const reading = browserReading(link)
    const url = canonicalUrl(reading)
    if (url === undefined) return undefined
    for (const expression of ownExpressions(url)) {
      const entry = findEntry(table, expression)
      if (entry !== undefined) return { href, ...entry, expression: expression.text }
    }
    link = wrapperTarget(reading, url.host)
  }
  return undefined
}
