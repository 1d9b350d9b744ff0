/**
 * What is expected of a text is what the tokenizers library, version 0.23.2, makes of it with the
 * same pieces.
 */
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import {
  PIECES_MAX,
  readPieces,
  wordPiecesOfTokenizer,
  wordPiecesOfVocabulary,
} from '../../embedding/word-piece.ts'
import { cpuMs } from '../helpers/cpu-time.ts'

/** Bound for the fastest of a few calls: ten times what the slowest text takes, so that a busy machine passes. */
const TIME_MAX_MS = 100
const CALLS = 5

const VOCABULARY = [
  '[PAD] [UNK] [CLS] [SEP] [ ] ! , $ sep invoice in un ##voice ##aff ##able over ##due',
  'uber cafe 发 票 σ ss ss ##σ x ##x',
]
  .join(' ')
  .split(' ')

const pieces = wordPiecesOfVocabulary(VOCABULARY.join('\n'))

/** The pieces of `text` as words. */
function read(text: string): string {
  return readPieces(pieces, text)
    .map((number) => VOCABULARY[number])
    .join(' ')
}

describe('pieces of words', () => {
  const cases: [sentence: string, text: string, expected: string][] = [
    ['are whole words where the vocabulary has them', 'invoice', '[CLS] invoice [SEP]'],
    ['are the longest that fit, from the left', 'unaffable', '[CLS] un ##aff ##able [SEP]'],
    ['are one, unknown, for a word that cannot be made', 'overdone', '[CLS] [UNK] [SEP]'],
    ['are lower case', 'INVOICE Overdue', '[CLS] invoice over ##due [SEP]'],
    ['have no accents', 'Über café', '[CLS] uber cafe [SEP]'],
    ['have no accents that stand by themselves', 'cafe\u0301\u0323', '[CLS] cafe [SEP]'],
    ['are parted by punctuation, which counts', 'in,voice!', '[CLS] in , [UNK] ! [SEP]'],
    ['are parted by symbols of ASCII', 'in$in', '[CLS] in $ in [SEP]'],
    ['are parted by every kind of space', 'in\u00a0in\u3000in\nin', '[CLS] in in in in [SEP]'],
    ['are not parted by what nobody sees', 'in\u200bvoice\u0000', '[CLS] invoice [SEP]'],
    ['are single for Chinese characters', '发票in', '[CLS] 发 票 in [SEP]'],
    ['know no sigma that ends a word', 'ΣΣ', '[CLS] σ ##σ [SEP]'],
    ['are not written by the text itself', '[SEP]', '[CLS] [ sep ] [SEP]'],
    ['lack half a surrogate pair', 'in\ud83cvoice', '[CLS] invoice [SEP]'],
    ['are unknown for an emoji', '\u{1f389}', '[CLS] [UNK] [SEP]'],
    ['are none for a text without a word', ' \u0301\n', ''],
  ]
  for (const [sentence, text, expected] of cases) {
    it(sentence, () => assert.equal(read(text), expected))
  }

  it('are those of a word of a hundred characters, and unknown for one more', () => {
    assert.equal(read('x'.repeat(100)), `[CLS] x${' ##x'.repeat(99)} [SEP]`)
    assert.equal(read('x'.repeat(101)), '[CLS] [UNK] [SEP]')
  })

  it('are counted by characters, not by code units', () => {
    const word = `${'\u{10428}'.repeat(100)}`
    const single = wordPiecesOfVocabulary(`[UNK]\n[CLS]\n[SEP]\n\u{10428}\n##\u{10428}`)
    assert.equal(readPieces(single, word).length, 102)
    assert.deepEqual(readPieces(single, `${word}\u{10428}`), [1, 0, 2])
  })

  it('end at the limit, within a word where need be', () => {
    const numbers = readPieces(pieces, `${'in '.repeat(PIECES_MAX - 3)}unaffable in`)
    assert.equal(numbers.length, PIECES_MAX)
    assert.deepEqual(
      numbers.slice(-3).map((number) => VOCABULARY[number]),
      ['in', 'un', '[SEP]'],
    )
  })

  it('are numbers of the vocabulary, at most as many as the limit, whatever the text', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 500 }), (text) => {
        const numbers = readPieces(pieces, text)
        assert.ok(numbers.length <= PIECES_MAX && numbers.length !== 1 && numbers.length !== 2)
        assert.ok(numbers.every((number) => VOCABULARY[number] !== undefined))
      }),
    )
  })

  for (const [sentence, unit] of [
    ['words', 'overdue invoice '],
    ['one word', 'x'],
    ['words that are unknown at their end', `${'x'.repeat(99)}\u{1f389} `],
    ['Korean, three letters a character', '\uac01'],
    ['combining marks out of order', '\u0301\u0323'],
    ['lone surrogates', '\ud83c'],
    ['space', ' '],
  ] as const) {
    it(`are read soon from ten megabytes of ${sentence}`, () => {
      const text = unit.repeat(10_000_000 / unit.length)
      const times = Array.from({ length: CALLS }, () => timeToRead(text))
      assert.ok(Math.min(...times) < TIME_MAX_MS)
    })
  }

  function timeToRead(text: string): number {
    const start = cpuMs()
    readPieces(pieces, text)
    return cpuMs() - start
  }
})

describe('a vocabulary', () => {
  const invalid = { code: 'CONFIG_INVALID' }
  const vocab = { '[UNK]': 100, '[CLS]': 101, '[SEP]': 102, in: 1999, '##voice': 7 }

  it('may end its lines as Windows does', () => {
    assert.deepEqual(wordPiecesOfVocabulary(`${VOCABULARY.join('\r\n')}\r\n`), pieces)
  })

  it('may come from tokenizer.json, with numbers of its own', () => {
    const file = {
      normalizer: { type: 'BertNormalizer', lowercase: true, strip_accents: null },
      model: { type: 'WordPiece', unk_token: '[UNK]', vocab },
    }
    assert.deepEqual(readPieces(wordPiecesOfTokenizer(file), 'invoice'), [101, 1999, 7, 102])
  })

  it('is refused without the pieces that every text needs', () => {
    assert.throws(() => wordPiecesOfVocabulary('[UNK]\n[CLS]\ninvoice\n'), {
      ...invalid,
      message: 'The vocabulary has no [SEP]',
    })
  })

  it('is refused when it is not of WordPiece', () => {
    const file = { model: { type: 'Unigram', vocab: [['in', -3.5]] } }
    assert.throws(() => wordPiecesOfTokenizer(file), invalid)
    assert.throws(() => wordPiecesOfTokenizer(null), invalid)
  })

  it('is refused when it tells capitals from small letters', () => {
    const file = {
      normalizer: { type: 'BertNormalizer', lowercase: false },
      model: { type: 'WordPiece', vocab },
    }
    assert.throws(() => wordPiecesOfTokenizer(file), invalid)
  })
})
