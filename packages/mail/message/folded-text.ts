/**
 * Text put together from pieces of markup, with white space folded as a browser folds it.
 *
 * A run of white space becomes one space, or one line break where a block ends, and is dropped at
 * either end. The no-break space counts as white space, since a reader cannot tell it apart.
 * Pieces are added with `+=`, which V8 keeps as a tree and copies once, when the text is read.
 */
import { readReference } from './character-references.ts'

const AMPERSAND = 0x26
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

  /** Adds `source` from `start` to `end`, with character references resolved when `references`. */
  append(source: string, start: number, end: number, references: boolean): void {
    let from = start
    let at = start
    while (at < end) {
      const code = source.charCodeAt(at)
      if (isPlain(code) || (code === SPACE && isSingleSpace(source, from, at, end))) {
        at++
        continue
      }
      if (isWhiteSpace(code)) {
        if (at > from) this.#add(source.slice(from, at))
        this.space()
        do at++
        while (at < end && isWhiteSpace(source.charCodeAt(at)))
        from = at
        continue
      }
      const reference =
        references && code === AMPERSAND ? readReference(source, at, end, false) : undefined
      if (code === AMPERSAND && reference === undefined) {
        at++
        continue
      }
      this.#add(source.slice(from, at))
      this.#addCharacter(reference?.text ?? source.charAt(at))
      at = reference?.end ?? at + 1
      from = at
    }
    if (end > from) this.#add(source.slice(from, end))
  }

  #addCharacter(character: string): void {
    const code = character.charCodeAt(0)
    if (isWhiteSpace(code)) this.space()
    else if (code !== 0) this.#add(character)
  }

  #add(piece: string): void {
    if (piece === '') return
    this.#text += this.#text === '' ? piece : this.#gap + piece
    this.#gap = ''
  }
}

/** White space of HTML (WHATWG Infra, ASCII whitespace), and the no-break space. */
function isWhiteSpace(code: number): boolean {
  return code <= SPACE ? isAsciiSpace(code) : code === NO_BREAK_SPACE
}

function isAsciiSpace(code: number): boolean {
  return code === SPACE || code === 0x0a || code === 0x0d || code === 0x09 || code === 0x0c
}

function isPlain(code: number): boolean {
  return code > AMPERSAND ? code !== NO_BREAK_SPACE : code > SPACE && code !== AMPERSAND
}

/** Whether the white space is a single space between two words, which is copied along with them. */
function isSingleSpace(source: string, from: number, at: number, end: number): boolean {
  return at > from && at + 1 < end && isPlain(source.charCodeAt(at + 1))
}
