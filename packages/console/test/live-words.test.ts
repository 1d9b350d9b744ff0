/** Verdicts and reasons on the page Live, in words. */
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import {
  movedWords,
  type RecentMessage,
  type RecentReason,
  reasonWords,
  verdictWords,
} from '../live/words.ts'

function reason(name: string, points: number, description = '') {
  return { name, points, description }
}

const WORDS = reason('TAMIS_TEXT', 3)
const LINK = reason('LINK_IP_HOST', 2)
const REPLY = reason('QUOTED_REPLY', -1)

const SPAM: RecentMessage = {
  at: '2026-11-20T12:28:07.512Z',
  verdict: 'spam',
  spamProbability: 0.99,
  classification: 'promotions',
  bypassReason: null,
  shouldEscalate: false,
  senderDomain: 'example.com',
  reasons: [WORDS, LINK, REPLY],
  ms: 4,
}

function moved(name: string, forSpam: number, againstSpam: number): RecentReason {
  return { name, description: 'The list dbl: spam.', forSpam, againstSpam, points: 1 }
}

describe('verdictWords', () => {
  it('says what the message is, and of a likely one below the threshold that it is no spam', () => {
    const said = (message: Partial<RecentMessage>) => verdictWords({ ...SPAM, ...message })
    assert.equal(said({}), 'Spam')
    assert.equal(said({ verdict: 'mixed' }), 'Spam for some')
    assert.equal(said({ verdict: 'ham', spamProbability: 0.49 }), 'Not spam')
    assert.equal(said({ verdict: 'ham', spamProbability: 0.94 }), 'Suspicious, but not spam')
    assert.equal(
      said({ verdict: 'ham', spamProbability: 0.94, bypassReason: 'user_rule' }),
      'Not spam',
    )
    assert.equal(said({ verdict: null, spamProbability: null }), 'Class only')
  })
})

describe('reasons of many messages', () => {
  it('are named whichever way they spoke', () => {
    assert.equal(reasonWords(moved('TAMIS_TEXT', 1, 1)), 'the wording of the message')
    assert.equal(reasonWords(moved('TAMIS_LIST_DBL', 1, 0)), 'the list dbl: spam')
  })

  it('say how many messages they moved', () => {
    assert.equal(movedWords(moved('A', 1, 0)), '1 message towards spam')
    assert.equal(movedWords(moved('A', 0, 1_200)), '1,200 messages away from spam')
    assert.equal(movedWords(moved('A', 31, 4)), '31 messages towards spam, 4 away from it')
  })
})
