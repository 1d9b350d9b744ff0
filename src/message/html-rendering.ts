/**
 * How an element is seen, given the one around it: what CSS inherits, and what it does not.
 *
 * `display`, the size of a box, opacity and position take away all that is inside, whatever is
 * declared there. Visibility, the size of letters and colours can be set back further in.
 */
import { type Colour, isUnreadable } from './colour.ts'
import type { HidingMethod } from './html.ts'
import type { Declared } from './html-style.ts'

export interface Rendering {
  /** How the box of this element or of one around it hides all that is inside. */
  readonly boxHiddenBy: HidingMethod | undefined
  /** True when there is no box at all, not even an empty line. */
  readonly absent: boolean
  readonly invisible: boolean
  readonly tiny: boolean
  readonly colour: Colour
  readonly background: Colour
  /** How text standing here is hidden; undefined when it is seen. */
  readonly textHiddenBy: HidingMethod | undefined
  /** The outermost element that hides text standing here, as a number of its own; 0 when none. */
  readonly hider: number
}

/** Black on white, as a mail client shows a message that declares nothing. */
export const PAGE: Rendering = {
  boxHiddenBy: undefined,
  absent: false,
  invisible: false,
  tiny: false,
  colour: 0x000000,
  background: 0xffffff,
  textHiddenBy: undefined,
  hider: 0,
}

/** How an element with these declarations is seen inside `parent`. `ordinal` is its own number. */
export function renderInside(parent: Rendering, declared: Declared, ordinal: number): Rendering {
  const absent = parent.absent || declared.display === 'none'
  const inherited = {
    boxHiddenBy: parent.boxHiddenBy ?? (absent ? 'display' : declared.box),
    absent,
    invisible: declared.visibility ? declared.visibility === 'hidden' : parent.invisible,
    tiny: declared.fontSize ? declared.fontSize === 'tiny' : parent.tiny,
    colour: declared.colour ?? parent.colour,
    background: behind(parent.background, declared.background),
  }
  const textHiddenBy = hidingMethod(inherited)
  const hider = textHiddenBy === undefined ? 0 : parent.hider || ordinal
  return { ...inherited, textHiddenBy, hider }
}

function behind(parent: Colour, declared: Colour | undefined): Colour {
  return declared === undefined || declared === 'transparent' ? parent : declared
}

function hidingMethod(
  rendering: Omit<Rendering, 'textHiddenBy' | 'hider'>,
): HidingMethod | undefined {
  if (rendering.boxHiddenBy !== undefined) return rendering.boxHiddenBy
  if (rendering.invisible) return 'display'
  if (rendering.tiny) return 'size'
  return isUnseen(rendering.colour, rendering.background) ? 'colour' : undefined
}

function isUnseen(colour: Colour, background: Colour): boolean {
  if (colour === 'transparent') return true
  return (
    typeof colour === 'number' && typeof background === 'number' && isUnreadable(colour, background)
  )
}
