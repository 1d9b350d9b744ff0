import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { boundaryTable, DelimiterSearch, newBoundary } from '../../message/delimiters.ts'
import { BOUNDARY_LENGTH_MAX, WINDOW_BYTES } from '../../message/limits.ts'
import { memoryOctets } from '../../message/octets.ts'

/** What is found first: the boundary's index, marks for final and inexact, and the text after it. */
function find(source: string, ...boundaries: string[]): string | undefined {
  const octets = memoryOctets(Buffer.from(source, 'latin1'))
  const open = boundaryTable(boundaries.map(newBoundary))
  const found = new DelimiterSearch(octets, octets.length, () => false).next(0, open)
  if (found === undefined) return undefined
  const marks = `${found.final ? ' final' : ''}${found.exact ? '' : ' inexact'}`
  return `${found.boundary.frame} at ${found.start}${marks}: ${source.slice(found.next, found.next + 4)}`
}

describe('DelimiterSearch', () => {
  it('finds a delimiter at the start of a line, and what follows it', () => {
    assert.equal(find('--b\nnext', 'b'), '0 at 0: next')
    assert.equal(find('text\r\n--b \t\r\nnext', 'b'), '0 at 6: next')
    assert.equal(find('text\n--b', 'b'), '0 at 5: ')
  })

  it('tells the final one', () => {
    assert.equal(find('--b--\nnext', 'b'), '0 at 0 final: next')
  })

  it('finds one inside a line or with text after it, and says so', () => {
    assert.equal(find('text --b\nnext', 'b'), '0 at 5 inexact: next')
    assert.equal(find('--b text\nnext', 'b'), '0 at 0 inexact: next')
    assert.equal(find('-----b\nnext', 'b'), '0 at 3 inexact: next')
  })

  it('does not find a longer word', () => {
    assert.equal(find('--bee\n--b.\n', 'b'), undefined)
    assert.equal(find('a --b c\n', 'b'), undefined)
  })

  it('finds whichever comes first, and the exact one where both match', () => {
    assert.equal(find('--in\n--out\n', 'out', 'in'), '1 at 0: --ou')
    assert.equal(find('----b\nnext', 'b', '--b'), '1 at 0: next')
  })

  it('finds a boundary of dashes', () => {
    assert.equal(find('-----\nnext', '---'), '0 at 0: next')
    assert.equal(find('-------\nnext', '---'), '0 at 0 final: next')
    assert.equal(find('------\nnext', '---'), undefined)
  })

  it('compares the beginning of a boundary that is too long', () => {
    const long = 'x'.repeat(BOUNDARY_LENGTH_MAX + 10)
    assert.equal(find(`--${long}\nnext`, long), '0 at 0: next')
  })

  it('finds a delimiter wherever the edge of a window falls', () => {
    for (let shift = 0; shift < 40; shift++) {
      const before = `${'x'.repeat(WINDOW_BYTES - shift)}\n`
      assert.equal(find(`${before}--bound--\nnext`, 'bound'), `0 at ${before.length} final: next`)
    }
  })

  it('finds a delimiter however far behind other dashes', () => {
    for (let gap = 0; gap < 80; gap++) {
      const before = `--x\n${'y'.repeat(gap)}`
      assert.equal(find(`${before} --b\nnext`, 'b'), `0 at ${before.length + 1} inexact: next`)
    }
  })

  it('tells boundaries apart whose last characters share a place in the table', () => {
    assert.equal(find('--a!\n--ca\n--bA\nnext', 'bA'), '0 at 10: next')
  })

  it('finds a delimiter after dashes that fill several windows', () => {
    const before = `${'-'.repeat(3 * WINDOW_BYTES)}\n`
    assert.equal(find(`${before}--b\nnext`, 'b'), `0 at ${before.length}: next`)
  })
})
