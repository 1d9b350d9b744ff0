import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { boundaryTable, DelimiterSearch } from '../../message/delimiters.ts'
import { BOUNDARY_LENGTH_MAX, WINDOW_BYTES } from '../../message/limits.ts'
import { memoryOctets } from '../../message/octets.ts'

/** What is found first: the boundary's index, marks for final and inexact, and the text after it. */
function find(source: string, ...boundaries: string[]): string | undefined {
  const octets = memoryOctets(Buffer.from(source, 'latin1'))
  const open = boundaryTable(boundaries.map((text, frame) => ({ text, frame })))
  const found = new DelimiterSearch(octets, octets.length, () => false).next(0, open)
  if (found === undefined) return undefined
  const marks = `${found.final ? ' final' : ''}${found.exact ? '' : ' inexact'}`
  return `${found.boundary.frame} at ${found.start}${marks}: ${source.slice(found.next, found.next + 4)}`
}

const LONG = 'x'.repeat(BOUNDARY_LENGTH_MAX + 10)

// biome-ignore format: a table
const FOUND: readonly (readonly [string, string, readonly string[], string | undefined])[] = [
  ['at the start of a line', '--b\nnext', ['b'], '0 at 0: next'],
  ['with blanks behind', 'text\r\n--b \t\r\nnext', ['b'], '0 at 6: next'],
  ['at the end', 'text\n--b', ['b'], '0 at 5: '],
  ['that is final', '--b--\nnext', ['b'], '0 at 0 final: next'],
  ['with text behind, not exact', '--b text\nnext', ['b'], '0 at 0 inexact: next'],
  ['behind a bare CR, not exact', 'text\r--b\nnext', ['b'], '0 at 5 inexact: next'],
  ['but no longer word', '--bee\n--b.\n', ['b'], undefined],
  ['but none inside a line', 'text --b\n', ['b'], undefined],
  ['whichever comes first', '--in\n--out\n', ['out', 'in'], '1 at 0: --ou'],
  ['the innermost where two match', '--b--\nnext', ['b', 'b--'], '1 at 0: next'],
  ['of dashes', '-----\nnext', ['---'], '0 at 0: next'],
  ['of dashes that is final', '-------\nnext', ['---'], '0 at 0 final: next'],
  ['but no longer row of dashes', '------\nnext', ['---'], undefined],
  ['by its beginning where it is too long', `--${LONG}\nnext`, [LONG], '0 at 0: next'],
]

describe('DelimiterSearch', () => {
  for (const [name, source, boundaries, expected] of FOUND) {
    it(`finds a delimiter ${name}`, () => assert.equal(find(source, ...boundaries), expected))
  }

  it('finds a delimiter wherever the edge of a window falls', () => {
    for (let shift = -400; shift < 400; shift++) {
      const before = `${'x'.repeat(WINDOW_BYTES - shift)}\n`
      assert.equal(find(`${before}--bound--\nnext`, 'bound'), `0 at ${before.length} final: next`)
    }
  })

  it('finds a delimiter after dashes that fill several windows', () => {
    const before = `${'-'.repeat(3 * WINDOW_BYTES)}\n`
    assert.equal(find(`${before}--b\nnext`, 'b'), `0 at ${before.length}: next`)
  })
})
