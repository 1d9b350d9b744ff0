/**
 * Texts as lists of word numbers, in shared memory: every thread of the training reads one copy.
 */
import { wordsOf } from '../../../mail/embedding/words.ts'

/** Numbers the words of all texts, in the order in which they are first met. */
export class WordNumbers {
  readonly words: string[] = []
  readonly #numbers = new Map<string, number>()

  numberOf(word: string): number {
    const known = this.#numbers.get(word)
    if (known !== undefined) return known
    this.#numbers.set(word, this.words.length)
    return this.words.push(word) - 1
  }
}

/** Texts one after the other. */
export interface Texts {
  /** Where the words of each text begin, and at last where they end. Shape (texts + 1,). */
  readonly starts: Int32Array
  /** Numbers of the words. */
  readonly words: Int32Array
}

export function textsOf(texts: readonly Int32Array[]): Texts {
  const starts = new Int32Array(new SharedArrayBuffer(4 * (texts.length + 1)))
  texts.forEach((text, i) => {
    starts[i + 1] = starts[i]! + text.length
  })
  const words = new Int32Array(new SharedArrayBuffer(4 * starts[texts.length]!))
  texts.forEach((text, i) => {
    words.set(text, starts[i]!)
  })
  return { starts, words }
}

/** The numbers of the words of `text`. */
export function readText(numbers: WordNumbers, text: string, lengthMax: number): Int32Array {
  return Int32Array.from(wordsOf(text, lengthMax), (word) => numbers.numberOf(word))
}
