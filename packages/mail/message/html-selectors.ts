/**
 * Selectors (Selectors 4) of more than one name: `.a .b`, `div > p`, `.a.b`, `[title=x]`, `p:not(.a)`.
 *
 * What is known of the elements around an element is the set of their names, classes and ids, not
 * their order; conditions on siblings, attributes and most pseudo-classes cannot be decided. A
 * selector with such a condition applies in doubt.
 */
import { SELECTOR_STEPS_MAX } from './limits.ts'

/** An element, and where it stands. */
export interface Place {
  /** The element's name, '.class' for each of its classes, and '#id'. */
  readonly keys: readonly string[]
  /** The tag between `<` and `>`, in lower case. */
  readonly tag: () => string
  /** Whether an element with that key encloses it. */
  readonly isInside: (key: string) => boolean
  /** Whether its parent has all of these keys. */
  readonly isChildOf: (keys: readonly string[]) => boolean
  /** Whether an element with that key has been opened before it. */
  readonly isAfter: (key: string) => boolean
}

/** One step of a selector: what an element must have. */
interface Compound {
  readonly keys: readonly string[]
  /** Pieces of attributes that must stand in its tag. */
  readonly attributes: readonly string[]
  /** True when it has further conditions that cannot be decided here. */
  readonly doubtful: boolean
}

export interface Selector {
  /** The element that the rule is for. */
  readonly subject: Compound
  /** What must be around it or before it, the nearest first. */
  readonly steps: readonly { readonly combinator: string; readonly compound: Compound }[]
}

/** States that do not occur in a message that has just been opened, and parts of elements. What is not in such a state matches. */
const NEVER = /::|:(?:hover|focus|active|visited|target|before|after|first-l)/

/** The selector written in `text`; undefined for one that never applies. A selector that is too long applies in doubt everywhere. */
export function readSelector(text: string): Selector | undefined {
  if (NEVER.test(text.replaceAll(/:not\([^)]{0,256}\)/g, ''))) return undefined
  const pieces = withoutSpacesInside(text).match(/\s*[>+~]\s*|\s+|[^\s>+~]+/g) ?? []
  if (pieces.length > 2 * SELECTOR_STEPS_MAX) return { subject: ANYTHING, steps: [] }
  const last = pieces.at(-1)
  if (last === undefined || /^[\s>+~]/.test(last)) return undefined
  const steps: { combinator: string; compound: Compound }[] = []
  for (let at = pieces.length - 2; at > 0; at -= 2) {
    const combinator = pieces[at]!.trim() || ' '
    steps.push({ combinator, compound: readCompound(pieces[at - 1]!) })
  }
  return { subject: readCompound(last), steps }
}

const ANYTHING: Compound = { keys: [], attributes: [], doubtful: true }

/** Removes spaces inside brackets, where they and other signs do not separate steps: `[style*="a > b"]`, `:nth-child(2n + 1)`. */
function withoutSpacesInside(text: string): string {
  if (!/[[(]/.test(text)) return text
  return text.replaceAll(/\[[^\]]{0,256}\]|\([^)]{0,256}\)/g, (inside) =>
    inside.replaceAll(/[\s>+~]+/g, '\u0001'),
  )
}

function readCompound(text: string): Compound {
  const keys: string[] = []
  const attributes: string[] = []
  let doubtful = false
  const parts = text.match(/\[[^\]]*\]?|::?[\w-]+(?:\([^)]*\)?)?|[.#]?[\w-]+|\*|./g) ?? []
  if (parts.length > SELECTOR_STEPS_MAX) return ANYTHING
  for (const part of parts) {
    const first = part.charAt(0)
    if (first === '[') {
      attributes.push(...piecesOf(part))
      doubtful = true
    } else if (first === '.' || first === '#') keys.push(part)
    else if (/[\w-]/.test(first)) keys.push(part.toLowerCase())
    else if (first === ':') doubtful ||= !/^:(?:link|any-link|root)$/.test(part)
    else if (first !== '*') doubtful = true
  }
  return { keys, attributes, doubtful }
}

/** The name and the value in `[name^="value"]`. */
function piecesOf(attribute: string): string[] {
  const [, name = '', value = ''] =
    /^\[\s*([\w-]+)[^=]{0,2}=?["']?([^"'\]\u0001]*)/.exec(attribute) ?? []
  return [name.toLowerCase(), value.toLowerCase()].filter((piece) => piece !== '')
}

/** Whether `selector` applies to the element at `place`. */
export function matches({ subject, steps }: Selector, place: Place): 'yes' | 'no' | 'doubt' {
  // The rule was found by the last key, so a single key matches already.
  if (subject.keys.length > 1 && !subject.keys.every((key) => place.keys.includes(key))) return 'no'
  if (subject.attributes.length > 0) {
    const tag = place.tag()
    if (!subject.attributes.every((piece) => tag.includes(piece))) return 'no'
  }
  let doubt = subject.doubtful
  for (let at = 0; at < steps.length; at++) {
    const { combinator, compound } = steps[at]!
    doubt ||= compound.doubtful
    if (combinator === '>' && at === 0) {
      if (!place.isChildOf(compound.keys)) return 'no'
    } else if (combinator === '>' || combinator === ' ') {
      if (!compound.keys.every(place.isInside)) return 'no'
    } else {
      if (!compound.keys.every(place.isAfter)) return 'no'
      doubt = true
    }
  }
  return doubt ? 'doubt' : 'yes'
}
