/**
 * Where a browser goes when a link is clicked, for links that are not plainly written.
 *
 * Safe Browsing leaves the reading of a URL to the browser before its own rules begin. It matters
 * where a sender makes use of the difference: of `http://good.example\@evil.example/` and
 * `http:evil.example` only a browser (WHATWG URL) knows what to make.
 */
import { parseUrl } from '../message/domain.ts'

/** An authority in which nothing has to be interpreted, after which no backslash is a slash. */
const PLAIN = /^https?:\/\/[a-z0-9.-]+(?::\d+)?(?:[/?#][!-[\]-~]*)?$/i

const WEB_SCHEMES: ReadonlySet<string> = new Set(['http:', 'https:', 'ftp:'])

/** `href` as a browser reads it, without user; as it stands where it is plain or no browser could open it. */
export function browserReading(href: string): string {
  if (PLAIN.test(href)) return href
  const url = parseUrl(href)
  if (url === null || !WEB_SCHEMES.has(url.protocol)) return href
  return `${url.protocol}//${url.host}${url.pathname}${url.search}${url.hash}`
}
