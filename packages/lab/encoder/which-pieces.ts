/**
 * Which pieces of the encoder's vocabulary are kept: of 250,000 rows most stand for words of languages that little
 * mail is written in. Kept are single characters, and what the frequent words of 41 languages and
 * the mail of training are made of. Any other word is read as shorter pieces.
 */
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import { decode } from '@msgpack/msgpack'
import { BLANK } from '../../encoder/normalise.ts'
import { tokenize, type Vocabulary } from '../../encoder/tokenize.ts'

/** Words of each language that keep their pieces, the most frequent first: twice as many would keep 30,000 pieces more. */
export const WORDS_OF_LANGUAGE = 3_000

/** Messages that a piece has to stand in: nearly half of those in one message are of gibberish. */
const MESSAGES_MIN = 2

/** The words of a language by its code, the most frequent first. */
export type WordLists = ReadonlyMap<string, readonly string[]>

/** The small lists of wordfreq 3.1.1 (Speer, 2022), in the folder `wordfreq/data` of its wheel. */
export function readWordLists(folder: string): WordLists {
  const files = readdirSync(folder).filter((name) => /^small_\w+\.msgpack\.gz$/.test(name))
  return new Map(files.sort().map((name) => [name.slice(6, -11), readWords(join(folder, name))]))
}

/** A list is a header, then for each hundredth of a bel the words of that frequency. */
function readWords(path: string): string[] {
  const [, ...bins] = decode(gunzipSync(readFileSync(path))) as [unknown, ...string[][]]
  return bins.flat()
}

/**
 * The numbers of the pieces to keep, ascending.
 *
 * @param special kept in any case.
 */
export function whichPieces(
  pieces: readonly string[],
  vocabulary: Vocabulary,
  words: WordLists,
  mail: Iterable<string>,
  special: readonly number[],
): number[] {
  const kept = new Set(special)
  pieces.forEach((piece, number) => {
    if ([...piece.replace(BLANK, '')].length <= 1) kept.add(number)
  })
  const keep = (text: string) => {
    for (const piece of tokenize(text, vocabulary)) kept.add(piece)
  }
  for (const list of words.values()) {
    for (const word of list.slice(0, WORDS_OF_LANGUAGE)) {
      keep(word)
      keep(word.charAt(0).toUpperCase() + word.slice(1))
    }
  }
  const messages = new Map<number, number>()
  for (const text of mail) {
    for (const piece of new Set(tokenize(text, vocabulary))) {
      messages.set(piece, (messages.get(piece) ?? 0) + 1)
    }
  }
  for (const [piece, count] of messages) if (count >= MESSAGES_MIN) kept.add(piece)
  return [...kept].sort((a, b) => a - b)
}
