/** Which corrections are behind a personal shift: three words with weights of their own, messages that share some of them. */
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { packTerm, wordOfTerm } from '../../embedding/sparse-terms.ts'
import {
  decidingCorrections,
  type LearnedCorrection,
  type PersonalDeltas,
  personalTable,
} from '../../personalization/personal-deltas.ts'

/** The terms of a message with these words, each of the weight 1. */
const termsOf = (...words: number[]) => Uint32Array.from(words, (word) => packTerm(word, 1)).sort()

const WORDS = [...termsOf(5, 6, 7, 8)].map(wordOfTerm)

/** 0.1 for the word 5, 0.04 for 6, 0.001 for 7 and -0.2 for 8. */
const DELTAS: PersonalDeltas = {
  spam: personalTable(WORDS, Float32Array.of(0.1, 0.04, 0.001, -0.2), 1),
  classes: undefined,
}

const corrected = (feedbackId: string, label: string, ...of: number[]): LearnedCorrection => ({
  correction: {
    feedbackId,
    label,
    createdAt: new Date('2026-11-02'),
    claimedDomain: 'example.net',
  },
  terms: termsOf(...of),
})

describe('the corrections behind a personal shift', () => {
  const spam = (id: string, ...of: number[]) => corrected(id, 'spam', ...of)
  // biome-ignore format: a row each
  const cases: [what: string, of: number[], learned: LearnedCorrection[], ids: string[]][] = [
    ['are those that share the most of it, the largest first', [5, 6], [spam('six', 6, 20), spam('both', 5, 6)], ['both', 'six']],
    ['say "spam" where it does', [5], [corrected('ham', 'ham', 5, 8), spam('spam', 5, 8)], ['spam']],
    ['say "not spam" where it does', [8], [corrected('ham', 'ham', 5, 8), spam('spam', 5, 8)], ['ham']],
    ['have a tenth of it at least', [5, 7], [spam('seven', 7)], []],
    ['are three at most', [5], ['a', 'b', 'c', 'd'].map((id) => spam(id, 5)), ['a', 'b', 'c']],
    ['are none where there is no shift', [20], [spam('other', 20)], []],
  ]
  for (const [what, of, learned, ids] of cases) {
    it(what, () => {
      const found = decidingCorrections(DELTAS, termsOf(...of), learned)
      assert.deepEqual(
        found.map(({ correction }) => correction.feedbackId),
        ids,
      )
    })
  }

  it('have the part of the shift that their terms share, by the length of the whole message', () => {
    const [found] = decidingCorrections(DELTAS, termsOf(5, 6), [corrected('six', 'spam', 6)])
    assert.equal(found!.logit.toFixed(4), (0.04 / Math.sqrt(1 + 1 + 0.02)).toFixed(4))
    assert.equal(found!.correction.claimedDomain, 'example.net')
  })
})
