/** Verdicts and reasons on the page Live, in words. */
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import {
  movedWords,
  type RecentMessage,
  type RecentReason,
  reasonWords,
  verdictWords,
  whyWords,
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

describe('whyWords', () => {
  const why = (message: Partial<RecentMessage>) => whyWords({ ...SPAM, ...message })

  it('gives the strongest signal that speaks for the verdict, and the words where there is none', () => {
    assert.equal(why({}), 'a link leads to a bare IP address')
    assert.equal(why({ verdict: 'ham' }), 'it quotes another message')
    assert.equal(why({ reasons: [REPLY, WORDS] }), 'its words are typical of spam')
    assert.equal(
      why({ verdict: 'ham', reasons: [reason('TAMIS_FORM', -2)] }),
      'it is built like ham',
    )
    assert.equal(why({ verdict: 'ham', reasons: [LINK] }), undefined)
  })

  it('gives what decided in place of the models', () => {
    assert.equal(why({ bypassReason: 'phishtank_match' }), 'a link is in a URL feed')
  })

  it('gives a reason that it does not know by its description, or else its name', () => {
    const list = reason('TAMIS_LIST_DBL', 4, 'The DNS list dbl names a domain of the message.')
    assert.equal(why({ reasons: [list] }), 'the DNS list dbl names a domain of the message')
    assert.equal(why({ reasons: [reason('NEW', 4)] }), 'NEW')
  })
})

describe('reasons of many messages', () => {
  it('are named whichever way they spoke', () => {
    assert.equal(reasonWords(moved('TAMIS_TEXT', 1, 1)), 'the words of the message')
    assert.equal(reasonWords(moved('TAMIS_LIST_DBL', 1, 0)), 'the list dbl: spam')
  })

  it('say how many messages they moved', () => {
    assert.equal(movedWords(moved('A', 1, 0)), '1 message towards spam')
    assert.equal(movedWords(moved('A', 0, 1_200)), '1,200 messages away from spam')
    assert.equal(movedWords(moved('A', 31, 4)), '31 messages towards spam, 4 away from it')
  })
})
