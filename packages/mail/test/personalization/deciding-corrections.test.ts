/** Which corrections are behind a personal shift: three words with weights of their own, messages that share some of them. */
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import {
  decidingCorrections,
  type LearnedCorrection,
} from '../../personalization/deciding-corrections.ts'
import { type PersonalDeltas, personalTable } from '../../personalization/personal-deltas.ts'
import { NO_META, words } from '../learning/corrections.ts'

/** One for the word 5, 0.4 for 6, 0.01 for 7 and -2 for 8. */
const DELTAS: PersonalDeltas = {
  modelsVersion: '1',
  spam: personalTable([5, 6, 7, 8], Float32Array.of(1, 0.4, 0.01, -2), 1, { text: 1, meta: 1 }),
  classes: undefined,
}

const corrected = (feedbackId: string, label: string, ...of: number[]): LearnedCorrection => ({
  correction: {
    feedbackId,
    label,
    createdAt: new Date('2026-11-02'),
    claimedDomain: 'example.net',
  },
  text: words(...of),
  meta: NO_META,
})

/** The ids of the corrections behind the shift of a message with these words. */
const behind = (of: number[], learned: readonly LearnedCorrection[]) =>
  decidingCorrections(DELTAS, { text: words(...of), meta: NO_META }, learned).map(
    ({ correction }) => correction.feedbackId,
  )

describe('the corrections behind a personal shift', () => {
  it('are those that share the most of it with the message, the largest first', () => {
    const learned = [corrected('six', 'spam', 6, 20), corrected('both', 'spam', 5, 6)]
    assert.deepEqual(behind([5, 6], learned), ['both', 'six'])
  })

  it('have the part of the shift that their features share', () => {
    const features = { text: words(5, 6), meta: NO_META }
    const [found] = decidingCorrections(DELTAS, features, [corrected('six', 'spam', 6)])
    assert.equal(found!.logit.toFixed(4), (0.4 * Math.SQRT1_2).toFixed(4))
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
