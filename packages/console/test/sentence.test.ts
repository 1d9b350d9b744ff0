/** The sentence that says what a message is, and why. */
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { Contribution, DiagnosticAnswer } from '../api.ts'
import { sentenceOf } from '../try/sentence.ts'

const THRESHOLD = 0.95

function meta(name: string, logit: number): Contribution {
  return { kind: 'meta', name, value: 1, logit }
}

interface Told {
  readonly spamProbability: number
  readonly terms?: readonly Contribution[]
  readonly textSpamScore?: number
  readonly bypassReason?: DiagnosticAnswer['result']['bypassReason']
  readonly modelled?: number
  readonly personalization?: object
}

/** The whole of what is said of a message of which this is known. */
function said(told: Told): string {
  const { spamProbability, terms = [], textSpamScore = 0.5, bypassReason = null } = told
  const answer = {
    result: { spamProbability, isSpam: spamProbability > THRESHOLD, textSpamScore, bypassReason },
    explanation: {
      probability: told.modelled ?? spamProbability,
      threshold: THRESHOLD,
      for: terms.filter(({ logit }) => logit > 0),
      against: terms.filter(({ logit }) => logit < 0),
    },
    personalization: { rule: null, memory: null, ...told.personalization },
    urlScanner: { links: [], match: { feed: 'phish' } },
  }
  const { verdict, reasons, quoted, more } = sentenceOf(answer as unknown as DiagnosticAnswer)
  return `${[`${verdict}: ${reasons}`, quoted].filter(Boolean).join(' ')}. ${more}`.trim()
}

const TERMS = [
  { kind: 'baseline', logit: 1.7 },
  meta('digitsShare 8-15', 1.5),
  meta('LINK_IP_HOST', 1.3),
  meta('RECIPIENTS_UNDISCLOSED', 1.2),
  meta('GREETING_GENERIC', 0.9),
  meta('PRICE_MENTIONED', 0.4),
  meta('QUOTED_REPLY', -0.9),
  meta('LINK_SINGLE', -0.1),
] as const satisfies readonly Contribution[]

describe('sentenceOf', () => {
  it('names the three strongest signals, and neither the baseline nor counts', () => {
    assert.equal(
      said({ spamProbability: 0.96, terms: TERMS }),
      'Probably spam: a link leads to a bare IP address, the recipients are hidden, the greeting is generic.',
    )
  })

  it('names what speaks against spam where it is none, and the words where signals are few', () => {
    assert.equal(
      said({ spamProbability: 0.01, terms: TERMS, textSpamScore: 0.02 }),
      'Almost certainly not spam: it quotes another message, its words are typical of ham.',
    )
  })

  it('says of what is suspicious why, and that it is no spam', () => {
    assert.equal(
      said({ spamProbability: 0.94, terms: TERMS.slice(3), textSpamScore: 0.9 }),
      'Suspicious, but not spam: the recipients are hidden, the greeting is generic, it mentions money.',
    )
  })

  it('says who overruled the models, and what they say alone', () => {
    const rule = { ruleType: 'Sender', pattern: 'example.com' }
    assert.equal(
      said({
        spamProbability: 1,
        modelled: 0.01,
        bypassReason: 'user_rule',
        personalization: { rule },
      }),
      'Spam: a user rule blocks the sender example.com. The models alone say: almost certainly not spam.',
    )
    assert.equal(
      said({
        spamProbability: 0,
        modelled: 0.97,
        bypassReason: 'knn_memory',
        personalization: { memory: { sameMessage: true } },
      }),
      'Not spam: the user has corrected this very message. The models alone say: probably spam.',
    )
    assert.equal(
      said({ spamProbability: 1, modelled: 0.6, bypassReason: 'phishtank_match' }),
      'Spam: a link is in the feed phish. The models alone say: suspicious.',
    )
  })

  it('says that the user knows the sender', () => {
    const known = { kind: 'correspondent', tie: 'reply', logit: -3 } as const
    assert.equal(
      said({ spamProbability: 0.01, terms: [known], textSpamScore: 0.02 }),
      'Almost certainly not spam: the user knows the sender, its words are typical of ham.',
    )
  })

  it('says that only part could be read', () => {
    assert.equal(
      said({ spamProbability: 0.96, terms: TERMS.slice(3), bypassReason: 'parse_error' }),
      'Probably spam: the recipients are hidden, the greeting is generic, it mentions money. Only part of the message could be read.',
    )
  })

  it('says nothing of spam under a licence without it', () => {
    const answer = { result: {}, explanation: null } as unknown as DiagnosticAnswer
    const { verdict, reasons } = sentenceOf(answer)
    assert.equal(
      `${verdict}: ${reasons}`,
      'Not checked for spam: the licence includes only message classes',
    )
  })
})
