import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { type Mark, markedMessage } from '../../verdict/marked-message.ts'
import { parsed } from '../helpers/parsed.ts'

/** The reading of a message of `text`, where words and pairs weigh as `logits` says. */
function read(subject: string, text: string, logits: Readonly<Record<string, number>>) {
  const source = `Subject: ${subject}\r\nContent-Type: text/plain; charset=utf-8\r\n\r\n${text}`
  const message = parsed(source)
  return markedMessage(message, (span) => logits[`${span.view} ${span.kind} ${span.text}`] ?? 0)
}

function words(text: string, marks: readonly Mark[]): [string, number][] {
  return marks.map(({ start, end, logit }) => [text.slice(start, end), logit])
}

describe('markedMessage', () => {
  it('marks a word where it stands, with its spelling and without the punctuation', () => {
    const { body } = read('', 'Act now: "Winner", act!', {
      'message word winner': 1,
      'message word act': -2,
    })
    assert.deepEqual(words(body.text, body.marks), [
      ['Act', -2],
      ['Winner', 1],
      ['act', -2],
    ])
  })
  it('leaves words unmarked that mean nothing by themselves', () => {
    const { body } = read('', 'Your parcel is with us in November, Ihr Paket', {
      'message word your': 1,
      'message word parcel': 1,
      'message word with': 1,
      'message word november': 1,
      'message word ihr': 1,
      'message word paket': 1,
    })
    assert.deepEqual(words(body.text, body.marks), [
      ['parcel', 1],
      ['Paket', 1],
    ])
  })
  it('parts what a pair weighs between its words', () => {
    const { body } = read('', 'wire transfer', { 'message pair wire transfer': 1 })
    assert.deepEqual(words(body.text, body.marks), [
      ['wire', 0.5],
      ['transfer', 0.5],
    ])
  })
  it('has a word of the subject weigh as such and as a word of the message', () => {
    const { subject } = read('Winner', '', { 'subject word winner': 1, 'message word winner': 2 })
    assert.deepEqual(words(subject.text, subject.marks), [['Winner', 3]])
  })
  it('finds words that are written with invisible and foreign letters', () => {
    const { body } = read('', 'pay\u00adpal p\u0430ypal PAYPAL', { 'message word paypal': 1 })
    assert.deepEqual(words(body.text, body.marks), [
      ['pay\u00adpal', 1],
      ['p\u0430ypal', 1],
      ['PAYPAL', 1],
    ])
  })
  it('marks the words of a compound one by one, and links and addresses whole', () => {
    const { body } = read('', 'risk-free https://example.com/a?b=c a@example.com', {
      'message word risk': 1,
      'message word \u0001link': 2,
      'message word \u0001address': 3,
    })
    assert.deepEqual(words(body.text, body.marks), [
      ['risk', 1],
      ['https://example.com/a?b=c', 2],
      ['a@example.com', 3],
    ])
  })
  it('marks a run without spaces by its pairs of characters', () => {
    const { body } = read('', '緊急通知', { 'message word 緊急': 1, 'message word 通知': 1 })
    assert.deepEqual(words(body.text, body.marks), [['緊急通知', 2]])
  })
  it('says what of a long text is not looked at', () => {
    const long = 'spam '.repeat(2_000)
    const { body } = read('', long, { 'message word spam': 1 })
    assert.deepEqual(body.unread, { start: 4_000, end: body.text.length - 1_000 })
    assert.ok(
      body.marks.every(({ start, end }) => end <= 4_000 || start >= body.text.length - 1_000),
    )
  })
  it('keeps marks in order and apart', () => {
    const { body } = read('', 'a b-c d\u202ee $5.00 x@y z', {
      'message word a': 1,
      'message word b': 1,
      'message word c': 1,
      'message word z': 1,
    })
    let at = 0
    for (const { start, end } of body.marks) {
      assert.ok(start >= at && end > start)
      at = end
    }
  })
})
