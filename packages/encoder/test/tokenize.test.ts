import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import { BLANK, normalise } from '../normalise.ts'
import { tokenize, vocabularyOf } from '../tokenize.ts'

const NO_NORMALISATION = new Map<string, string>()

/** Pieces with their log probabilities; the first stands for characters without a piece. */
const PIECES: readonly (readonly [piece: string, score: number])[] = [
  ['<unk>', 0],
  [BLANK, -4],
  [`${BLANK}par`, -5],
  ['cel', -5],
  [`${BLANK}parcel`, -9],
  ['s', -2],
  ['c', -6],
  ['e', -6],
  ['l', -6],
  ['📦', -3],
]

const VOCABULARY = vocabularyOf(
  PIECES.map(([piece]) => piece),
  Float32Array.from(PIECES, ([, score]) => score),
  NO_NORMALISATION,
  0,
)

function pieces(text: string): string[] {
  return tokenize(text, VOCABULARY).map((number) => PIECES[number]![0])
}

describe('tokenize', () => {
  it('takes the pieces that together are the most probable', () => {
    assert.deepEqual(pieces('parcels'), [`${BLANK}parcel`, 's'])
    assert.deepEqual(pieces('parce'), [`${BLANK}par`, 'c', 'e'])
  })

  it('has one piece for each character that has none', () => {
    assert.deepEqual(pieces('xyz'), [BLANK, '<unk>', '<unk>', '<unk>'])
  })

  it('takes a character of two code units as one', () => {
    assert.deepEqual(pieces('📦s'), [BLANK, '📦', 's'])
    assert.deepEqual(pieces('📪s'), [BLANK, '<unk>', 's'])
  })

  it('has one piece for each half of a character', () => {
    assert.deepEqual(pieces('\ud83ds'), [BLANK, '<unk>', 's'])
    assert.deepEqual(pieces('\udce6\ud83d'), [BLANK, '<unk>', '<unk>'])
  })

  it('begins every text with a blank, and takes several as one', () => {
    assert.deepEqual(pieces(''), [BLANK])
    assert.deepEqual(pieces('   par   s '), [`${BLANK}par`, BLANK, 's', BLANK])
  })

  it('loses no character of any text', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 60 }), (text) => {
        const read = normalise(text, NO_NORMALISATION)
        const found = pieces(text)
        const known = found.filter((piece) => piece !== '<unk>').join('')
        const unknown = found.filter((piece) => piece === '<unk>').length
        const lost = [...read].length - [...known].length
        assert.equal(unknown, lost)
      }),
    )
  })
})

describe('normalise', () => {
  const normalisation = new Map([
    ['\n', ' '],
    ['\u00a0', ' '],
    ['①', '1'],
    ['㎏', 'kg'],
    ['\u200b', ''],
  ])

  it('reads what looks the same as the same, and any white space as one blank', () => {
    assert.equal(normalise('①\n\u00a0 5 ㎏', normalisation), `${BLANK}1${BLANK}5${BLANK}kg`)
  })

  it('takes out what cannot be seen', () => {
    assert.equal(normalise('in\u200bvoice', normalisation), `${BLANK}invoice`)
  })
})
