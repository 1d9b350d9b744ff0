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
  it('finds phrases in any case, and any white space for a space', () => {
    assert.deepEqual(found({ a: ['sign in'] }, 'SIGN\nin, Sign\u00a0In'), {
      a: ['SIGN\nin', 'Sign\u00a0In'],
    })
  })

  it('finds a capital I for an i where other phrases have the Turkish dotless one', () => {
    assert.deepEqual(found({ a: ['invoice', 'çık'] }, 'Invoice, INVOICE, ÇIK'), {
      a: ['Invoice', 'INVOICE'],
    })
  })

  it('finds a phrase only where a word begins', () => {
    assert.deepEqual(found({ a: ['order'] }, 'reorder, border, order'), { a: ['order'] })
  })

  it('finds a phrase of a script without word spaces anywhere', () => {
    assert.deepEqual(found({ a: ['验证码'] }, '您的验证码是'), { a: ['验证码'] })
  })

  it('finds a phrase that ends with | only where a word ends', () => {
    assert.deepEqual(found({ a: ['pin|'] }, 'pine, pin1, pin.'), { a: ['pin'] })
  })

  it('finds phrases within and across each other', () => {
    assert.deepEqual(found({ a: ['log in'], b: ['in the', 'the end'] }, 'log in the end'), {
      a: ['log in'],
      b: ['in the', 'the end'],
    })
  })

  it('finds a phrase that is the end of another', () => {
    assert.deepEqual(found({ a: ['% off'], b: ['up to 5% off'] }, 'up to 5% off'), {
      a: ['% off'],
      b: ['up to 5% off'],
    })
  })

  it('finds phrases of more than 256 different characters', () => {
    const letters = Array.from({ length: 300 }, (_, i) => String.fromCharCode(0x4e00 + i))
    assert.deepEqual(found({ a: letters }, letters[299]!), { a: [letters[299]] })
  })

  it('finds a phrase behind the beginning of another', () => {
    assert.deepEqual(found({ a: ['if you did not'], b: ['did you'] }, 'if you did you'), {
      b: ['did you'],
    })
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
    )
  })
})
