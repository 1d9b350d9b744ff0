/** Tables of data: what they give, and that a bad row is refused with its place. */
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { oneOf, optionalNumber, parseTable, requiredText, words } from '../data-table.ts'

const COLUMNS = { name: requiredText, side: oneOf('spam', 'ham'), min: optionalNumber, also: words }

function parsed(...rows: readonly string[]) {
  return parseTable(
    ['# Sides', 'name\tside\tmin\talso', ...rows].join('\n'),
    'sides.tsv',
    COLUMNS,
    {
      unique: 'name',
      check: ({ min = 0 }) => (min > 9 ? ['min', 'is above 9'] : undefined),
    },
  )
}

describe('parseTable', () => {
  it('gives the rows in their order, without comments and blank lines', () => {
    assert.deepEqual(parsed('b\tspam\t-0.5\tx y', '', '# a comment', 'a\tham\t\t'), [
      { name: 'b', side: 'spam', min: -0.5, also: ['x', 'y'] },
      { name: 'a', side: 'ham', min: undefined, also: [] },
    ])
  })

  for (const [what, row, error] of [
    ['a name that is there already', 'a\tham\t\t', 'sides.tsv:4:1: name: "a" is in line 3 too'],
    [
      'a word that is none of those allowed',
      'b\teggs\t\t',
      'sides.tsv:4:3: side: "eggs" is none of spam, ham',
    ],
    ['what is no number', 'b\tham\t1e3\t', 'sides.tsv:4:7: min: "1e3" is not a number'],
    ['white space at an end', 'b\tham\t\tx ', 'sides.tsv:4:8: also: has white space at an end'],
    ['an empty cell', '\tham\t\tx', 'sides.tsv:4:1: name: is empty'],
    ['columns that do not go together', 'b\tham\t10\t', 'sides.tsv:4:7: min: is above 9'],
    ['too few columns', 'b\tham', 'sides.tsv:4:3: side: has 2 columns of 4'],
  ] as const) {
    it(`refuses ${what}`, () => {
      assert.throws(() => parsed('a\tspam\t\t', row), { name: 'RangeError', message: error })
    })
  }

  it('refuses a table with other columns', () => {
    assert.throws(
      () => parseTable('name\tmin', 'sides.tsv', COLUMNS),
      /^RangeError: sides.tsv:1:1: /,
    )
  })
})
