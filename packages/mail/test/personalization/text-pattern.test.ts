/** Patterns on texts. RE2 matches in linear time; the grammar bounds the size of a pattern. */
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import { compilePattern, requiredText } from '../../personalization/text-pattern.ts'

const isIn = (pattern: string, text: string) => compilePattern(pattern).isIn(text)

describe('a pattern', () => {
  it('matches anywhere, in the syntax of RE2', () => {
    assert.ok(isIn('fax (no|number) [0-9]{4}', 'your fax number 4711 is here'))
    assert.ok(!isIn('fax (no|number) [0-9]{4}', 'your fax number 471'))
    assert.ok(isIn('\\p{Han}{2}', 'hello 漢字'))
    assert.ok(isIn('a.c', 'xabcx'))
    assert.ok(isIn('(?s)a.c', 'a\nc'))
  })

  it('is read in lower case, but for what has a meaning in upper case', () => {
    assert.ok(isIn('Fax [A-Z]+', 'your fax arrived'))
    assert.ok(isIn('(?P<Name>FAX)\\D\\S', 'fax: a'.replace(' ', '')))
    assert.ok(isIn('\\pL\\P{Han}', 'ab'))
  })

  it('has lines: ^ and $ are where one begins and ends', () => {
    assert.ok(isIn('^b$', 'a\nb\nc'))
    assert.ok(!isIn('\\Ab', 'a\nb'))
  })

  for (const wrong of ['(', 'a**', '(a)\\1', '(?=a)', '(?<=a)b', 'x{1000}{1000}', 'x{1001}']) {
    it(`is not ${wrong}`, () => {
      assert.throws(() => compilePattern(wrong), /error parsing regexp/)
    })
  }
})

describe('the text that a pattern requires', () => {
  const cases: readonly (readonly [pattern: string, required: string])[] = [
    ['fax', 'fax'],
    ['\\bfax(es)?\\s+number', 'number'],
    ['colou?r', 'colo'],
    ['abc{2}d', 'ab'],
    ['ab+cde', 'cde'],
    ['[)]xy(z|w)', 'xy'],
    ['[[:alpha:]|]xy', 'xy'],
    ['a(b|c)d\\.e', 'a'],
    ['fax|phone', ''],
    ['fo{x|bar', ''],
    ['\\Qa|b\\E', ''],
    ['\\x{66}ax', ''],
    ['.*', ''],
  ]
  for (const [pattern, required] of cases) {
    it(`is '${required}' of ${pattern}`, () => assert.equal(requiredText(pattern), required))
  }

  it('stands in everything that the pattern matches', () => {
    const piece = fc.constantFrom(
      ...['a', 'b', 'c', '.', '*', '+', '?', '|', '(', ')', '[ab]', '[^a]', '{2}', '{', '}', '\\d'],
      ...['\\.', '^', '$', '(?:', '\\b', '\\Q', '\\E', '\\pL', '1', '[)]', '[|]'],
    )
    const pattern = fc.array(piece, { minLength: 1, maxLength: 10 }).map((all) => all.join(''))
    const text = fc.array(fc.constantFrom(...'abc1.|){ \n'), { maxLength: 12 })
    fc.assert(
      fc.property(pattern, text, (written, letters) => {
        const shown = letters.join('')
        const plain = plainlyIn(written, shown)
        if (plain === undefined) return
        assert.equal(isIn(written, shown), plain)
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
