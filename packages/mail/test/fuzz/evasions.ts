/** Messages that evade: the tricks of the evaluation, played with a letter of random words. */
import { letterOf } from '../../../lab/evaluation/evasion/letter.ts'
import { TRICKS } from '../../../lab/evaluation/evasion/tricks.ts'
import { memoryOctets } from '../../message/octets.ts'
import { parseMessage } from '../../message/parse.ts'
import type { Dice } from './dice.ts'
import { markup } from './markup.ts'
import { words } from './texts.ts'

/** Characters of innocent text: tricks ask for a quarter of a megabyte, which is much for one in ten messages. */
const INNOCENT_MAX = 40_000

/** Characters of the markup that a trick is played with. */
const MARKUP_MAX = 20_000

/** A letter with one or two tricks played upon it. */
export function evasion(dice: Dice): Buffer {
  const first = played(dice, `<p>${words(dice)} `.repeat(20))
  return dice.chance(0.3) ? played(dice, first.toString('latin1').slice(0, MARKUP_MAX)) : first
}

function played(dice: Dice, text: string): Buffer {
  const body = `${text}${markup(dice).slice(0, MARKUP_MAX)}`
  const source = Buffer.from(
    `From: Ann <ann@example.com>\r\nSubject: a letter\r\nContent-Type: text/html\r\n\r\n${body}`,
    'latin1',
  )
  const innocent = (length: number) =>
    'the roof of the old library\n'.repeat(Math.ceil(Math.min(length, INNOCENT_MAX) / 28))
  const letter = letterOf(
    source,
    parseMessage(memoryOctets(source)),
    innocent,
    String(dice.below(1_000)),
  )
  return letter === undefined ? source : dice.pick(TRICKS).play(letter)
}
