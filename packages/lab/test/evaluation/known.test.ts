import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { KnownEvaluation } from '../../evaluation/known/evaluate-known.ts'
import { sentBy } from '../../evaluation/known/forged.ts'
import { renderKnownReport } from '../../evaluation/known/report.ts'

const EVALUATION: KnownEvaluation = {
  version: '2025.1.1',
  domains: { known: 2, shared: 1 },
  networks: 1_002,
  falsePositiveRate: 2.7e-5,
  counts: [
    {
      source: 'household',
      spam: false,
      messages: 1_000,
      senders: {
        'known aligned': 390,
        'known other': 10,
        'known none': 100,
        'stranger aligned': 100,
        'stranger other': 50,
        'stranger none': 50,
        'unknown aligned': 200,
        'unknown other': 60,
        'unknown none': 40,
      },
      signals: new Map([['KNOWN_FROM_SIGNED', 390]]),
    },
  ],
  verdicts: new Map([['known none', { ham: 200, lost: 1, spam: 40, caught: 30 }]]),
  forged: {
    letters: 95,
    stranger: 70,
    otherStrangers: [68, 71],
    names: [
      { name: 'Amazon', unchecked: 66, claiming: 65, checkedOfCaught: 70, checkedOfRest: 22 },
    ],
  },
  artifactBytes: 609_654,
  memoryBytes: 871_802,
}

describe('renderKnownReport', () => {
  const page = renderKnownReport(EVALUATION, 'tamis-lab evaluate known --corpora DIR')

  it('says who sends, and what vouches for them', () => {
    assert.match(
      page,
      /\| household, ham \| 1,000 \| 390 \| 10 \| 100 \| 100 \| 50 \| 50 \| 200 \| 60 \| 40 \|/,
    )
  })
  it('says how mail of each is judged', () => {
    assert.match(page, /\| known \| none \| 200 \| 0\.50 % \| 40 \| 75\.0 % \|/)
    assert.match(page, /\| unknown \| aligned \| 0 \| – \| 0 \| – \|/)
  })
  it('says how often each signal is raised, but for those that need an address', () => {
    assert.match(page, /\| `KNOWN_FROM_SIGNED` \| 39\.0 % \|/)
    assert.match(page, /\| `KNOWN_LINKS_ALL` \| 0\.0 % \|/)
    assert.doesNotMatch(page, /\| `KNOWN_NETWORK`/)
  })
  it('says what a forged name gains', () => {
    assert.match(
      page,
      /From a stranger\n70 are caught, from two more strangers with names of people 68 and 71\./,
    )
    assert.match(page, /checks, of 70 caught from a stranger \| checks, of the other 25 \|/)
    assert.match(page, /\| Amazon \| 66 \| 65 \| 70 \| 22 \|/)
  })
  it('says what it costs', () => {
    assert.match(page, /3 names \(2 known, 1 shared\)/)
    assert.match(page, /\| memory, bytes, shared by all threads \| 871,802 \|/)
    assert.match(page, /, computed \| 2\.7e-5 \|/)
  })
})

describe('sentBy', () => {
  const SPAM =
    'Received: from x\r\nFrom: A <a@spam.example>\r\nTo: b@example.com\r\nSubject: Long\r\n words\r\nReply-To: c@spam.example\r\nContent-Type: text/plain\r\n\r\nBuy, from: us\r\n'

  it('keeps what the message is, and nothing of who sent it', () => {
    const text = Buffer.from(sentBy(Buffer.from(SPAM), ['Bank', 'bank.example'], false)).toString()
    assert.match(
      text,
      /^From: Bank <order-update@bank\.example>\r\nTo: .*\r\nMessage-ID: <.*@bank\.example>\r\n/,
    )
    assert.ok(
      text.endsWith('Subject: Long\r\n words\r\nContent-Type: text/plain\r\n\r\nBuy, from: us\r\n'),
    )
    assert.doesNotMatch(text, /spam\.example|Received/)
  })
  it('may claim a signature', () => {
    const text = Buffer.from(sentBy(Buffer.from(SPAM), ['Bank', 'bank.example'], true)).toString()
    assert.match(text, /^DKIM-Signature: v=1; .* d=bank\.example;/)
  })
})
