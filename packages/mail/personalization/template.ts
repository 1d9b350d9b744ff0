/**
 * The template a message was made from: what stays the same when a campaign goes to another recipient,
 * or out again a week later. It is written `t1:<sender's registrable domain>:<fingerprint>`.
 *
 * The fingerprint holds two sketches, of what the message says and of how its HTML is
 * structured. A text of a few words has a digest instead: any change would make it dissimilar.
 */
import { createHash } from 'node:crypto'
import { hashIndex, hashSeed } from '../features/hashing.ts'
import type { Message } from '../message/message.ts'
import { mailboxesOf } from '../signals/fields.ts'
import { readerText, subjectOf } from '../signals/text.ts'
import { skippedWords, templateWords } from './template-words.ts'

/** Changes whenever the same message gets another fingerprint. */
const VERSION = 't1'

/** Characters of the text that are read. */
const TEXT_LENGTH_MAX = 6_000

/** Images whose alternative text is read: mail that is just one picture has its words there. */
const IMAGES_MAX = 40
const ALTERNATIVE_TEXT_LENGTH_MAX = 1_000

/** Words in a shingle: three in a row are seldom shared by chance. */
const SHINGLE_WORDS = 3

/** A text of fewer words has a digest. */
const SKETCHED_WORDS_MIN = 24

/**
 * The subject's share of the weight of all words: messages of pictures and a footer differ from the
 * sender's next message only in the subject.
 */
const SUBJECT_SHARE = 0.15

/** How often one word of the subject is counted at most, whatever the length of the text. */
const SUBJECT_WEIGHT_MAX = 32

/** Bytes of the sketch of the words, and of that of the structure; together 160 characters. */
const WORD_PLACES = 80
const STRUCTURE_PLACES = 40
const SKETCH_BYTES = WORD_PLACES + STRUCTURE_PLACES

/** How often one tag is counted at most. */
const TAG_COUNT_MAX = 40

/** Bytes kept of the SHA-256 of a short text. */
const DIGEST_BYTES = 18

/** Odd and large, so that the same words in another order make another shingle. */
const SHINGLE_FACTOR = 0x9e3779b1

/** The template of `message`, sent from `senderDomain`; undefined for a message without a word. */
export function templateOf(message: Message, senderDomain: string): string | undefined {
  const text = readerText(message).slice(0, TEXT_LENGTH_MAX)
  const names = recipientNames(message, text)
  const subject = templateWords(subjectOf(message), names)
  const body = templateWords(`${text}\n${alternativeText(message)}`, names)
  if (subject.length + body.length === 0) return undefined
  const fingerprint =
    body.length < SKETCHED_WORDS_MIN ? digestOf(subject, body) : sketches(message, subject, body)
  return `${VERSION}:${senderDomain}:${Buffer.from(fingerprint).toString('base64url')}`
}

function alternativeText(message: Message): string {
  return message.texts
    .flatMap(({ html }) => html?.images.slice(0, IMAGES_MAX) ?? [])
    .map(({ alt }) => alt)
    .join('\n')
    .slice(0, ALTERNATIVE_TEXT_LENGTH_MAX)
}

/** Recipients whose names are left out; mail to more recipients addresses nobody by name. */
const RECIPIENTS_MAX = 2

/** Characters read of each name, and words left out for all names together. */
const NAME_LENGTH_MAX = 60
const NAME_WORDS_MAX = 12

/** Characters of the text in which a greeting is looked for. */
const GREETING_END = 300

const GREETING =
  /(?:^|\n)[ \t]{0,20}(?:dear|hi|hello|hey|hallo|hola|bonjour|ciao|ch[eè]re?|liebe[rs]?|(?:sehr )?geehrte[rs]?|estimad[oa]|prezad[oa]|gentile|beste|geachte|ol[aá]|car[oa])[ \t]{1,5}([^,!:;.\n]{1,60})/i

/** Hashes of the words with which the message addresses its recipient. */
function recipientNames(message: Message, text: string): number[] {
  const called = mailboxesOf(message, 'to')
    .slice(0, RECIPIENTS_MAX)
    .flatMap(({ displayName, localPart }) => [displayName, localPart])
    .map((name) => name.slice(0, NAME_LENGTH_MAX))
  const greeted = GREETING.exec(text.slice(0, GREETING_END))?.[1] ?? ''
  return skippedWords([greeted, ...called].join(' '), NAME_WORDS_MAX)
}

function digestOf(subject: readonly number[], body: readonly number[]): Uint8Array {
  const words = Int32Array.from([...subject, 0, ...body])
  return createHash('sha256').update(words).digest().subarray(0, DIGEST_BYTES)
}

function sketches(message: Message, subject: readonly number[], body: readonly number[]): Buffer {
  return Buffer.concat([wordSketch(subject, body), structureSketch(message)], SKETCH_BYTES)
}

function wordSketch(subject: readonly number[], body: readonly number[]): Uint8Array {
  const least = leastHashes(WORD_PLACES)
  for (let at = 0; at + SHINGLE_WORDS <= body.length; at++) {
    addElement(least, shingle(body[at]!, body[at + 1]!, body[at + 2]!))
  }
  const weight = subjectWeight(subject.length, body.length)
  for (const word of subject) addRepeated(least, word, weight)
  return sketchOf(least)
}

/** How often each word of the subject counts, so that together they have SUBJECT_SHARE of the weight. */
function subjectWeight(subjectWords: number, bodyWords: number): number {
  const share = SUBJECT_SHARE / (1 - SUBJECT_SHARE)
  const weight = Math.round((bodyWords * share) / Math.max(1, subjectWords))
  return Math.min(SUBJECT_WEIGHT_MAX, Math.max(1, weight))
}

function shingle(first: number, second: number, third: number): number {
  return Math.imul(Math.imul(first, SHINGLE_FACTOR) ^ second, SHINGLE_FACTOR) ^ third
}

function structureSketch(message: Message): Uint8Array {
  if (!message.texts.some(({ html }) => html !== undefined)) return new Uint8Array(STRUCTURE_PLACES)
  const least = leastHashes(STRUCTURE_PLACES)
  for (const { html } of message.texts) {
    for (const [name, count] of html?.tagCounts ?? []) {
      addRepeated(least, hashSeed(`<${name}`), Math.min(count, TAG_COUNT_MAX))
    }
  }
  return sketchOf(least)
}

const PATTERN = /^t1:(\S{1,253}):([\w-]{24,160})$/

export function isTemplate(pattern: string): boolean {
  return readTemplate(pattern) !== undefined
}

/** The domain and the fingerprint (sketches or digest, told apart by length); undefined for a pattern that no message can have. */
function readTemplate(pattern: string): { domain: string; fingerprint: Buffer } | undefined {
  const [, domain, encoded] = PATTERN.exec(pattern) ?? []
  if (domain === undefined || encoded === undefined) return undefined
  const fingerprint = Buffer.from(encoded, 'base64url')
  const known = fingerprint.length === DIGEST_BYTES || fingerprint.length === SKETCH_BYTES
  return known && fingerprint.toString('base64url') === encoded
    ? { domain, fingerprint }
    : undefined
}

/** A template with sketches, decoded once to be compared with many. */
export interface Sketches {
  /** The sender's domain; templates of two domains are never alike. */
  readonly domain: string
  /** The sketch of the words. Shape (80,). */
  readonly words: Uint8Array
  /** The sketch of the structure, all zero for a message without HTML. Shape (40,). */
  readonly structure: Uint8Array
}

/** The sketches in a pattern; undefined for a template with a digest, which matches only its equal. */
export function sketchesIn(pattern: string): Sketches | undefined {
  const template = readTemplate(pattern)
  if (template?.fingerprint.length !== SKETCH_BYTES) return undefined
  const { domain, fingerprint } = template
  return {
    domain,
    words: fingerprint.subarray(0, WORD_PLACES),
    structure: fingerprint.subarray(WORD_PLACES),
  }
}

/** Share of common words from which two messages have one template. */
const WORDS_ALIKE_MIN = 0.55

/** The same for messages with alike HTML. */
const WORDS_ALIKE_IN_STRUCTURE_MIN = 0.45

/** Share of common tags from which HTML is alike. */
const STRUCTURE_ALIKE_MIN = 0.85

/**
 * Whether two templates belong to one sender's domain and one campaign. The thresholds were chosen on
 * half of the near-duplicates in the corpora (packages/lab/reports/memory).
 */
export function templateMatches(one: string, other: string): boolean {
  if (one === other) return true
  const a = sketchesIn(one)
  const b = sketchesIn(other)
  return a !== undefined && b !== undefined && a.domain === b.domain && areAlike(a, b)
}

/** Whether two templates of one domain belong to one campaign. */
export function areAlike(a: Sketches, b: Sketches): boolean {
  const words = resemblance(a.words, b.words)
  if (words >= WORDS_ALIKE_MIN) return true
  return (
    words >= WORDS_ALIKE_IN_STRUCTURE_MIN &&
    a.structure.some((place) => place !== 0) &&
    resemblance(a.structure, b.structure) >= STRUCTURE_ALIKE_MIN
  )
}

// MinHash sketches: they estimate from a few bytes of each set what share of their elements two sets
// have in common. Broder, On the Resemblance and Containment of Documents (1997).
//
// Each element has one hash, which falls into one place of the sketch, and each place keeps its least
// hash. An empty place borrows from another, the same in every sketch (Shrivastava, Optimal
// Densification for Fast and Accurate Minwise Hashing, ICML 2017). Only 8 bits are kept of each least
// hash (Li and König, b-Bit Minwise Hashing, WWW 2010): different ones agree by chance once in 256
// times.

const HASH_BITS = 32
const KEPT_BITS = 8

/** Marks an empty place. A hash has this value only once in 2^32 times. */
const EMPTY = 0xffffffff

/** Odd and large: 2^32 / golden ratio (Knuth's multiplicative hashing). */
const FACTOR = 0x9e3779b1

/** Places tried to fill an empty one: in a sketch with one element in 64 places this finds it with 99.9 %. */
const BORROWINGS_MAX = 512

/** The least hash of each place, before the sketch is made. Shape (places,). */
export type LeastHashes = Uint32Array

export function leastHashes(places: number): LeastHashes {
  return new Uint32Array(places).fill(EMPTY)
}

/** Puts `element`, given as a number of 32 bits, into the set, in place. */
export function addElement(least: LeastHashes, element: number): void {
  const hash = hashIndex(element, HASH_BITS)
  const place = hash % least.length
  if (hash < least[place]!) least[place] = hash
}

/** Puts `element` into the set as `times` elements, so that it weighs as much. */
export function addRepeated(least: LeastHashes, element: number, times: number): void {
  for (let time = 1; time <= times; time++) {
    addElement(least, Math.imul(element ^ Math.imul(time, FACTOR), FACTOR))
  }
}

/** The sketch of a set. Shape (places,); all zero for the empty set. */
export function sketchOf(least: LeastHashes): Uint8Array {
  const sketch = new Uint8Array(least.length)
  for (let place = 0; place < least.length; place++) {
    const hash = least[place] === EMPTY ? borrowed(least, place) : least[place]!
    sketch[place] = hash === EMPTY ? 0 : hashIndex(hash, KEPT_BITS)
  }
  return sketch
}

function borrowed(least: LeastHashes, place: number): number {
  for (let attempt = 1; attempt <= BORROWINGS_MAX; attempt++) {
    const from = hashIndex(Math.imul(place + 1, FACTOR) ^ attempt, HASH_BITS) % least.length
    if (least[from] !== EMPTY) return least[from]!
  }
  return EMPTY
}

/** The share of equal places, which estimates the elements in common as a share of all that either set has. */
export function resemblance(one: Uint8Array, other: Uint8Array): number {
  let equal = 0
  for (let place = 0; place < one.length; place++) if (one[place] === other[place]) equal++
  return equal / one.length
}
