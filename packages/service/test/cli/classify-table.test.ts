import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { Verdict } from '../../../mail/verdict/verdict.ts'
import { HEADING, type Line, rowOf, Summary } from '../../cli/classify.ts'

const VERDICT: Verdict = {
  isSpam: false,
  spamProbability: 0.0421,
  classification: 'primary',
  textSpamScore: 0.1,
  metaSpamScore: 0.1,
  confidenceMargin: 0.9,
  entropy: 0.2,
  disagreement: 0,
  shouldEscalate: false,
  bypassReason: null,
  senderAuthenticated: false,
}

const HAM: Line = { name: 'ham.eml', verdict: VERDICT, confidence: 0.913 }
const SPAM: Line = {
  name: 'spam.eml',
  verdict: { ...VERDICT, isSpam: true, spamProbability: 1 },
  sentence: 'Almost certainly spam: the greeting is generic.',
}
const DOUBTFUL: Line = {
  name: `${'folder/'.repeat(9)}a.eml`,
  verdict: { ...VERDICT, shouldEscalate: true },
}
const BROKEN: Line = { name: '-', error: 'It has no header field', code: 'NOT_A_MESSAGE' }

describe('the table of tamis classify', () => {
  it('has a row for each message under its heading, and why below it', () => {
    assert.deepEqual(
      [HEADING, ...[HAM, SPAM, DOUBTFUL, BROKEN].map(rowOf)],
      [
        'message                                                 spam   class         sure',
        'ham.eml                                           ham   0.042  primary       0.91  ',
        'spam.eml                                          SPAM  1.000  primary             \n  Almost certainly spam: the greeting is generic.',
        '…folder/folder/folder/folder/folder/folder/a.eml  ham   0.042  primary             look',
        '-                                                 error NOT_A_MESSAGE: It has no header field',
      ],
    )
  })

  it('ends with how many there were of each', () => {
    const summary = new Summary()
    summary.add(HAM)
    assert.equal(`${summary}`, '1 message: 0 spam, 1 ham')
    for (const line of [SPAM, DOUBTFUL, BROKEN]) summary.add(line)
    assert.equal(`${summary}`, '4 messages: 1 spam, 2 ham; 1 to look at; 1 not classified')
  })
})
