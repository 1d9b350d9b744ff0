import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import {
  OUTCOMES_HEADING,
  outcomeRow,
  plannedRows,
  rehearsedRows,
  tableOf,
} from '../../cli/learn-table.ts'

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
})
