/**
 * Rules of style elements that hide or colour, for the selectors that mail uses: `.a`, `#a`,
 * `td`, `td.a` and lists of these (CSS Syntax 3, Selectors 4).
 *
 * Rules inside `@media` and other at-rules are left out: they are for some screens only. Of a
 * selector with more than one step, such as `.dark td`, it is not known here whether it
 * applies, so its colours are 'unknown', and nothing is taken for hidden because of them.
 */
import { cascade, type Declared, NOTHING_DECLARED, readDeclarations } from './html-style.ts'
import { CLASSES_MAX, STYLE_RULES_MAX, STYLE_SHEET_LENGTH_MAX } from './limits.ts'

/** Longest selector read. */
const SELECTOR_LENGTH_MAX = 256

const SIMPLE_SELECTOR = /^(?:[a-z][a-z0-9]*)?(?:[.#][\w-]+)?$/i

export class StyleSheet {
  /** By tag name, by class, by id, and by both names as in 'td.a'. */
  readonly #ofTags = new Map<string, Declared>()
  readonly #ofClasses = new Map<string, Declared>()
  readonly #ofIds = new Map<string, Declared>()
  readonly #ofBoth = new Map<string, Declared>()
  #rules = 0

  /** True when there is no rule, so that there is nothing to look up. */
  get isEmpty(): boolean {
    return this.#rules === 0
  }

  /** Adds the rules in the content of a style element. */
  add(content: string): void {
    const css = withoutComments(content.slice(0, STYLE_SHEET_LENGTH_MAX))
    let start = 0
    let open = css.indexOf('{')
    while (open >= 0) {
      const selectors = preludeOf(css, start, open)
      const end = selectors.startsWith('@') ? blockEnd(css, open) : ruleEnd(css, open)
      if (!selectors.startsWith('@')) this.#addRule(selectors, css.slice(open + 1, end))
      start = end + 1
      open = css.indexOf('{', start)
    }
  }

  /** What the rules say of an element: those for its name, then for its classes, then its id. */
  declaredFor(name: string, classes: string | undefined, id: string | undefined): Declared {
    let declared = this.#ofTags.get(name) ?? NOTHING_DECLARED
    if (classes !== undefined) declared = cascade(declared, this.#declaredForClasses(name, classes))
    return id === undefined ? declared : over(declared, this.#ofIds.get(id))
  }

  #declaredForClasses(name: string, classes: string): Declared {
    let declared = NOTHING_DECLARED
    for (const className of namesIn(classes)) {
      declared = over(declared, this.#ofClasses.get(className))
      if (this.#ofBoth.size > 0) declared = over(declared, this.#ofBoth.get(`${name}.${className}`))
    }
    return declared
  }

  #addRule(selectors: string, body: string): void {
    const declared = readDeclarations(body)
    if (declared === NOTHING_DECLARED) return
    for (const selector of selectors.split(',')) this.#addSelector(selector.trim(), declared)
  }

  #addSelector(selector: string, declared: Declared): void {
    if (selector === '' || selector.length > SELECTOR_LENGTH_MAX || selector.includes(':')) return
    const last = selector.split(/[\s>+~]+/).pop() ?? ''
    if (last === '' || !SIMPLE_SELECTOR.test(last)) return
    this.#keep(last, last.length === selector.length ? declared : withUncertainColours(declared))
  }

  #keep(selector: string, declared: Declared): void {
    if (this.#rules >= STYLE_RULES_MAX) return
    this.#rules++
    const mark = selector.search(/[.#]/)
    const tag = (mark < 0 ? selector : selector.slice(0, mark)).toLowerCase()
    const name = selector.slice(mark + 1)
    if (mark < 0) add(this.#ofTags, tag, declared)
    else if (selector.charAt(mark) === '#') add(this.#ofIds, name, declared)
    else if (tag === '') add(this.#ofClasses, name, declared)
    else add(this.#ofBoth, `${tag}.${name}`, declared)
  }
}

function add(rules: Map<string, Declared>, key: string, declared: Declared): void {
  rules.set(key, over(rules.get(key) ?? NOTHING_DECLARED, declared))
}

function over(under: Declared, rule: Declared | undefined): Declared {
  return rule === undefined ? under : cascade(under, rule)
}

/** The names in a class attribute, at most CLASSES_MAX. */
function namesIn(classes: string): string[] {
  return /\s/.test(classes) ? classes.trim().split(/\s+/, CLASSES_MAX) : [classes]
}

function withUncertainColours(declared: Declared): Declared {
  return {
    ...NOTHING_DECLARED,
    colour: declared.colour === undefined ? undefined : 'unknown',
    background: declared.background === undefined ? undefined : 'unknown',
  }
}

/** What stands before the block that opens at `open`, without statements such as `@import …;`. */
function preludeOf(css: string, start: number, open: number): string {
  const prelude = css.slice(start, open)
  return prelude
    .slice(prelude.lastIndexOf(';') + 1)
    .replaceAll('<!--', '')
    .replaceAll('-->', '')
    .trim()
}

function ruleEnd(css: string, open: number): number {
  const close = css.indexOf('}', open)
  return close < 0 ? css.length : close
}

/** Index of the brace that closes the block opened at `open`, blocks inside included. */
function blockEnd(css: string, open: number): number {
  let depth = 1
  let nextOpen = css.indexOf('{', open + 1)
  let close = css.indexOf('}', open + 1)
  while (close >= 0) {
    if (nextOpen >= 0 && nextOpen < close) {
      depth++
      nextOpen = css.indexOf('{', nextOpen + 1)
    } else {
      if (--depth === 0) return close
      close = css.indexOf('}', close + 1)
    }
  }
  return css.length
}

function withoutComments(css: string): string {
  let open = css.indexOf('/*')
  if (open < 0) return css
  let kept = ''
  let start = 0
  while (open >= 0) {
    kept += `${css.slice(start, open)} `
    const close = css.indexOf('*/', open + 2)
    start = close < 0 ? css.length : close + 2
    open = css.indexOf('/*', start)
  }
  return kept + css.slice(start)
}
