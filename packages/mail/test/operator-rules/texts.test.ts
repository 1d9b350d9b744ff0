/** Patterns on texts. RE2 matches in linear time; the grammar bounds the size of a pattern. */
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import { compilePattern, requiredText } from '../../operator-rules/texts.ts'

const isIn = (pattern: string, text: string) => compilePattern(pattern).isIn(text)

describe('a pattern', () => {
  const cases: readonly (readonly [pattern: string, text: string, isIn: boolean])[] = [
    ['fax (no|number) [0-9]{4}', 'your fax number 4711 is here', true],
    ['fax (no|number) [0-9]{4}', 'your fax number 471', false],
    ['\\p{Han}{2}', 'hello 漢字', true],
    ['(?s)a.c', 'a\nc', true],
    ['Fax [A-Z]+', 'your fax arrived', true],
    ['(?P<Name>FAX)\\D\\S', 'fax:a', true],
    ['^b$', 'a\nb\nc', true],
    ['\\Ab', 'a\nb', false],
  ]
  for (const [pattern, text, expected] of cases) {
    it(`/${pattern}/ ${expected ? 'is' : 'is not'} in ${JSON.stringify(text)}`, () => {
      assert.equal(isIn(pattern, text), expected)
    })
  }
})

describe('the text that a pattern requires', () => {
  const cases: readonly (readonly [pattern: string, required: string])[] = [
    ['Fax', 'fax'],
    ['(?i)fax(es)?', 'fax'],
    ['\\bfax\\s+number', 'number'],
    ['colou?r', 'colo'],
    ['abc{2}d', 'ab'],
    ['[)]xy(z|w)', ''],
    ['\\x{66}ax', ''],
  ]
  for (const [pattern, required] of cases) {
    it(`is '${required}' of ${pattern}`, () => assert.equal(requiredText(pattern), required))
  }

  it('stands in everything that the pattern matches', () => {
    const piece = fc.constantFrom(
      ...['a', 'b', 'C', '.', '*', '+', '?', '|', '(', ')', '[ab]', '[^a]', '{2}', '{', '}', '\\d'],
      ...['\\.', '^', '$', '(?:', '\\b', '\\Q', '\\E', '\\pL', '1', '[)]', '[|]', '[[:alpha:]]'],
    )
    const pattern = fc.array(piece, { minLength: 1, maxLength: 10 }).map((all) => all.join(''))
    const text = fc.array(fc.constantFrom(...'abc1.|){ \n'), { maxLength: 12 })
    fc.assert(
      fc.property(pattern, text, (written, letters) => {
        const shown = letters.join('')
        const plain = plainlyIn(written, shown)
        if (plain !== undefined) assert.equal(isIn(written, shown), plain)
      }),
      { numRuns: 1_000 },
    )
  })
})

/** Whether the pattern matches, by an engine that is not told what to look for; undefined for what is no pattern. */
function plainlyIn(pattern: string, text: string): boolean | undefined {
  try {
    compilePattern(pattern)
    // Of what stands in a group nothing is required.
    return compilePattern(`(?:${pattern})`).isIn(text)
  } catch {
    return undefined
  }
}
