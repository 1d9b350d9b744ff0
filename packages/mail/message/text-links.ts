/**
 * Links in plain text, where no markup says where they end.
 *
 * A link is what mail clients make clickable: an address with its scheme, or a name that begins with
 * `www.`. RFC 3986 appendix C puts links in angle brackets or quotes; people put them into sentences,
 * so that the full stop or the bracket after a link belongs to the sentence.
 */
import { LINK_LENGTH_MAX, LINKS_MAX } from './limits.ts'

/** A link ends at white space, at a bracket or quotation mark that no address has, or at East Asian punctuation. */
const CANDIDATE =
  /(?:(?:https?|ftp):\/\/|(?<![\w@./-])www\.)[^\s<>"\u00ab\u00bb\u2018-\u201f\u2039\u203a\u3000-\u3002\u3008-\u3011\uff01\uff08\uff09\uff0c\uff1a\uff1b\uff1f]+/gi

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
  for (const [candidate] of text.matchAll(CANDIDATE)) {
    const link = trimEnd(candidate.slice(0, LINK_LENGTH_MAX))
    if (/^(?:\w+:\/\/|www)$/i.test(link)) continue
    links.push(/^www/i.test(link) ? `http://${link}` : link)
    if (links.length >= LINKS_MAX) break
  }
  return links
}

/** The link without punctuation at its end, and without closing brackets that nothing in the link opens. */
function trimEnd(link: string): string {
  if (!canEndBeyondLink(link)) return link
  const surplus = surplusBrackets(link)
  let end = link.length
  while (end > 0) {
    const last = link.charAt(end - 1)
    const opening = BRACKETS.get(last)
    const unopened = opening !== undefined ? (surplus.get(opening) ?? 0) : 0
    if (unopened > 0) surplus.set(opening as string, unopened - 1)
    else if (!SENTENCE_END.has(last)) break
    end--
  }
  return link.slice(0, end)
}

/** Whether brackets have to be counted at all: most links end in a letter or a digit. */
function canEndBeyondLink(link: string): boolean {
  const last = link.charAt(link.length - 1)
  return SENTENCE_END.has(last) || BRACKETS.has(last)
}

/** For each kind of bracket, by its opening one: how many more are closed than opened. */
function surplusBrackets(link: string): Map<string, number> {
  const surplus = new Map<string, number>()
  for (const character of link) {
    const opening = BRACKETS.get(character)
    if (opening !== undefined) surplus.set(opening, (surplus.get(opening) ?? 0) + 1)
    else if ('([{'.includes(character)) surplus.set(character, (surplus.get(character) ?? 0) - 1)
  }
  return surplus
}
