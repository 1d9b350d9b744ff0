/**
 * Text put together from pieces of markup, with white space folded as a browser folds it.
 *
 * A run of white space becomes one space, or one line break where a block ends, and is dropped at
 * either end. The no-break space counts as white space, since a reader cannot tell it apart.
 * Pieces are added with `+=`, which V8 keeps as a tree and copies once, when the text is read.
 */
const SPACE = 0x20
const NO_BREAK_SPACE = 0xa0

export class FoldedText {
  #text = ''
  #gap = ''

  get text(): string {
    return this.#text
  }

  /** The length in characters; a pending space or line break is not counted. */
  get length(): number {
    return this.#text.length
  }

  /** A copy that can grow on its own. */
  copy(): FoldedText {
    const copied = new FoldedText()
    copied.#text = this.#text
    copied.#gap = this.#gap
    return copied
  }

  /** Separates what comes next by a space, unless a line break does so already. */
  space(): void {
    if (this.#gap === '') this.#gap = ' '
  }

  /** Begins a new line for what comes next. */
  breakLine(): void {
    this.#gap = '\n'
  }

  /** Adds `text`, in which character references have been resolved. */
  append(text: string): void {
    let from = 0
    let at = 0
    while (at < text.length) {
      const code = text.charCodeAt(at)
      if (code > SPACE ? code !== NO_BREAK_SPACE : isSingleSpace(text, from, at, code)) {
        at++
        continue
      }
      if (at > from) this.#add(text.slice(from, at))
      if (isWhiteSpace(code)) this.space()
      else if (code !== 0) this.#add(text.charAt(at))
      from = ++at
    }
    if (at > from) this.#add(text.slice(from))
  }

  #add(piece: string): void {
    if (piece === '') return
    this.#text += this.#text === '' ? piece : this.#gap + piece
    this.#gap = ''
  }
}

/** White space of HTML (WHATWG Infra, ASCII whitespace), and the no-break space. */
function isWhiteSpace(code: number): boolean {
  return (
    code === SPACE ||
    code === 0x0a ||
    code === 0x0d ||
    code === 0x09 ||
    code === 0x0c ||
    code === NO_BREAK_SPACE
  )
}

/** Whether the white space is a single space between two words, which is copied along with them. */
function isSingleSpace(text: string, from: number, at: number, code: number): boolean {
  if (code !== SPACE || at === from) return false
  const next = text.charCodeAt(at + 1)
  return next > SPACE && next !== NO_BREAK_SPACE
}
