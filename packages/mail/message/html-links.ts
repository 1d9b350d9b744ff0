/**
 * The links of an HTML body: anchors with the text between their tags, addresses in the text that mail
 * clients make links of, and where forms and the like lead.
 *
 * While a link is open, its text is added to the visible or the hidden text like any other. A link only
 * notes where it begins and ends in both, and is cut out of them at the end.
 */
import { parseUrl } from './domain.ts'
import type { FoldedText } from './folded-text.ts'
import { LINK_LENGTH_MAX, LINK_TEXT_LENGTH_MAX, LINKS_MAX } from './limits.ts'
import { findLinks } from './text-links.ts'

export interface HtmlLink {
  /** Attribute value with character references resolved, trimmed; absolute where the document says to what it is relative. */
  readonly href: string
  /** Visible text between the start and the end of the link, its hidden text when `hidden`; white space folded. */
  readonly text: string
  /** True when nothing of it is seen: it is in a hidden box, or has only hidden text and no image. */
  readonly hidden: boolean
}

/** A link, and where its text stands in the visible and in the hidden text. */
interface NotedLink {
  readonly href: string
  readonly boxHidden: boolean
  readonly visibleStart: number
  readonly hiddenStart: number
  visibleEnd: number
  hiddenEnd: number
  hasImage: boolean
}

export class LinkCollector {
  readonly #visible: FoldedText
  readonly #hidden: FoldedText
  readonly #noted: NotedLink[] = []
  readonly #targets: string[] = []
  #open: NotedLink | undefined

  constructor(visible: FoldedText, hidden: FoldedText) {
    this.#visible = visible
    this.#hidden = hidden
  }

  get isOpen(): boolean {
    return this.#open !== undefined
  }

  /** A link begins here, and the one before it ends. Past LINKS_MAX none is noted. */
  start(href: string, boxHidden: boolean): void {
    this.end()
    if (this.#noted.length >= LINKS_MAX) return
    const visibleStart = this.#visible.length
    const hiddenStart = this.#hidden.length
    this.#open = {
      href: href.slice(0, LINK_LENGTH_MAX),
      boxHidden,
      visibleStart,
      hiddenStart,
      visibleEnd: visibleStart,
      hiddenEnd: hiddenStart,
      hasImage: false,
    }
    this.#noted.push(this.#open)
  }

  /** An image stands here: a link around it can be seen, whatever its text. */
  addImage(): void {
    if (this.#open !== undefined) this.#open.hasImage = true
  }

  end(): void {
    if (this.#open === undefined) return
    this.#open.visibleEnd = this.#visible.length
    this.#open.hiddenEnd = this.#hidden.length
    this.#open = undefined
  }

  /** Notes where something leads that is no anchor: a form, a shape in Outlook's VML. */
  addTarget(href: string): void {
    if (href !== '' && this.#targets.length < LINKS_MAX) {
      this.#targets.push(href.slice(0, LINK_LENGTH_MAX))
    }
  }

  /** The anchors. @param base what relative addresses are relative to, where the document says it. */
  links(base: string | undefined): HtmlLink[] {
    const absolute = resolver(base)
    return this.#noted.map((link) => ({
      ...finished(link, this.#visible.text, this.#hidden.text),
      href: absolute(link.href),
    }))
  }

  /** What `addTarget` noted, as far as it leads to another place. */
  targets(base: string | undefined): string[] {
    return this.#targets.map(resolver(base)).filter((href) => HAS_SCHEME.test(href))
  }

  /** The addresses in the visible text that mail clients make links of: those in no anchor. */
  bareLinks(): string[] {
    const text = this.#visible.text
    const links: string[] = []
    let from = 0
    for (const { visibleStart, visibleEnd } of this.#noted) {
      links.push(...findLinks(text.slice(from, visibleStart)))
      from = visibleEnd
    }
    links.push(...findLinks(text.slice(from)))
    return links.slice(0, LINKS_MAX)
  }
}

const HAS_SCHEME = /^[a-z][a-z\d+.-]*:/i

/** Two slashes in either direction name a host, without a scheme (WHATWG URL §4.4). */
const NAMES_HOST = /^[\\/]{2}/

/** What is relative to nothing: an address with a scheme, or without one that mail programs add; a fragment; nothing. */
const IS_ALONE = /^(?:[a-z][a-z\d+.-]*:|www\.|#|$)/i

/** Makes addresses absolute that are relative to `base`, as a browser does; fragments lead nowhere else. */
function resolver(base: string | undefined): (href: string) => string {
  const url = base === undefined ? null : parseUrl(NAMES_HOST.test(base) ? `https:${base}` : base)
  const isWeb = url !== null && /^(?:https?|ftp):$/.test(url.protocol)
  return (href) => {
    if (NAMES_HOST.test(href)) return `${isWeb ? url.protocol : 'https:'}${href}`
    if (!isWeb || IS_ALONE.test(href)) return href
    const absolute = parseUrl(href, url)
    return absolute === null ? href : absolute.href.slice(0, LINK_LENGTH_MAX)
  }
}

function finished(link: NotedLink, visibleText: string, hiddenText: string): HtmlLink {
  const visible = oneLine(visibleText, link.visibleStart, link.visibleEnd)
  const unseen = oneLine(hiddenText, link.hiddenStart, link.hiddenEnd)
  const hidden = link.boxHidden || (visible === '' && unseen !== '' && !link.hasImage)
  return { href: link.href, text: hidden ? unseen : visible, hidden }
}

function oneLine(text: string, start: number, end: number): string {
  const cut = text.slice(start, Math.min(end, start + LINK_TEXT_LENGTH_MAX))
  return (cut.includes('\n') ? cut.replaceAll('\n', ' ') : cut).trim()
}
