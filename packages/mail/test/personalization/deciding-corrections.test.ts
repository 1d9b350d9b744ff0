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
  modelsVersion: '1',
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

/** The ids of the corrections behind the shift of a message with these words. */
const behind = (of: number[], learned: readonly LearnedCorrection[]) =>
  decidingCorrections(DELTAS, termsOf(...of), learned).map(
    ({ correction }) => correction.feedbackId,
  )

describe('the corrections behind a personal shift', () => {
  it('are those that share the most of it with the message, the largest first', () => {
    const learned = [corrected('six', 'spam', 6, 20), corrected('both', 'spam', 5, 6)]
    assert.deepEqual(behind([5, 6], learned), ['both', 'six'])
  })

  it('have the part of the shift that their terms share', () => {
    const [found] = decidingCorrections(DELTAS, termsOf(5, 6), [corrected('six', 'spam', 6)])
    // By the length of the whole message, √(1 + 1 + 0.02).
    assert.equal(found!.logit.toFixed(4), (0.04 / Math.sqrt(2.02)).toFixed(4))
    assert.equal(found!.correction.claimedDomain, 'example.net')
  })

  it('say what the shift says', () => {
    const learned = [corrected('ham', 'ham', 5, 8), corrected('spam', 'spam', 5, 8)]
    assert.deepEqual(behind([5], learned), ['spam'])
    assert.deepEqual(behind([8], learned), ['ham'])
  })

  it('are none with less than a tenth of it, and at most three', () => {
    assert.deepEqual(behind([5, 7], [corrected('seven', 'spam', 7)]), [])
    const learned = ['a', 'b', 'c', 'd'].map((id) => corrected(id, 'spam', 5))
    assert.deepEqual(behind([5], learned), ['a', 'b', 'c'])
  })

  it('are none where there is no shift', () => {
    assert.deepEqual(behind([20], [corrected('other', 'spam', 20)]), [])
  })
})
