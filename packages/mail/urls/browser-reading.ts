/**
 * Where a browser goes when a link is clicked, for links that are not plainly written.
 *
 * The rules of Safe Browsing begin after a browser has read the URL. That matters where a sender uses
 * the difference: only the browser's rules (WHATWG URL) say where `http://good.example\@evil.example/`
 * and `http:evil.example` lead.
 */
import { parseUrl } from '../message/domain.ts'

/** A URL whose authority needs no interpretation and in which no backslash stands for a slash. */
const PLAIN = /^https?:\/\/[a-z0-9.-]+(?::\d+)?(?:[/?#][!-[\]-~]*)?$/i

const WEB_SCHEMES: ReadonlySet<string> = new Set(['http:', 'https:', 'ftp:'])

/** `href` as a browser reads it, without the user; unchanged when it is plain or no browser could open it. */
export function browserReading(href: string): string {
  if (PLAIN.test(href)) return href
  const url = parseUrl(href)
  if (url === null || !WEB_SCHEMES.has(url.protocol)) return href
  return `${url.protocol}//${url.host}${url.pathname}${url.search}${url.hash}`
}
