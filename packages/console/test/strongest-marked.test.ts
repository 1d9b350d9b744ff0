/** Only the strongest words of a message are marked. */
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { strongestMarked } from '../try/strongest-marked.ts'

describe('strongestMarked', () => {
  it('marks ten different words, those of the subject included', () => {
    const words = Array.from({ length: 30 }, (_, i) => `word${String(i).padStart(2, '0')}`)
    const marks = words.map((_, i) => ({ start: 7 * i, end: 7 * i + 6, logit: (i - 15) / 10 }))
    const { subject, body } = strongestMarked({
      subject: { text: 'Prize', marks: [{ start: 0, end: 5, logit: 9 }] },
      body: { text: words.join(' '), marks, unread: null },
    })
    assert.equal(subject.marks.length, 1)
    assert.deepEqual(
      body.marks.map(({ start }) => start / 7),
      [0, 1, 2, 3, 4, 26, 27, 28, 29],
    )
  })

  it('marks a strong word wherever it speaks for the same side', () => {
    const { body } = strongestMarked({
      subject: { text: '', marks: [] },
      body: {
        text: 'Fund fund fund',
        marks: [
          { start: 0, end: 4, logit: 0.9 },
          { start: 5, end: 9, logit: 0.1 },
          { start: 10, end: 14, logit: -0.1 },
        ],
        unread: null,
      },
    })
    assert.deepEqual(
      body.marks.map(({ start }) => start),
      [0, 5],
    )
  })
})
