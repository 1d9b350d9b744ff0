/**
 * Which `@media` and other at-rules apply where mail is read (Media Queries 4, CSS Conditional 3),
 * taken to be a screen of common size. Rules for narrow screens, dark themes and paper do not apply;
 * for all other conditions it is unknown.
 */
import { readPixels } from './css-values.ts'

/** Whether the rules inside apply where the message is read. */
export type Applies = 'yes' | 'no' | 'unknown'

/** The range of the widths of windows and screens, in CSS pixels. Phones are narrower, and have rules of their own. */
const WIDTH_MIN_PX = 600
const WIDTH_MAX_PX = 1_600

/** Queries of one list that are read. Stops lists of a megabyte. */
const QUERIES_MAX = 16

/** How the rules of an at-rule apply, from what stands before its block: '@media screen'. */
export function appliesAtRule(prelude: string): Applies {
  const text = prelude.toLowerCase()
  const name = /^@[\w-]+/.exec(text)?.[0] ?? ''
  const rest = text.slice(name.length).trim()
  switch (name) {
    case '@media':
      return appliesMedia(rest)
    case '@supports':
      return SUPPORTED.test(rest) ? 'yes' : 'unknown'
    case '@layer':
    case '@scope':
    case '@container':
    case '@starting-style':
    case '@document':
    case '@-moz-document':
      // Rules in a layer yield to those outside of it, wherever they stand.
      return 'unknown'
    default:
      return 'no'
  }
}

/** What every browser supports. */
const SUPPORTED = /^\(\s?display\s?:\s?(?:block|none|inline|inline-block|flex|grid|table)\s?\)$/

/** Whether the medium is among those of a list, as in a media attribute; an empty list has all. */
export function appliesMedia(list: string): Applies {
  const found = list.split(',', QUERIES_MAX).map((query) => appliesQuery(query.trim()))
  if (found.includes('yes')) return 'yes'
  return found.includes('unknown') ? 'unknown' : 'no'
}

function appliesQuery(query: string): Applies {
  if (query === '') return 'yes'
  if (/^not\s+(?:screen|all)$/.test(query)) return 'no'
  const words = query.split(/\band\b/, QUERIES_MAX).map((word) => word.trim())
  const found = words.map(appliesFeature)
  if (found.includes('no')) return 'no'
  return found.includes('unknown') ? 'unknown' : 'yes'
}

/** Media types on which no mail is read, and features of some devices that honest mail has rules for. */
const ELSEWHERE =
  /^(?:(?:only\s+)?(?:print|speech|tty|tv|projection|handheld|braille|embossed|aural)$|\((?:prefers-|forced-colors|max-device-|device-width|orientation|-ms-high|-moz-|any-hover|hover|pointer))/

function appliesFeature(feature: string): Applies {
  if (/^(?:only\s+)?(?:screen|all)$/.test(feature)) return 'yes'
  if (ELSEWHERE.test(feature)) return 'no'
  const [, bound, value = ''] =
    /^\((min|max)-(?:device-)?width\s?:([^)]{1,64})\)$/.exec(feature) ?? []
  const pixels = readPixels(value.trim())
  if (bound === undefined || pixels === undefined) return 'unknown'
  if (bound === 'min') return pixels <= WIDTH_MIN_PX ? 'yes' : 'no'
  return pixels >= WIDTH_MAX_PX ? 'yes' : 'no'
}
