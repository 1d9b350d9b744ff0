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
  let read = BLANK
  // To look at the end of a text that grows copies it each time.
  let isAfterBlank = true
  for (const character of text) {
    for (const one of normalisation.get(character) ?? character) {
      const isBlank = one === ' '
      if (!isBlank || !isAfterBlank) read += isBlank ? BLANK : one
      isAfterBlank = isBlank
    }
  }
  return read
}
