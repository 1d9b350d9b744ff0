import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { Verdict } from '../../../mail/verdict/verdict.ts'
import {
  CHANGES_HEADING,
  changeRow,
  learnedSummary,
  OUTCOMES_HEADING,
  outcomeRow,
  rehearsedSummary,
} from '../../cli/learn-table.ts'

const SPAM = { isSpam: true, spamProbability: 0.9994, bypassReason: null } as Verdict
const HAM = { isSpam: false, spamProbability: 0.02, bypassReason: 'user_rule' } as Verdict

describe('the table of tamis learn', () => {
  it('says in words what became of the messages', () => {
    assert.deepEqual(
      [
        OUTCOMES_HEADING,
        outcomeRow('success', 1_204),
        outcomeRow('personalization_only', 12),
        outcomeRow('already_recorded', 3),
        outcomeRow('NOT_A_MESSAGE', 1),
      ],
      [
        'messages  what became of them',
        '    1204  learned, also for the model that all users share',
        '      12  learned for this user',
        '       3  known already',
        '       1  not learned: NOT_A_MESSAGE',
      ],
    )
  })

  it('sums up in a sentence', () => {
    assert.equal(learnedSummary(new Map([['success', 1]])), '1 message: 1 learned, 0 known already')
    const counts = { success: 2, personalization_only: 3, already_recorded: 4, NOT_A_MESSAGE: 1 }
    assert.equal(
      learnedSummary(new Map(Object.entries(counts))),
      '10 messages: 5 learned, 4 known already, 1 not learned',
    )
  })

  it('has a column for the name, both verdicts and what decided', () => {
    assert.equal(
      changeRow('spam/1.eml', SPAM, HAM).indexOf('SPAM'),
      CHANGES_HEADING.indexOf('without'),
    )
    assert.match(
      changeRow('spam/1.eml', SPAM, HAM),
      /^spam\/1\.eml +SPAM 0\.999 -> ham {2}0\.020 {2}user_rule$/,
    )
    assert.match(changeRow('spam/1.eml', HAM, SPAM), / model$/)
    assert.equal(
      changeRow('x'.repeat(100), SPAM, HAM).indexOf('SPAM'),
      CHANGES_HEADING.indexOf('without'),
    )
  })

  it('says of a rehearsal how many verdicts were wrong', () => {
    assert.equal(
      rehearsedSummary(3, { untaught: 2, taught: 1 }),
      '3 messages: 2 judged wrong without learning, 1 with it; nothing was recorded',
    )
  })
})
