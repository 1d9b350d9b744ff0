/**
 * Features of what a message says: words and pairs of neighbouring words in the subject and the
 * visible text, words of the sender's display name, and words of the links' texts. A word of the
 * subject counts twice, once as such and once as a word like any other: a word that training saw in
 * the text of one message may stand in the subject of the next.
 *
 * Character n-grams, with which linear learners led the TREC spam tracks of 2005-2007, were tried
 * and left out: on mail from sources that training has not seen they made one and a half to two
 * times the errors (docs/decisions/0005-feature-hashing.md): they learn the style of a source.
 */
import { parseAddresses } from '../message/address.ts'
import { headerBody, type Message } from '../message/message.ts'
import { longReaderText, readerText, TEXT_HEAD_LENGTH, TEXT_LENGTH_MAX } from '../signals/text.ts'
import { hashIndex, hashSeed, hashUnit } from './hashing.ts'
import { normalisedUnits } from './normalise.ts'
import { FeatureAccumulator, type Span, type SparseVector } from './sparse-vector.ts'
import { WordTrail } from './word-trail.ts'

/** 2^18 indices: tables of this size stay near the processor (docs/decisions/0005-feature-hashing.md). */
export const TEXT_INDEX_BITS = 18
export const TEXT_FEATURES_SIZE = 1 << TEXT_INDEX_BITS

/** The index from which the features are pairs: a quarter of the table, where they disturb no word. */
export const PAIRS_START = (TEXT_FEATURES_SIZE / 4) * 3

/** Characters of the subject that are read; longer ones are padding. */
export const SUBJECT_LENGTH_MAX = 300

/** First characters of the visible text that are read. TREC's best filters read 3,000 bytes. */
export const BODY_HEAD_LENGTH = 4_000

/** Last characters of a longer text that are read: the footer tells a newsletter from a scam. */
export const BODY_TAIL_LENGTH = 1_000

/** Characters of the display name that are read. */
const FROM_LENGTH_MAX = 100

/** Links whose text is read, and characters of these texts together: a page of buttons and footers. */
const ANCHORS_MAX = 60
const ANCHORS_LENGTH_MAX = 1_500

/** Characters of a word that count. Stops tokens of 100,000 letters; longer words differ at their beginning. */
const WORD_LENGTH_MAX = 24

/** Blocks of the vector (see sparse-vector.ts). */
const WORDS = 0
const PAIRS = 1
const FROM = 2
const ANCHORS = 3

/** Each block's part of the squared length: the words of a message count twice as much as any other block. */
const BLOCK_SHARES = [4 / 7, 1 / 7, 1 / 7, 1 / 7]

/** One text that features are drawn from. */
interface View {
  readonly name: string
  /** The block for its words. */
  readonly block: number
  /** The start value for hashing its words; undefined where they are hashed as those of the body. */
  readonly ownSeed: number | undefined
  /** Whether its words also count as words of the message, and in pairs. */
  readonly message: boolean
}

const MESSAGE_SEED = hashSeed('word ')
const PAIR_SEED = hashSeed('pair ')

/** Odd and large, so that a pair and its reverse differ (Knuth's multiplicative hashing, 2^32 / golden ratio). */
const PAIR_FACTOR = 0x9e3779b1

const VIEWS = {
  subject: { name: 'subject', block: WORDS, ownSeed: hashSeed('subject word '), message: true },
  body: { name: 'body', block: WORDS, ownSeed: undefined, message: true },
  from: { name: 'from', block: FROM, ownSeed: hashSeed('from word '), message: false },
  anchor: { name: 'anchor', block: ANCHORS, ownSeed: hashSeed('anchor word '), message: false },
} as const satisfies Record<string, View>

/** The texts that features are drawn from, each as far as it is read. */
export interface ReadTexts {
  readonly subject: string
  /** All of the visible text, of which the features take head and tail. */
  readonly body: string
  readonly from: string
  readonly anchors: string
}

export interface TextFeatures {
  /** Shape (TEXT_FEATURES_SIZE,), of length at most 1, all zero for a message without words. */
  readonly vector: SparseVector
  /** The text behind each index; empty unless asked for. */
  readonly spans: ReadonlyMap<number, Span>
}

const accumulator = new FeatureAccumulator(TEXT_FEATURES_SIZE, BLOCK_SHARES)

/** The words of the body whose trail was last asked for. */
const trail = new WordTrail()

/** Those of its text beyond what is read otherwise. */
const beyond = new WordTrail()

/** Characters before its middle that are followed with it: more than a stretch that stands across has. */
const SEAM_LENGTH = 1_000

/** What `message` says in the places that features are drawn from. */
export function readTexts(message: Message): ReadTexts {
  return {
    subject: subjectOf(message),
    body: readerText(message),
    from: displayName(message).slice(0, FROM_LENGTH_MAX),
    anchors: anchorText(message).slice(0, ANCHORS_LENGTH_MAX),
  }
}

/** The indices of the words of a display name. */
export function senderWordIndices({ from }: Pick<ReadTexts, 'from'>): Uint32Array {
  addWords(VIEWS.from, from)
  return accumulator.take().vector.indices
}

/** The features of what `message` says, with the span behind each if `withSpans`. */
export function textFeatures(message: Message, withSpans = false): TextFeatures {
  if (withSpans) accumulator.recordSpans()
  return featuresOf(readTexts(message))
}

/** The same, with what the readings of the message are made from. */
export interface TrailedFeatures extends TextFeatures {
  /** The words of the body in order. Valid until the next call. */
  readonly trail: WordTrail
  /** The words of a long text from before its middle to its end; none of a text that is read in full. Valid until the next call. */
  readonly beyond: WordTrail
  /** The position in the vector from which the features are those of display name and links, the same in all readings. */
  readonly shared: number
}

export function textFeaturesAndTrail(message: Message): TrailedFeatures {
  const texts = readTexts(message)
  followBody(texts)
  const shared = accumulator.count
  addSenderAndLinks(texts)
  followBeyond(longReaderText(message))
  return { ...accumulator.take(), trail, beyond, shared }
}

/** The features of a message that says no more of its text than the stretch with the largest `weights`; undefined where there is none. */
export function stretchFeatures(texts: ReadTexts, weights: Int16Array): SparseVector | undefined {
  followBody(texts)
  accumulator.take()
  const body = trail.strongest(weights)
  return body === undefined ? undefined : featuresOf({ ...texts, body }).vector
}

/** The sum of the weights of a reading's own features, those of subject and text. */
export function ownTextSum(message: Message, weightOf: (index: number) => number): number {
  addSubjectAndBody({ subject: subjectOf(message), body: readerText(message) })
  return accumulator.takeSum(weightOf)
}

/** The features of the words of a subject and a text alone. */
export function wordFeatures(texts: Pick<ReadTexts, 'subject' | 'body'>): SparseVector {
  addSubjectAndBody(texts)
  return accumulator.take().vector
}

function featuresOf(texts: ReadTexts): TextFeatures {
  addSubjectAndBody(texts)
  addSenderAndLinks(texts)
  return accumulator.take()
}

function addSubjectAndBody({ subject, body }: Pick<ReadTexts, 'subject' | 'body'>): void {
  addWords(VIEWS.subject, subject)
  for (const stretch of stretches(body)) addWords(VIEWS.body, stretch)
}

/** Adds subject and body, and follows the words of the body. */
function followBody(texts: ReadTexts): void {
  trail.clear()
  following = trail
  addSubjectAndBody(texts)
  if (texts.body.length > BODY_HEAD_LENGTH + BODY_TAIL_LENGTH) {
    followUnread(texts.body, BODY_HEAD_LENGTH, texts.body.length - BODY_TAIL_LENGTH)
  }
  following = undefined
}

/** Follows what `readerText` leaves out of a text. */
function followBeyond(text: string): void {
  beyond.clear()
  if (text.length <= TEXT_LENGTH_MAX) return
  following = beyond
  followUnread(text, TEXT_HEAD_LENGTH - SEAM_LENGTH, text.length)
  following = undefined
}

function addSenderAndLinks({ from, anchors }: ReadTexts): void {
  addWords(VIEWS.from, from)
  addWords(VIEWS.anchor, anchors)
}

/** What the words of the body are added to. */
let following: WordTrail | undefined

/** Follows a part of a long text, which gives no features but may be the worst. */
function followUnread(text: string, start: number, end: number): void {
  isDrawing = false
  // Piece by piece: combining marks out of order cost the square of how many there are in a row.
  for (let at = start; at < end; at += BODY_HEAD_LENGTH) {
    addWords(VIEWS.body, text.slice(at, Math.min(at + BODY_HEAD_LENGTH, end)))
  }
  isDrawing = true
}

let isDrawing = true

/** The first and last stretch of a long text, the whole of a short one. */
function stretches(text: string): string[] {
  if (text.length <= BODY_HEAD_LENGTH + BODY_TAIL_LENGTH) return [text]
  return [text.slice(0, BODY_HEAD_LENGTH), text.slice(-BODY_TAIL_LENGTH)]
}

function subjectOf({ subject }: Message): string {
  return subject.slice(0, SUBJECT_LENGTH_MAX)
}

/** The name that From shows: all of it, also where a comma that nobody quoted divides it. */
function displayName(message: Message): string {
  const names = parseAddresses(headerBody(message, 'from') ?? '').map((each) => each.displayName)
  return names.filter((name) => name !== '').join(', ')
}

function anchorText(message: Message): string {
  return message.links
    .slice(0, ANCHORS_MAX)
    .filter((link) => link.source === 'html')
    .map((link) => link.text)
    .join(' ')
}

function addWords(from: View, raw: string): void {
  const units = normalisedUnits(raw)
  const follow = from === VIEWS.body ? following : undefined
  const offset = follow?.begin(units) ?? 0
  let previousStart = -1
  let previousHash = 0
  for (let start = 0; start < units.length; ) {
    const end = wordEnd(units, start)
    const stop = Math.min(end, start + WORD_LENGTH_MAX)
    // Both at once: each step of a hash waits for the one before.
    let wordHash = from.ownSeed ?? MESSAGE_SEED
    let hash = PAIR_SEED
    for (let at = start; at < stop; at++) {
      const unit = units[at]!
      wordHash = hashUnit(wordHash, unit)
      hash = hashUnit(hash, unit)
    }
    const word = isUnspaced(units[start]!)
      ? addCharacterPairs(from, units, start, end)
      : addWord(from, wordHash, units, start, end)
    if (from.message) {
      if (previousStart >= 0) addPair(units, previousStart, previousHash, hash, end)
      follow?.add(offset + start, word)
      previousStart = start
      previousHash = hash
    }
    start = end + 1
  }
}

const SPACE = 0x20

/** The end of the word at `start`. There is exactly one space between words. */
function wordEnd(units: Uint16Array, start: number): number {
  let end = start
  while (end < units.length && units[end] !== SPACE) end++
  return end
}

/** Thai to Khmer, kana, and CJK ideographs: scripts that write no space between words. */
export function isUnspaced(unit: number): boolean {
  return (unit >= 0x0e00 && unit <= 0x0eff) || (unit >= 0x3040 && unit <= 0x9fff)
}

/** Takes pairs of characters in place of words where nothing separates words, as is usual in retrieval of Chinese and Japanese text. */
function addCharacterPairs(from: View, units: Uint16Array, start: number, end: number): number {
  let index = 0
  for (let at = start; at + 2 <= end; at++) {
    const hash = hashRange(from.ownSeed ?? MESSAGE_SEED, units, at, at + 2)
    index = addWord(from, hash, units, at, at + 2)
  }
  return index
}

/** Adds the word whose hash from the first seed of the view is `hash`; returns its index as a word of the message. */
function addWord(from: View, hash: number, units: Uint16Array, start: number, end: number): number {
  const first = wordIndex(hash)
  if (from.ownSeed === undefined) {
    addFeature(from.block, first, 'message', 'word', units, start, end)
    return first
  }
  addFeature(from.block, first, from.name, 'word', units, start, end)
  if (!from.message) return 0
  const index = wordIndex(hashRange(MESSAGE_SEED, units, start, end))
  addFeature(from.block, index, 'message', 'word', units, start, end)
  return index
}

/** Adds the feature of two neighbouring words, from their hashes. */
function addPair(
  units: Uint16Array,
  start: number,
  firstHash: number,
  secondHash: number,
  end: number,
): void {
  const hash = Math.imul(firstHash, PAIR_FACTOR) ^ secondHash
  addFeature(PAIRS, pairIndex(hash), 'message', 'pair', units, start, end)
}

/** Below PAIRS_START. */
function wordIndex(hash: number): number {
  return (hashIndex(hash, TEXT_INDEX_BITS) * 3) >>> 2
}

/** From PAIRS_START. */
function pairIndex(hash: number): number {
  return PAIRS_START + hashIndex(hash, TEXT_INDEX_BITS - 2)
}

function hashRange(seed: number, units: Uint16Array, start: number, end: number): number {
  const stop = Math.min(end, start + WORD_LENGTH_MAX)
  let hash = seed
  for (let i = start; i < stop; i++) hash = hashUnit(hash, units[i]!)
  return hash
}

function addFeature(
  block: number,
  index: number,
  view: string,
  kind: string,
  units: Uint16Array,
  start: number,
  end: number,
): void {
  if (!isDrawing) return
  if (accumulator.wantsSpan(index)) {
    accumulator.nameSpan(index, {
      view,
      kind,
      text: String.fromCharCode(...units.subarray(start, end)),
    })
  }
  accumulator.add(index, block)
}
