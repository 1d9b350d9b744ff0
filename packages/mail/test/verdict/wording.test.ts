/** Which words are named as reasons. */

import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { TextTerm } from '../../models/contributions.ts'
import { wordingOf, wordsNamed } from '../../verdict/wording.ts'
import { parsed } from '../helpers/parsed.ts'

const MESSAGE = parsed(
  'From: Ann Keller <ann.keller@mail.example.com>\nTo: ben@example.net\n\nHi\n',
)

function term(text: string, logit = 1, view = 'message'): TextTerm {
  const kind = text.includes(' ') ? 'pair' : 'word'
  return { kind: 'text', span: { view, kind, text }, value: 1, logit }
}

/** The words of those that are named, of one weight each. */
function named(...texts: string[]): string[] {
  const wording = wordingOf(
    texts.map((text) => term(text)),
    MESSAGE,
  )
  return wordsNamed(wording, 20)
}

describe('the words of a wording', () => {
  for (const [what, texts] of [
    ['stop words of any language', ['been', 'der', 'vous', 'nuestro', 'samma', 'które', 'если']],
    ['numbers', ['000', '0st', '$000', 'july', 'montag', 'července']],
    ['letters alone and pairs of them', ['x', 'é', 'de', 'ж']],
    [
      'parts of addresses',
      ['\u0001link', '\u0001address', 'www', 'com', 'keller', 'ben', 'example'],
    ],
    ['endings in a script without spaces', ['ます']],
  ] as const) {
    it(`are no ${what}`, () => assert.deepEqual(named(...texts), []))
  }

  it('are words that mean something, in any script', () => {
    const words = ['kindly', 'überweisung', 'подарок', '発送', 'gift card']
    assert.deepEqual(named(...words).toSorted(), words.toSorted())
  })

  it('are no pairs in which only one word means something', () => {
    assert.deepEqual(named('the gift', 'gift 000'), [])
  })
})

describe('the wording', () => {
  const wording = (...terms: readonly TextTerm[]) => wordingOf(terms, MESSAGE)

  it('has the sum of all words, and a word of the subject once', () => {
    const terms = [term('kindly', 0.5), term('kindly', 0.25, 'subject'), term('the', 1)]
    const { logit, count, words } = wording(...terms, term('meeting', -0.25))
    assert.deepEqual([logit, count], [1.5, 4])
    const named = words.map(({ span, logit }) => [span.text, logit])
    assert.deepEqual(named, [
      ['kindly', 0.75],
      ['meeting', -0.25],
    ])
  })

  it('names words that speak as all do together, the strongest first', () => {
    const found = wording(term('gift', 0.5), term('kindly', 1), term('meeting', -0.75))
    assert.deepEqual(wordsNamed(found, 5), ['kindly', 'gift'])
    assert.deepEqual(wordsNamed(found, 1), ['kindly'])
  })
})
