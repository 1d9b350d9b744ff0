/**
 * Rules of style elements that hide or colour (CSS Syntax 3), inside the at-rules that apply.
 * Rules for one name, class or id are looked up directly; longer selectors are matched with the set of the
 * names, classes and ids around an element. What else they ask for (attributes, states, siblings, children)
 * is not worked out.
 *
 * A rule that may or may not apply hides nothing for certain, but makes it doubtful whether what it
 * might hide is seen; its colours are 'unknown'.
 */
import { readPixels } from './css-values.ts'
import {
  cascade,
  changesNothing,
  contested,
  type Declared,
  inDoubt,
  NOTHING_DECLARED,
  readDeclarations,
  withoutComments,
} from './html-style.ts'
import {
  AT_RULE_DEPTH_MAX,
  CLASSES_MAX,
  ReadingBudget,
  SELECTOR_CHECKS_MAX,
  SELECTOR_STEPS_MAX,
  STYLE_RULES_MAX,
  STYLE_SHEET_LENGTH_MAX,
} from './limits.ts'

const SELECTOR_LENGTH_MAX = 256

const SIMPLE_SELECTOR = /^(?:[a-z][a-z0-9]*)?(?:[.#]-?[a-z_][\w-]*)?$/i

/** An element as selectors see it: one object for all elements with the same name, class attribute and id. */
export interface StyledElement {
  /** Its name, '.class' for each of its classes and '#id'. */
  readonly keys: readonly string[]
  /** Those of its keys that some selector requires of an element around or before another. */
  readonly askedFor: readonly string[]
  /** What the rules for its name and classes, and those for its id, declare. */
  readonly byNames: Declared
  readonly byId: Declared
  /** Rules that apply depending on the element's place, grouped by the key under which they are kept. */
  readonly long: readonly (readonly LongRule[])[]
}

const NO_KEYS: readonly string[] = []

/** What is declared for an element after SELECTOR_CHECKS_MAX: it may be hidden, or shown, in doubt. */
const UNCHECKED: Declared = { ...NOTHING_DECLARED, doubtful: true }

/** Where an element stands: which keys the elements around it and before it have. */
export interface Place {
  readonly isInside: (key: string) => boolean
  readonly isAfter: (key: string) => boolean
}

interface LongRule {
  /** The names, classes and ids that its element must have, and those that must be around it and before it. */
  readonly own: readonly string[]
  readonly around: readonly string[]
  readonly before: readonly string[]
  readonly declared: Declared
}

/** Different elements that are remembered; a long newsletter has a hundred. Stops a separate class for every element. */
const ELEMENTS_MAX = 2_000

/** The names in a class attribute, at most CLASSES_MAX. */
function classesIn(attribute: string | undefined): readonly string[] {
  if (attribute === undefined) return NO_KEYS
  return /\s/.test(attribute) ? attribute.trim().split(/\s+/, CLASSES_MAX) : [attribute]
}

export class StyleSheet {
  /** Rules by tag name, by class, by id, and by tag and class as in 'td.a'. */
  readonly #ofTags = new Map<string, Declared>()
  readonly #ofClasses = new Map<string, Declared>()
  readonly #ofIds = new Map<string, Declared>()
  readonly #ofBoth = new Map<string, Declared>()
  /** Rules with longer selectors, by one key of their subject, '*' where it has none. */
  readonly #long = new Map<string, LongRule[]>()
  /** The keys that their other steps require. */
  readonly #askedFor = new Set<string>()
  readonly #elements = new Map<string, StyledElement>()
  readonly #budget: ReadingBudget
  #rules = 0
  #checks = 0
  /** True when rules were left out, which may undo what others hide. */
  #isCut = false

  constructor(budget = new ReadingBudget()) {
    this.#budget = budget
  }

  get size(): number {
    return this.#rules
  }

  get isEmpty(): boolean {
    return this.#rules === 0
  }

  /** True when it matters which elements are around an element. */
  get hasLongSelectors(): boolean {
    return this.#long.size > 0
  }

  /** Resets the count of selectors that were matched, for another reading of the document. */
  restart(): void {
    this.#checks = 0
  }

  /** Adds the rules in the content of a style element, which applies as its media attribute says. */
  add(content: string, media = ''): void {
    const applies = appliesMedia(media.trim().toLowerCase())
    if (applies === 'no') return
    this.#elements.clear()
    if (!this.#budget.allowsRule() || content.length > STYLE_SHEET_LENGTH_MAX) this.#isCut = true
    const css = withoutComments(content.slice(0, STYLE_SHEET_LENGTH_MAX))
    this.#addBlock(css, isPlain(css) ? applies : 'unknown', 0)
  }

  /** What the rules say of an element apart from its place. */
  element(name: string, classes: string | undefined, id: string | undefined): StyledElement {
    const hasNeither = classes === undefined && id === undefined
    const spelled = hasNeither ? name : `${name}\n${classes ?? ''}\n${id ?? ''}`
    const known = this.#elements.get(spelled)
    if (known !== undefined) return known
    const element = this.#newElement(name, classesIn(classes), id)
    if (this.#elements.size < ELEMENTS_MAX) this.#elements.set(spelled, element)
    return element
  }

  /** What the rules declare for an element: those for its name, then for its classes, then for its id. */
  ruledFor(element: StyledElement, { isInside, isAfter }: Place): Declared {
    const has = (key: string) => element.keys.includes(key)
    const isCertain = element.long.length === 0
    let ruled = element.byNames
    for (const rules of element.long) {
      this.#checks += rules.length
      if (this.#checks > SELECTOR_CHECKS_MAX || !this.#budget.allowsMatches(rules.length)) {
        ruled = cascade(inDoubt(ruled), UNCHECKED)
        continue
      }
      for (const { own, around, before, declared } of rules) {
        const isMatch = own.every(has) && around.every(isInside) && before.every(isAfter)
        if (isMatch) ruled = contested(ruled, declared)
      }
    }
    ruled = isCertain ? cascade(ruled, element.byId) : contested(ruled, element.byId)
    return this.#isCut ? inDoubt(ruled) : ruled
  }

  #newElement(name: string, classes: readonly string[], id: string | undefined): StyledElement {
    let byClasses = NOTHING_DECLARED
    let byBoth = NOTHING_DECLARED
    for (const each of classes) {
      byClasses = contested(byClasses, this.#ofClasses.get(each) ?? NOTHING_DECLARED)
      byBoth = contested(byBoth, this.#ofBoth.get(`${name}.${each}`) ?? NOTHING_DECLARED)
    }
    const byTag = this.#ofTags.get(name) ?? NOTHING_DECLARED
    const byAll = cascade(cascade(byTag, byClasses), byBoth)
    const byNames = classes.length < CLASSES_MAX ? byAll : inDoubt(byAll)
    const keys = [
      name,
      ...classes.map((each) => `.${each}`),
      ...(id === undefined ? [] : [`#${id}`]),
    ]
    return {
      keys,
      askedFor: keys.filter((key) => this.#askedFor.has(key)),
      byNames,
      byId: this.#ofIds.get(id ?? '') ?? NOTHING_DECLARED,
      long: ['*', ...keys].flatMap((key) => {
        const rules = this.#long.get(key)
        return rules === undefined ? [] : [rules]
      }),
    }
  }

  #addBlock(css: string, applies: Applies, depth: number): void {
    let start = 0
    let open = css.indexOf('{')
    while (open >= 0) {
      const prelude = preludeOf(css.slice(start, open), applies)
      const isAtRule = prelude.startsWith('@')
      const isNested = !isAtRule && opensBeforeEnd(css, open)
      const end = isAtRule || isNested ? blockEnd(css, open) : ruleEnd(css, open)
      const body = css.slice(open + 1, end)
      if (isAtRule) this.#addAtRule(prelude, body, applies, depth)
      else this.#addRule(prelude, body, applies)
      // Rules inside a rule (CSS Nesting 1): only the last step of what they apply to is read.
      if (isNested && depth < AT_RULE_DEPTH_MAX) this.#addBlock(body, 'unknown', depth + 1)
      start = end + 1
      open = css.indexOf('{', start)
    }
  }

  #addAtRule(prelude: string, body: string, around: Applies, depth: number): void {
    if (depth >= AT_RULE_DEPTH_MAX) {
      this.#isCut = true
      return
    }
    const own = appliesAtRule(prelude)
    if (own !== 'no') this.#addBlock(body, own === 'yes' ? around : own, depth + 1)
  }

  #addRule(selectors: string, body: string, applies: Applies): void {
    const certain = readDeclarations(body)
    if (certain === NOTHING_DECLARED) return
    const list = selectors.split(',').map((selector) => selector.trim())
    // A browser drops a rule with a selector that it does not know.
    const isCertain = applies === 'yes' && list.every(isKnownSelector)
    const declared = isCertain ? certain : inDoubt(certain)
    for (const selector of list) this.#addSelector(selector, declared)
  }

  #addSelector(selector: string, declared: Declared): void {
    if (selector === '') return
    const isLong = selector.length > SELECTOR_LENGTH_MAX
    if (isLong || this.#rules >= STYLE_RULES_MAX || !this.#budget.allowsRule()) {
      this.#isCut = true
      return
    }
    if (SIMPLE_SELECTOR.test(selector)) this.#keep(selector, declared)
    else this.#keepLong(selector, declared)
  }

  #keep(selector: string, declared: Declared): void {
    this.#rules++
    const mark = selector.search(/[.#]/)
    const tag = (mark < 0 ? selector : selector.slice(0, mark)).toLowerCase()
    const name = selector.slice(mark + 1)
    if (mark < 0) add(this.#ofTags, tag, declared)
    else if (selector.charAt(mark) === '#') add(this.#ofIds, name, declared)
    else if (tag === '') add(this.#ofClasses, name, declared)
    else add(this.#ofBoth, `${tag}.${name}`, declared)
  }

  #keepLong(text: string, declared: Declared): void {
    if (changesNothing(declared) && declared.display === undefined && !declared.setsBox) return
    const selector = readSelector(text)
    if (selector === undefined) return
    this.#rules++
    const { own, around, before, isCertain } = selector
    for (const each of [...around, ...before]) this.#askedFor.add(each)
    const rule = { own, around, before, declared: isCertain ? declared : inDoubt(declared) }
    const key = own.at(-1) ?? '*'
    const rules = this.#long.get(key)
    if (rules === undefined) this.#long.set(key, [rule])
    else rules.push(rule)
  }
}

function add(rules: Map<string, Declared>, key: string, declared: Declared): void {
  rules.set(key, cascade(rules.get(key) ?? NOTHING_DECLARED, declared))
}

/** The text before a block, without statements such as `@import …;`; '' where no rule can begin so. */
function preludeOf(text: string, applies: Applies): string {
  const end = text.lastIndexOf(';') + 1
  // Inside of other rules declarations may stand before it, which end with a semicolon too.
  if (end > 0 && applies === 'yes' && !/^\s*@/.test(text)) return ''
  const selectors = text.slice(end)
  if (!selectors.includes('--')) return selectors.trim()
  return selectors.replaceAll('<!--', '').replaceAll('-->', '').trim()
}

/** States that do not occur in a message that has just been opened, and parts of elements: what has them never applies. */
const NEVER = /::|:(?:hover|focus|active|visited|target|before|after|first-l)/

const NEGATION = /:not\([^)]{0,256}\)/g

/** A class in another spelling, which some newsletters hide from some programs. */
const CLASS_ATTRIBUTE = /\[class~?="?([\w-]+)"?\]/g

/** Conditions on attributes and states, whose brackets may hold anything. */
const CONDITION = /\[[^\]]{0,256}\]?|::?[\w-?]+(?:\([^)]{0,256}\)?)?/g

/** An element that stands before another. */
const SIBLING = /[^\s>+~]*\s*[+~]\s*/g

/** The selector written in `text`: undefined for one that never applies, not certain where more is asked for than these keys. */
function readSelector(text: string) {
  if (NEVER.test(text.replaceAll(NEGATION, ''))) return undefined
  const before: string[] = []
  const plain = text
    .replaceAll(CLASS_ATTRIBUTE, '.$1:?')
    .replaceAll(CONDITION, '?')
    .replaceAll(SIBLING, (sibling) => {
      before.push(...keysIn(sibling))
      return '?'
    })
  const compounds = plain.split(/[\s>]+/, SELECTOR_STEPS_MAX + 1)
  if (compounds.length > SELECTOR_STEPS_MAX) return ANYTHING
  const own = keysIn(compounds.pop()!)
  const isCertain = /^[\w.#*\s-]+$/.test(plain)
  return { own, around: compounds.flatMap(keysIn), before, isCertain }
}

const ANYTHING = { own: [], around: [], before: [], isCertain: false }

function keysIn(compound: string): string[] {
  const keys = compound.match(/[.#]?[\w-]+/g) ?? []
  return keys.map((key) => (/^[.#]/.test(key) ? key : key.toLowerCase()))
}

/** What every browser knows: states, attributes, names, classes and ids, and what combines these. */
const KNOWN_PIECES =
  /::?(?:hover|focus|active|visited|link|root|before|after|(?:first|last)-child)(?![\w(-])|\[[\w-]{1,64}(?:[~|^$*]?=(?:"[^"]{0,256}"|'[^']{0,256}'))?\]|[.#]-?[a-z_][\w-]*|(?<![\w-])[a-z][\w-]*|\*|[\s>+~]/gi

/** Whether every browser knows the selector, so that none drops its rule. */
function isKnownSelector(selector: string): boolean {
  if (selector === '' || selector.length > SELECTOR_LENGTH_MAX) return false
  return SIMPLE_SELECTOR.test(selector) || selector.replaceAll(KNOWN_PIECES, '') === ''
}

/** Whether strings and brackets in `css` end before a brace: where one does not, blocks end elsewhere than it seems. */
function isPlain(css: string): boolean {
  if (css.includes('@namespace')) return false
  let depth = 0
  for (let at = 0; at < css.length; at++) {
    const sign = css[at]!
    if (sign === '"' || sign === "'") {
      const close = css.indexOf(sign, at + 1)
      if (close < 0 || /[{}\n\\]/.test(css.slice(at, close))) return false
      at = close
    } else if (sign === '(' || sign === '[') depth++
    else if (sign === ')' || sign === ']') depth = Math.max(0, depth - 1)
    else if (depth > 0 && (sign === '{' || sign === '}')) return false
  }
  return true
}

/** Whether another block opens inside the one that opens at `open`. */
function opensBeforeEnd(css: string, open: number): boolean {
  const inner = css.indexOf('{', open + 1)
  return inner >= 0 && inner < ruleEnd(css, open)
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

/** Whether the rules inside apply where the message is read: on a screen of common size. */
type Applies = 'yes' | 'no' | 'unknown'

/** The range of the widths of windows and screens, in CSS pixels. Phones are narrower, and have rules of their own. */
const WIDTH_MIN_PX = 600
const WIDTH_MAX_PX = 1_600

/** Queries of one list that are read. Stops lists of a megabyte. */
const QUERIES_MAX = 16

/** At-rules with rules inside that may apply; those in a layer yield to those outside of it, wherever they stand. */
const CONDITIONAL = /^@(?:supports|layer|scope|container|starting-style|(?:-moz-)?document)\b/

/** How the rules of an at-rule apply, from what stands before its block: '@media screen'. */
function appliesAtRule(prelude: string): Applies {
  const text = prelude.toLowerCase()
  const list = /^@media(?![\w-])(.*)/s.exec(text)?.[1]
  if (list !== undefined) return appliesMedia(list.trim())
  return CONDITIONAL.test(text) ? 'unknown' : 'no'
}

/** Whether the medium is among those of a list (Media Queries 4), as in a media attribute; an empty list has all. */
function appliesMedia(list: string): Applies {
  const found = list.split(',', QUERIES_MAX).map((query) => {
    const words = query.split(/\band\b/, QUERIES_MAX).map((word) => appliesFeature(word.trim()))
    if (words.includes('no')) return 'no'
    return words.includes('unknown') ? 'unknown' : 'yes'
  })
  if (found.includes('yes')) return 'yes'
  return found.includes('unknown') ? 'unknown' : 'no'
}

/** Media types on which no mail is read, and features of some devices that honest mail has rules for. */
const ELSEWHERE =
  /^(?:not\s+(?:screen|all)$|(?:only\s+)?(?:print|speech|tty|tv|projection|handheld|braille|embossed|aural)$|\((?:prefers-|forced-colors|max-device-|device-width|orientation|-ms-high|-moz-|any-hover|hover|pointer))/

function appliesFeature(feature: string): Applies {
  if (feature === '' || /^(?:only\s+)?(?:screen|all)$/.test(feature)) return 'yes'
  if (ELSEWHERE.test(feature)) return 'no'
  const [, bound, value = ''] =
    /^\((min|max)-(?:device-)?width\s?:([^)]{1,64})\)$/.exec(feature) ?? []
  const pixels = readPixels(value.trim())
  if (bound === undefined || pixels === undefined) return 'unknown'
  if (bound === 'min') return pixels <= WIDTH_MIN_PX ? 'yes' : 'no'
  return pixels >= WIDTH_MAX_PX ? 'yes' : 'no'
}
