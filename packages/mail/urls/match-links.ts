/**
 * Which links of a message stand in a URL feed.
 *
 * A feed names pages, and is taken at its word: the very URL counts, its page with another query
 * counts where the feed names no query, and a whole host only where the feed names the bare
 * host. On hosts that strangers share only the very URL counts (shared-hosts.ts). Fragments
 * never reach a server and do not count. Folders above a listed page are nobody's evidence.
 */
import { LINKS_MAX } from '../message/limits.ts'
import { browserReading } from './browser-reading.ts'
import { canonicalUrl } from './canonical.ts'
import { ownExpressions } from './expressions.ts'
import { type FeedEntry, type FeedTable, findEntry } from './feed-table.ts'
import { WRAPPERS_MAX, wrapperTarget } from './unwrap.ts'

/** A link that stands in a feed. */
export interface FeedHit extends FeedEntry {
  /** As it stands in the message: for the diagnostic, never for a log. */
  readonly href: string
  /** What of it, or of the link that it wraps, the feed holds: 'example.com/a?b=c'. */
  readonly expression: string
}

/** For each different link at most one hit, in order; links past LINKS_MAX are not looked at. */
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
