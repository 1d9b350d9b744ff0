import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import { Pieces } from '../pieces.ts'

describe('pieces', () => {
  it('are found wherever they stand in a text, and nothing else is', () => {
    const words = fc.uniqueArray(fc.string({ unit: 'binary', minLength: 1, maxLength: 4 }))
    const texts = fc.string({ unit: 'binary', maxLength: 8 })
    fc.assert(
      fc.property(words, texts, (pieces, other) => {
        const table = new Pieces(pieces)
        const text = pieces.join('') + other
        for (let start = 0; start < text.length; start++) {
          const found: string[] = []
          table.eachAt(text, start, (number, end) => {
            assert.equal(text.slice(start, end), pieces[number])
            found.push(pieces[number]!)
          })
          const expected = pieces.filter((piece) => text.startsWith(piece, start))
          assert.deepEqual(
            found,
            expected.toSorted((a, b) => a.length - b.length),
          )
        }
      }),
    )
  })
})
