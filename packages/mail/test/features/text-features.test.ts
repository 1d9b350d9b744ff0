import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { readingOfStretch } from '../../features/readings.ts'
import {
  PAIRS_START,
  readTexts,
  stretchFeatures,
  textFeatures,
  textFeaturesAndTrail,
} from '../../features/text-features.ts'
import { parsed } from '../helpers/parsed.ts'

function features(raw: string, withSpans = false) {
  return textFeatures(parsed(raw), withSpans)
}

function spanTexts(raw: string): string[] {
  return [...features(raw, true).spans.values()].map(
    ({ view, kind, text }) => `${view} ${kind} ${text}`,
  )
}

/** Body in two forms. */
function alternatives(html: string): string {
  return `Subject:\nContent-Type: multipart/alternative; boundary=b\n\n--b\nContent-Type: text/plain\n\nplainword\n--b\nContent-Type: text/html\n\n${html}\n--b--`
}

describe('textFeatures', () => {
  for (const [what, raw, expected] of [
    [
      'words and pairs of neighbours from subject and body',
      'Subject: Hi you\n\nsee me',
      `message pair hi you; message pair see me; message word hi; message word me;
       message word see; message word you; subject word hi; subject word you`,
    ],
    [
      'words from the display name of the sender, never from the address',
      'From: Claims Desk <prize@example.com>\n\n',
      'from word claims; from word desk',
    ],
    [
      'the words that a link is shown by',
      'Content-Type: text/html\n\n<a href="https://example.com/x">here</a>',
      'anchor word here; message word here',
    ],
    [
      'pairs of characters from scripts without spaces',
      'Subject: 中文信\nContent-Type: text/plain; charset=utf-8\n\n',
      'message word 中文; message word 文信; subject word 中文; subject word 文信',
    ],
  ] as const) {
    it(`draws ${what}`, () => assert.deepEqual(spanTexts(raw).sort(), expected.split(/;\s+/)))
  }

  it('draws of a word of the subject what the body would give, and one feature more', () => {
    const subject = features('Subject: one\n\n').vector.indices
    const body = features('Subject:\n\none').vector.indices
    assert.equal(body.length, 1)
    assert.equal(subject.length, 2)
    assert.ok(subject.includes(body[0]!))
  })

  it('counts each feature once, however often it occurs', () => {
    const once = features('Subject: x\n\nbuy now').vector
    const often = features(`Subject: x\n\n${'buy now\n'.repeat(50)}`).vector
    assert.ok(often.indices.length - once.indices.length < 10)
    assert.equal(new Set(often.indices).size, often.indices.length)
  })

  it('numbers pairs from PAIRS_START, and gives words twice the length of other blocks', () => {
    const { vector, spans } = features('From: Sam\nSubject: Lunch\n\nNoon at the place?', true)
    const squares: Record<string, number> = { from: 0, pair: 0, word: 0 }
    vector.indices.forEach((index, i) => {
      const { view, kind } = spans.get(index)!
      assert.equal(index >= PAIRS_START, kind === 'pair')
      squares[view === 'from' ? view : kind]! += vector.values[i]! ** 2
    })
    for (const [block, square] of Object.entries(squares)) {
      assert.ok(Math.abs(square - (block === 'word' ? 4 / 7 : 1 / 7)) < 1e-6)
    }
  })

  it('reads the HTML body, and the plain one as well where that shows next to nothing', () => {
    const found = spanTexts(alternatives('<p>htmlword in a text that is long enough</p>'))
    assert.ok(found.includes('message word htmlword'))
    assert.ok(!found.includes('message word plainword'))
    assert.ok(spanTexts(alternatives('<img src="cid:1">')).includes('message word plainword'))
  })

  it('reads the beginning and the end of a long text, not its middle', () => {
    const body = `first ${'x '.repeat(2_500)} middle ${'x '.repeat(2_500)} last`
    const found = spanTexts(`Subject:\n\n${body}`)
    assert.ok(found.includes('message word first'))
    assert.ok(found.includes('message word last'))
    assert.ok(!found.includes('message word middle'))
  })
})

describe('stretchFeatures', () => {
  const letter = (words: number) =>
    parsed(
      `From: Ann <a@example.com>\nSubject: Hi\n\n${'roof tiles '.repeat(words / 2)} free lottery`,
    )
  /** For the words of 'free lottery'. */
  function weights(): Int16Array {
    const integers = new Int16Array(1 << 18)
    for (const index of features('Subject:\n\nfree lottery').vector.indices) integers[index] = 100
    return integers
  }

  it('are those of the reading that the worst stretch is judged by', () => {
    const message = letter(200)
    const stretch = textFeaturesAndTrail(message).trail.strongest(weights())!
    const [reading] = readingOfStretch(message, stretch)
    assert.deepEqual(
      stretchFeatures(readTexts(message), weights()),
      textFeatures(reading!.message).vector,
    )
  })
  it('are found wherever they stand in 320 KB', () => {
    const innocent = (characters: number) => 'roof tiles '.repeat(characters / 11)
    for (const at of [0, 3_000, 6_000, 18_000, 150_000, 290_000, 300_000]) {
      const text = `${innocent(at)}${'free lottery '.repeat(20)}${innocent(310_000 - at)}`
      const message = parsed(`Subject: Hi\n\n${text}`)
      const { trail, beyond } = textFeaturesAndTrail(message)
      const found = [trail, beyond].map((words) => words.strongest(weights()) ?? '')
      const times = found.map((stretch) => stretch.split('free lottery').length)
      assert.ok(Math.max(...times) > 18, `${at}: ${times}`)
    }
  })
  it('are none of a short text', () => {
    assert.equal(stretchFeatures(readTexts(letter(40)), weights()), undefined)
  })
})
