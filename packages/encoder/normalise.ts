/**
 * Text as the encoder's vocabulary was made from it: code points that stand for the same are one, blanks are one
 * blank, and a blank is written as a piece of its word. SentencePiece's nmt_nfkc: Kudo and Richardson,
 * SentencePiece, EMNLP 2018.
 */

/** What a code point is read as, where that is another text. */
export type Normalisation = ReadonlyMap<string, string>

/** Stands for a blank: a piece that begins with it begins a word. U+2581, lower one eighth block. */
export const BLANK = '\u2581'

/**
 * @param text of bounded length: a code point may become 18 (U+FDFA).
 * @returns the text with a blank before the first word.
 */
export function normalise(text: string, normalisation: Normalisation): string {
  let read = ' '
  for (const character of text) {
    const own = normalisation.get(character) ?? character
    for (const one of own) if (one !== ' ' || !read.endsWith(' ')) read += one
  }
  return read.replaceAll(' ', BLANK)
}
