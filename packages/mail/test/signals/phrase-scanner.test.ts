import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import { phraseScanner } from '../../signals/content/phrase-scanner.ts'

/** `text` -> the pieces found of each group. */
function found(groups: Record<string, readonly string[]>, text: string): Record<string, string[]> {
  const matches = phraseScanner(groups)(text)
  return Object.fromEntries(
    [...matches].map(([group, pieces]) => [
      group,
      pieces.map(({ start, end }) => text.slice(start, end)),
    ]),
  )
}

describe('phraseScanner', () => {
  // biome-ignore format: a row each
  const cases: [what: string, groups: Record<string, readonly string[]>, text: string, expected: Record<string, string[]>][] = [
    ['phrases in any case, and any white space for a space', { a: ['sign in'] }, 'SIGN\nin, Sign\u00a0In', { a: ['SIGN\nin', 'Sign\u00a0In'] }],
    ['a capital I for an i where others have the Turkish dotless one', { a: ['invoice', 'çık'] }, 'Invoice, INVOICE, ÇIK', { a: ['Invoice', 'INVOICE'] }],
    ['a phrase only where a word begins', { a: ['order'] }, 'reorder, border, order', { a: ['order'] }],
    ['a phrase of a script without word spaces anywhere', { a: ['验证码'] }, '您的验证码是', { a: ['验证码'] }],
    ['a phrase that ends with | only where a word ends', { a: ['pin|'] }, 'pine, pin1, pin.', { a: ['pin'] }],
    ['phrases within and across each other', { a: ['log in'], b: ['in the', 'the end'] }, 'log in the end', { a: ['log in'], b: ['in the', 'the end'] }],
    ['a phrase that is the end of another', { a: ['% off'], b: ['up to 5% off'] }, 'up to 5% off', { a: ['% off'], b: ['up to 5% off'] }],
    ['a phrase behind the beginning of another', { a: ['if you did not'], b: ['did you'] }, 'if you did you', { b: ['did you'] }],
  ]
  for (const [what, groups, text, expected] of cases) {
    it(`finds ${what}`, () => assert.deepEqual(found(groups, text), expected))
  }

  it('finds phrases of more than 256 different characters', () => {
    const letters = Array.from({ length: 300 }, (_, i) => String.fromCharCode(0x4e00 + i))
    assert.deepEqual(found({ a: letters }, letters[299]!), { a: [letters[299]] })
  })

  it('keeps twenty matches of a group', () => {
    assert.equal(found({ a: ['a|'] }, 'a '.repeat(100)).a?.length, 20)
  })

  it('finds exactly what a search for each phrase finds', () => {
    const phrase = fc.stringMatching(/^[-ab ]{1,4}$/).map((text) => `-${text}`)
    fc.assert(
      fc.property(
        fc.uniqueArray(phrase, { maxLength: 5 }),
        fc.stringMatching(/^[-ab ]{0,19}$/),
        (phrases, text) => {
          const groups = Object.fromEntries(phrases.map((it) => [`<${it}>`, [it]]))
          const matches = phraseScanner(groups)(text)
          for (const it of phrases) {
            const starts = [...text].map((_, at) => at).filter((at) => text.startsWith(it, at))
            assert.deepEqual(
              (matches.get(`<${it}>`) ?? []).map(({ start }) => start),
              starts,
            )
          }
        },
      ),
      { numRuns: 40 },
    )
  })
})
