/**
 * Text -> the pieces of words that a BERT model was trained on, as numbers: words in lower case
 * and without accents, parted by white space and punctuation, each then cut into the longest
 * pieces that the vocabulary has.
 * Devlin et al., BERT (NAACL 2019); Wu et al., Google's Neural Machine Translation System (2016), §4.1.
 *
 * It gives what the `tokenizers` library gives, which sentence-transformers uses, with two exceptions:
 * Unicode is that of Node, which is newer; and '[SEP]' and the other special pieces are plain
 * characters inside a text, since a text from a stranger must not decide where it ends.
 */
import { type Static, Type } from 'typebox'
import { Value } from 'typebox/value'
import { TamisError } from '../../errors/errors.ts'
import { TEXT_LENGTH_MAX } from './static-embedding.ts'

/** Pieces read of a text, [CLS] and [SEP] included: what all-MiniLM-L6-v2 was trained to read. */
export const PIECES_MAX = 256

/** Characters of a word; a longer one is unknown as a whole. */
const WORD_LENGTH_MAX = 100

/** Code units kept of a word: one character more than it may have, if each takes two. */
const WORD_UNITS_MAX = 2 * (WORD_LENGTH_MAX + 1)

/** The prefix of a piece that does not begin its word. */
const CONTINUED = '##'

const UNKNOWN = '[UNK]'
const START = '[CLS]'
const END = '[SEP]'

const SPACE = /[\t\n\r\p{Z}]/u
const DROPPED = /[\p{Cc}\p{Cf}\p{Co}\p{Cs}\ufffd]/u
const ACCENT = /\p{Mn}/u
const PUNCTUATION = /[\p{P}$+<=>^`|~]/u

/** Ranges in which BERT takes each character as a word. */
const CHINESE =
  /[\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\u{20000}-\u{2a6df}\u{2a700}-\u{2ceaf}\u{2f800}-\u{2fa1f}]/u

export interface WordPieces {
  /** Number of each piece: its row in the model. */
  readonly numbers: ReadonlyMap<string, number>
  /** Code units of the longest piece, CONTINUED included: a search starts there. */
  readonly lengthMax: number
  readonly unknown: number
  readonly start: number
  readonly end: number
}

/** The fields read from tokenizer.json, the file of the `tokenizers` library. */
const TokenizerFile = Type.Object({
  normalizer: Type.Optional(Type.Unknown()),
  model: Type.Object({
    type: Type.Literal('WordPiece'),
    vocab: Type.Record(Type.String(), Type.Integer({ minimum: 0 })),
  }),
})

/** A normalizer that says that it keeps upper case. BERT's own has the field `lowercase`, others may lack it. */
const CasedNormalizer = Type.Object({ lowercase: Type.Literal(false) })

/**
 * The pieces of vocab.txt: one a line, numbered from 0.
 *
 * @throws TamisError CONFIG_INVALID when it lacks one that every text needs.
 */
export function wordPiecesOfVocabulary(text: string): WordPieces {
  const lines = text.replace(/\n$/, '').split('\n')
  return wordPiecesOf(new Map(lines.map((line, number) => [line.replace(/\r$/, ''), number])))
}

/**
 * The pieces of tokenizer.json.
 *
 * @throws TamisError CONFIG_INVALID when it describes anything but WordPiece in lower case.
 */
export function wordPiecesOfTokenizer(file: unknown): WordPieces {
  if (!Value.Check(TokenizerFile, file)) {
    throw new TamisError('CONFIG_INVALID', 'tokenizer.json has no model of type WordPiece')
  }
  const { model, normalizer }: Static<typeof TokenizerFile> = file
  if (Value.Check(CasedNormalizer, normalizer)) {
    throw new TamisError(
      'CONFIG_INVALID',
      'tokenizer.json keeps upper case; Tamis reads only uncased models',
    )
  }
  return wordPiecesOf(new Map(Object.entries(model.vocab)))
}

function wordPiecesOf(numbers: ReadonlyMap<string, number>): WordPieces {
  let lengthMax = 0
  for (const piece of numbers.keys()) lengthMax = Math.max(lengthMax, piece.length)
  return {
    numbers,
    lengthMax,
    unknown: numberOf(numbers, UNKNOWN),
    start: numberOf(numbers, START),
    end: numberOf(numbers, END),
  }
}

function numberOf(numbers: ReadonlyMap<string, number>, piece: string): number {
  const number = numbers.get(piece)
  if (number !== undefined) return number
  throw new TamisError('CONFIG_INVALID', `The vocabulary has no ${piece}`)
}

/**
 * Numbers of the pieces of `text`, with [CLS] before and [SEP] after them, at most PIECES_MAX; none
 * at all for a text without a word. Only the first TEXT_LENGTH_MAX code units are read.
 */
export function readPieces(pieces: WordPieces, text: string): number[] {
  const read: number[] = []
  for (const word of basicWords(text.slice(0, TEXT_LENGTH_MAX))) {
    addWord(pieces, word, read)
    if (read.length >= PIECES_MAX - 2) break
  }
  if (read.length === 0) return []
  return [pieces.start, ...read.slice(0, PIECES_MAX - 2), pieces.end]
}

/**
 * The words of `text` as BERT's basic tokenizer gives them; a word too long to be in the vocabulary
 * is cut as soon as that is clear.
 *
 * Each character is decomposed by itself: in a text of combining marks, putting them in order
 * would take time that grows with the square of its length, and they are dropped anyway.
 */
function* basicWords(text: string): Generator<string> {
  let word = ''
  for (const character of text) {
    if (SPACE.test(character)) {
      if (word !== '') yield word
      word = ''
    } else if (!DROPPED.test(character)) {
      const chinese = CHINESE.test(character)
      for (const part of character.normalize('NFD')) {
        if (ACCENT.test(part)) continue
        if (chinese || PUNCTUATION.test(part)) {
          if (word !== '') yield word
          yield part
          word = ''
        } else if (word.length < WORD_UNITS_MAX) word += part.toLowerCase()
      }
    }
  }
  if (word !== '') yield word
}

/** Adds the pieces of `word` to `into`, always the longest that fits; [UNK] for the whole word where none fits. */
function addWord(pieces: WordPieces, word: string, into: number[]): void {
  const first = into.length
  let at = isTooLong(word) ? -1 : 0
  while (at >= 0 && at < word.length) at = addPiece(pieces, word, at, into)
  if (at >= 0) return
  into.length = first
  into.push(pieces.unknown)
}

function isTooLong(word: string): boolean {
  return word.length > WORD_LENGTH_MAX && [...word].length > WORD_LENGTH_MAX
}

/** Adds the longest piece of `word` from `start` on; returns where it ends, -1 where there is none. */
function addPiece(pieces: WordPieces, word: string, start: number, into: number[]): number {
  const prefix = start === 0 ? '' : CONTINUED
  let end = Math.min(word.length, start + pieces.lengthMax - prefix.length)
  for (; end > start; end--) {
    const number = pieces.numbers.get(prefix + word.slice(start, end))
    if (number === undefined) continue
    into.push(number)
    return end
  }
  return -1
}
