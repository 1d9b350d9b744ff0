/**
 * The host-suffix and path-prefix expressions of a URL: the names under which a list may hold it, from
 * the exact URL to the whole host.
 *
 * Safe Browsing, "URLs and Hashing", Suffix/Prefix Expressions: the host and up to four shorter
 * ones, made of its last five labels, each with up to six paths. Scheme, user and port do not
 * count.
 */
import type { CanonicalUrl } from './canonical.ts'

/** A host is first shortened to this many labels; the document goes down to two. */
const SUFFIX_LABELS_MAX = 5
const SUFFIX_LABELS_MIN = 2

/**
 * How much an expression leaves out. `exact`: nothing. `page`: the query. `host`: the whole path, so
 * that it is the root of the host or of one above it.
 */
export type Scope = 'exact' | 'page' | 'host'

export interface Expression {
  /** Host, path and query, without scheme: 'example.com/a/b.html?c=d'. */
  readonly text: string
  readonly scope: Scope
}

/** The expression of the URL itself, under which a feed's entry is kept. */
export function exactExpression({ host, path, query }: CanonicalUrl): string {
  // A question mark with nothing after it asks for the same page.
  return query ? `${host}${path}?${query}` : host + path
}

/** The expressions that leave out only the whole query or the whole path, the exact one first: not those of folders, nor the path under another host. */
export function ownExpressions(url: CanonicalUrl): Expression[] {
  const { host, path, query } = url
  const text = exactExpression(url)
  const own: Expression[] = [{ text, scope: 'exact' }]
  // All are slices of one string, which costs less than building each.
  if (query && path !== '/') {
    own.push({ text: text.slice(0, host.length + path.length), scope: 'page' })
  }
  for (const start of hostStarts(host)) {
    const isExact = start === 0 && path === '/' && !query
    if (!isExact) own.push({ text: text.slice(start, host.length + 1), scope: 'host' })
  }
  return own
}

/** Where in `host` the host itself begins, and the shorter hosts that are left when labels are removed from the left. An IP address stays whole. */
function hostStarts(host: string): number[] {
  const starts = [0]
  // No top-level domain ends in a digit, and every IPv4 address does.
  if (host.endsWith(']') || /\d$/.test(host)) return starts
  let dot = host.lastIndexOf('.')
  // Each round adds a label.
  for (let labels = SUFFIX_LABELS_MIN; labels <= SUFFIX_LABELS_MAX && dot > 0; labels += 1) {
    dot = host.lastIndexOf('.', dot - 1)
    if (dot >= 0) starts.push(dot + 1)
  }
  return starts
}
