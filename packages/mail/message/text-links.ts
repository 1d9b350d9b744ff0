/**
 * Links in text, plain or shown by HTML, where no markup says where they end.
 *
 * A link is what mail clients make clickable: an address with its scheme, a name that begins with
 * `www.`, or a host with a path, if the host has an ending under which names are registered. A host
 * alone is none: `README.md` and `Node.js` are no links. RFC 3986 appendix C puts links in angle
 * brackets or quotes; people put them into sentences, so that the full stop or the bracket after a link
 * belongs to the sentence.
 */
import { hasKnownSuffix } from './domain.ts'
import { LINK_LENGTH_MAX, LINKS_MAX } from './limits.ts'
import { unitTable } from './unit-table.ts'

/** Where a link begins; or the slash before the path of one that begins further left. */
const LINK_START = /(?:https?|ftp):\/\/|(?<![\w@./-])www\.|(?<=[\p{L}\p{N}])\//giu

/** A link ends at white space, at a bracket or quotation mark that no address has, or at East Asian punctuation. */
const LINK_END =
  /[\s<>"\u00ab\u00bb\u2018-\u201f\u2039\u203a\u3000-\u3002\u3008-\u3011\uff01\uff08\uff09\uff0c\uff1a\uff1b\uff1f]/g

/** What a host is written with, its port included. */
const HOST_UNIT = /[\p{L}\p{M}\p{N}.:-]/gu

const ENDS_LINK = 1
const OF_HOST = 2
const UNITS = unitTable([ENDS_LINK, LINK_END], [OF_HOST, HOST_UNIT])

/** What stands before a host that is part of something else: of a mail address, a path, a parameter. */
const JOINS_WORDS = /[\w@/\\%+=&]/

/** Characters of a host and its port: DNS allows 253 (RFC 1035 §2.3.4). */
const HOST_LENGTH_MAX = 260

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
  let previousEnd = 0
  LINK_START.lastIndex = 0
  for (let found = LINK_START.exec(text); found !== null; found = LINK_START.exec(text)) {
    const { index } = found
    const isPath = found[0] === '/'
    const start = isPath ? hostStart(text, index, previousEnd) : index
    if (start === undefined) continue
    const end = linkEnd(text, LINK_START.lastIndex)
    if (end === LINK_START.lastIndex && !isPath) continue
    LINK_START.lastIndex = end
    previousEnd = end
    const link = trimEnd(text.slice(start, Math.min(end, start + LINK_LENGTH_MAX)))
    if (/^(?:\w+:\/\/|www)$/i.test(link)) continue
    links.push(/^(?:https?|ftp):\/\//i.test(link) ? link : `http://${link}`)
    if (links.length >= LINKS_MAX) break
  }
  return links
}

/** Where the host before the slash at `slash` begins, not before `from`; undefined where none stands there. */
function hostStart(text: string, slash: number, from: number): number | undefined {
  const first = Math.max(from, slash - HOST_LENGTH_MAX)
  let start = slash
  while (start > first && (UNITS[text.charCodeAt(start - 1)]! & OF_HOST) !== 0) start--
  const written = text.slice(start, slash)
  const end = written.length - (/:\d{1,5}$/.exec(written)?.[0].length ?? 0)
  // As in 'URL:example.com/a'.
  let at = written.lastIndexOf(':', end - 1) + 1
  while (at < end && /[.-]/.test(written.charAt(at))) at++
  const before = at > 0 ? written.charAt(at - 1) : text.charAt(start - 1)
  if (JOINS_WORDS.test(before)) return undefined
  const host = withoutSentence(written.slice(at, end))
  return hasKnownSuffix(host) ? start + end - host.length : undefined
}

/** `host` without the letters of a sentence in a script that writes no spaces, as in '请看example.com'. */
function withoutSentence(host: string): string {
  let ascii = host.length
  while (ascii > 0 && host.charCodeAt(ascii - 1) < 0x80) ascii--
  const rest = host.slice(ascii)
  return /\p{Lo}$/u.test(host.slice(0, ascii)) && /^[a-z\d].*\./i.test(rest) ? rest : host
}

function linkEnd(text: string, start: number): number {
  const { length } = text
  let end = start
  while (end < length && (UNITS[text.charCodeAt(end)]! & ENDS_LINK) === 0) end++
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
