/** Verdicts and reasons on the page Live, in words. */
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import {
  messageTone,
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
    assert.equal(said({ verdict: 'ham', spamProbability: 0.94 }), 'Suspicious')
    assert.equal(
      said({ verdict: 'ham', spamProbability: 0.94, bypassReason: 'user_rule' }),
      'Not spam',
    )
    assert.equal(said({ verdict: null, spamProbability: null }), 'Class only')
  })
})

describe('messageTone', () => {
  it('is that of ham only where there is no doubt', () => {
    const tone = (message: Partial<RecentMessage>) => messageTone({ ...SPAM, ...message })
    assert.equal(tone({}), 'spam')
    assert.equal(tone({ verdict: 'mixed' }), 'spam')
    assert.equal(tone({ verdict: 'ham', spamProbability: 0.49 }), 'ham')
    assert.equal(tone({ verdict: 'ham', spamProbability: 0.94 }), 'warn')
    assert.equal(tone({ verdict: 'ham', spamProbability: 0.2, shouldEscalate: true }), 'warn')
    assert.equal(tone({ verdict: null, spamProbability: null }), 'plain')
  })
})

describe('reasons of many messages', () => {
  it('are named as they are of a single message', () => {
    assert.equal(reasonWords(moved('TAMIS_LIST_DBL', 1, 0)), 'The list dbl: spam')
    assert.equal(
      reasonWords({ name: 'FROM_A_LATER_VERSION', description: '' }),
      'FROM_A_LATER_VERSION',
    )
  })

  it('say how many messages they moved', () => {
    assert.equal(movedWords(moved('A', 1, 0)), '1 message towards spam')
    assert.equal(movedWords(moved('A', 0, 1_200)), '1,200 messages away from spam')
    assert.equal(movedWords(moved('A', 31, 4)), '31 messages towards spam, 4 away from it')
  })
})
