/**
 * Several tricks with one message: what the first makes of a letter is taken apart like any message, and
 * the next is played with that.
 *
 * Not all go together in every order. One that changes how bytes are written is undone when the message
 * is taken apart, and one that puts the spam into an attachment leaves innocent text to be found. Which do is
 * tried with a letter of a few words, before any spam.
 */
import { memoryOctets } from '../../../mail/message/octets.ts'
import { parseMessage } from '../../../mail/message/parse.ts'
import { randomSource } from '../../training/random.ts'
import { type Letter, letterOf, plainText } from './letter.ts'
import { TRICKS, type Trick, UNTRICKED } from './tricks.ts'

/** Tricks with one message, in the order in which they are played. */
export interface Combination {
  readonly tricks: readonly Trick[]
  /** The names of the tricks: 'Cyrillic letters + a long signature'. */
  readonly name: string
  /** Undefined for a letter of which the tricks before the last leave next to nothing. */
  readonly play: (letter: Letter) => Buffer | undefined
}

/** Draws for each combination that is wanted. Ends a search for more than there are. */
const DRAWS_MAX = 50

/** `count` different combinations of `size` tricks in an order in which they go together, by chance that `seed` determines. */
export function combinations(size: number, count: number, seed: number): Combination[] {
  const random = randomSource(seed)
  const found = new Map<string, Combination>()
  for (let draws = 0; draws < count * DRAWS_MAX && found.size < count; draws++) {
    const drawn = Array.from({ length: size }, () => TRICKS[Math.floor(random() * TRICKS.length)]!)
    const combination = combined(drawn)
    const key = drawn
      .map(({ name }) => name)
      .sort()
      .join()
    if (new Set(drawn).size === size && !found.has(key) && goTogether(drawn)) {
      found.set(key, combination)
    }
  }
  return [...found.values()]
}

export function combined(tricks: readonly Trick[]): Combination {
  const last = tricks.at(-1)!
  return {
    tricks,
    name: tricks.map(({ name }) => name).join(' + '),
    play: (letter) => {
      const before = tricks
        .slice(0, -1)
        .reduce<Letter | undefined>((left, trick) => left && letterAfter(trick, left), letter)
      return before && last.play(before)
    },
  }
}

/** What a sender takes up again of the message that `trick` made: all of its text, however long. */
function letterAfter(trick: Pick<Trick, 'play'>, letter: Letter): Letter | undefined {
  const bytes = trick.play(letter)
  const message = parseMessage(memoryOctets(bytes))
  return letterOf(bytes, message, letter.innocent, letter.name, Number.POSITIVE_INFINITY)
}

const PROBE_LINK = 'http://probe.example.net/claim'

function probe(): Letter {
  const bytes = Buffer.from(
    `From: a@example.com\r\nSubject: Prize\r\nContent-Type: text/html\r\n\r\n<html><body><p>You are the winner of our lottery, and the prize waits for you until Friday.</p><p><a href="${PROBE_LINK}">Claim</a></p></body></html>`,
  )
  const innocent = (length: number) => 'The roof of the library is old.\n'.repeat(length / 32 + 1)
  return letterOf(bytes, parseMessage(memoryOctets(bytes)), innocent, 'probe')!
}

/** Whether the spam, and every trick before the last, is still there when the last is played. */
function goTogether(tricks: readonly Trick[]): boolean {
  let letter = probe()
  for (const trick of tricks.slice(0, -1)) {
    const after = letterAfter(trick, letter)
    if (after === undefined || !isThere(after)) return false
    const plain = UNTRICKED.map((form) => letterAfter(form, letter))
    if (plain.some((it) => it !== undefined && saysTheSame(after, it))) return false
    letter = after
  }
  return true
}

function isThere(letter: Letter): boolean {
  return plainText(letter).includes(PROBE_LINK) && letter.html.includes(PROBE_LINK)
}

function saysTheSame(one: Letter, other: Letter): boolean {
  return one.header === other.header && one.text === other.text
}
