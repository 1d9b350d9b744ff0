/**
 * Links in plain text, where no markup says where they end.
 *
 * A link is what mail clients make clickable: an address with its scheme, or a name that begins with
 * `www.`. RFC 3986 appendix C puts links in angle brackets or quotes; people put them into sentences,
 * so that the full stop or the bracket after a link belongs to the sentence.
 */
import { LINK_LENGTH_MAX, LINKS_MAX } from './limits.ts'
import { unitTable } from './unit-table.ts'

const LINK_START = /(?:https?|ftp):\/\/|(?<![\w@./-])www\./gi

/** A link ends at white space, at a bracket or quotation mark that no address has, or at East Asian punctuation. */
const LINK_END =
  /[\s<>"\u00ab\u00bb\u2018-\u201f\u2039\u203a\u3000-\u3002\u3008-\u3011\uff01\uff08\uff09\uff0c\uff1a\uff1b\uff1f]/g

const ENDS_LINK = unitTable([1, LINK_END])

const SENTENCE_END = new Set(".,;:!?'*_~`|\\")

/** Closing brackets, each with the one that opens. */
const BRACKETS: ReadonlyMap<string, string> = new Map([
  [')', '('],
  [']', '['],
  ['}', '{'],
])

/**
 * The http, https and ftp links in `text`, in order, with repetitions; at most LINKS_MAX, each of at
 * most LINK_LENGTH_MAX characters. A link without a scheme is given with `http://`, as a mail client
 * opens it.
 */
export function findLinks(text: string): string[] {
  const links: string[] = []
  LINK_START.lastIndex = 0
  for (let found = LINK_START.exec(text); found !== null; found = LINK_START.exec(text)) {
    const end = linkEnd(text, LINK_START.lastIndex)
    if (end === LINK_START.lastIndex) continue
    LINK_START.lastIndex = end
    const link = trimEnd(text.slice(found.index, Math.min(end, found.index + LINK_LENGTH_MAX)))
    if (/^(?:\w+:\/\/|www)$/i.test(link)) continue
    links.push(/^www/i.test(link) ? `http://${link}` : link)
    if (links.length >= LINKS_MAX) break
  }
  return links
}

function linkEnd(text: string, start: number): number {
  const { length } = text
  let end = start
  while (end < length && ENDS_LINK[text.charCodeAt(end)] === 0) end++
  return end
}

/** The link without punctuation at its end, and without closing brackets that nothing in the link opens. */
function trimEnd(link: string): string {
  let surplus: Map<string, number> | undefined
  let end = link.length
  while (end > 0) {
    const last = link.charAt(end - 1)
    if (BRACKETS.has(last)) {
      surplus ??= surplusBrackets(link)
      const unopened = surplus.get(last)!
      if (unopened <= 0) break
      surplus.set(last, unopened - 1)
    } else if (!SENTENCE_END.has(last)) break
    end--
  }
  return link.slice(0, end)
}

/** For each kind of bracket, by its closing one: how many more are closed than opened. */
function surplusBrackets(link: string): Map<string, number> {
  const surplus = new Map<string, number>()
  for (const [closing, opening] of BRACKETS) {
    surplus.set(closing, countOf(link, closing) - countOf(link, opening))
  }
  return surplus
}

function countOf(link: string, character: string): number {
  let count = 0
  for (let at = link.indexOf(character); at >= 0; at = link.indexOf(character, at + 1)) count++
  return count
}
