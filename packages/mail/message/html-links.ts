/**
 * The links of an HTML body, with the text between their tags.
 *
 * While a link is open, its text is added to the visible or the hidden text like any other. A link only
 * notes where it begins and ends in both, and is cut out of them at the end.
 */
import type { FoldedText } from './folded-text.ts'
import { LINK_LENGTH_MAX, LINK_TEXT_LENGTH_MAX, LINKS_MAX } from './limits.ts'

export interface HtmlLink {
  /** Attribute value with character references resolved, trimmed. */
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

  /** The open link, if there is one, ends here. */
  end(): void {
    if (this.#open === undefined) return
    this.#open.visibleEnd = this.#visible.length
    this.#open.hiddenEnd = this.#hidden.length
    this.#open = undefined
  }

  links(): HtmlLink[] {
    return this.#noted.map((link) => finished(link, this.#visible.text, this.#hidden.text))
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
