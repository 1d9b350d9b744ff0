import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { Verdict } from '../../../mail/verdict/verdict.ts'
import {
  CHANGES_HEADING,
  changeRow,
  learnedSummary,
  OUTCOMES_HEADING,
  outcomeRow,
  plannedRows,
  rehearsedRows,
  tableOf,
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

  it('says of a rehearsal how many verdicts were wrong of how many, with the interval, and what would be learned', () => {
    const rehearsal = {
      wrong: { ham: { of: 40, untaught: 1, taught: 2 }, spam: { of: 10, untaught: 10, taught: 0 } },
      planned: { remembered: 50, rules: 3, ownModels: 50, sharedModel: 0 },
    }
    const rows = [...rehearsedRows(rehearsal), ...plannedRows(rehearsal)]
    // Intervals worked out by hand: for 1 of 40 (0.025 + 0.048 -/+ 0.054) / 1.096.
    assert.equal(
      tableOf(rows),
      [
        '      messages  wrong without learning  wrong with learning',
        'ham   40        1 (0.4 to 12.9 %)       2 (1.4 to 16.5 %)',
        'spam  10        10 (72.2 to 100.0 %)    0 (0.0 to 27.8 %)',
        'learning would',
        'remember messages for the user                      50',
        "learn from messages for the user's own models       50",
        'make Sender rules, of senders that are vouched for  3',
        'count messages for the model that all users share   0',
      ].join('\n'),
    )
  })

  it('gives no interval where there was no message', () => {
    const none = { of: 0, untaught: 0, taught: 0 }
    const planned = { remembered: 0, rules: 0, ownModels: 0, sharedModel: 0 }
    assert.deepEqual(rehearsedRows({ wrong: { ham: none, spam: none }, planned })[1], [
      'ham',
      '0',
      '0 (no messages)',
      '0 (no messages)',
    ])
  })
})
