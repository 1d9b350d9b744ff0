/**
 * How an element is rendered inside another: what CSS inherits, and what it does not.
 *
 * `display` and opacity hide everything inside, whatever is declared there. Visibility, font size and
 * colours can be reset by elements further in. What is cut off or off screen may come back where an
 * element further in moves: it is in doubt.
 */

import type { HidingMethod } from './css-hiding.ts'
import { type Colour, FONT_SIZE_PX, isFaint, isUnreadable, over } from './css-values.ts'
import type { Declared, FontSize } from './html-style.ts'

/** Letters up to this height, in CSS pixels, cannot be read: the smallest print in honest mail has 6. */
const FONT_SIZE_HIDDEN_MAX_PX = 4

export interface Rendering {
  /** How the box of this element or of one around it hides everything inside. */
  readonly boxHiddenBy: HidingMethod | undefined
  /** True when there is no box at all, not even an empty one. */
  readonly absent: boolean
  readonly invisible: boolean
  /** Font size in CSS pixels. */
  readonly fontSize: number
  readonly colour: Colour
  readonly background: Colour
  /** The last known background colour: what is seen until a background image has loaded. */
  readonly backdrop: number
  /** True when this element or one around it may hide its content in a way that is not understood here. */
  readonly boxDoubtful: boolean
  /** How text here is hidden; undefined when it is, or may be, visible. */
  readonly textHiddenBy: HidingMethod | undefined
  /** True when text here may be hidden in a way that is not understood here. */
  readonly textDoubtful: boolean
  /** The number of the outermost element that hides text here; 0 when none does. */
  readonly hider: number
}

const WHITE = 0xffffff

/** Black on white, as a mail client shows a message that declares nothing. */
export const PAGE: Rendering = {
  boxHiddenBy: undefined,
  absent: false,
  invisible: false,
  fontSize: FONT_SIZE_PX,
  colour: 0x000000,
  background: WHITE,
  backdrop: WHITE,
  boxDoubtful: false,
  textHiddenBy: undefined,
  textDoubtful: false,
  hider: 0,
}

/** How an element with these declarations is rendered inside `parent`. `ordinal` is the element's number. */
export function renderInside(parent: Rendering, declared: Declared, ordinal: number): Rendering {
  const absent = parent.absent || declared.display === 'none'
  const background =
    declared.background === undefined
      ? parent.background
      : over(declared.background, parent.background)
  const own = absent ? 'display' : declared.box
  const comesBack = declared.comesBack && CAN_BE_LEFT.has(parent.boxHiddenBy)
  // One far shift undoes another.
  const left = own === 'position' ? undefined : own
  const boxHiddenBy = comesBack ? left : (parent.boxHiddenBy ?? own)
  const invisible = declared.visibility ? declared.visibility === 'hidden' : parent.invisible
  const fontSize = sizeInside(parent.fontSize, declared.fontSize)
  const colour = declared.colour ?? parent.colour
  const backdrop = typeof background === 'number' ? background : parent.backdrop
  const boxDoubtful = parent.boxDoubtful || declared.doubtful || comesBack
  const textHiddenBy =
    boxHiddenBy ?? (invisible ? 'display' : methodOf(fontSize, colour, background))
  return {
    boxHiddenBy,
    absent,
    invisible,
    fontSize,
    colour,
    background,
    backdrop,
    boxDoubtful,
    textHiddenBy,
    textDoubtful: textHiddenBy === undefined && (boxDoubtful || mayBeUnseen(colour, backdrop)),
    hider: textHiddenBy === undefined ? 0 : parent.hider || ordinal,
  }
}

/** The ways in which a box hides what does not move out of it. */
const CAN_BE_LEFT: ReadonlySet<HidingMethod | undefined> = new Set(['size', 'position'])

function sizeInside(around: number, declared: FontSize | undefined): number {
  if (declared === undefined) return around
  return 'px' in declared ? declared.px : declared.times * around
}

/** How text in a box that is shown is hidden. */
function methodOf(fontSize: number, colour: Colour, background: Colour): HidingMethod | undefined {
  if (fontSize <= FONT_SIZE_HIDDEN_MAX_PX) return 'size'
  return isUnseen(colour, background) ? 'colour' : undefined
}

function isUnseen(colour: Colour, background: Colour): boolean {
  if (colour === 'transparent') return true
  const seen = over(colour, background)
  return (
    typeof seen === 'number' && typeof background === 'number' && isUnreadable(seen, background)
  )
}

/** Whether text that is not certainly hidden may be hidden by a colour that is nearly that of what is behind it. */
function mayBeUnseen(colour: Colour, backdrop: number): boolean {
  const seen = over(colour, backdrop)
  return typeof seen === 'number' && isFaint(seen, backdrop)
}
