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

const NOTHING: Readonly<Record<string, number>> = {}

describe('the marks of a text', () => {
  // biome-ignore format: a row each
  const cases: [what: string, text: string, logits: Readonly<Record<string, number>>, marks: [string, number][]][] = [
    ['have the spelling of words without the punctuation', 'Act now: "Winner", act!', { 'word winner': 1, 'word act': -2 }, [['Act', -2], ['Winner', 1], ['act', -2]]],
    ['are of no words that mean nothing by themselves', 'Your parcel in November, Ihr Paket', { 'word your': 1, 'word parcel': 1, 'word november': 1, 'word ihr': 1, 'word paket': 1 }, [['parcel', 1], ['Paket', 1]]],
    ['part what a pair weighs between its words', 'wire transfer', { 'pair wire transfer': 1 }, [['wire', 0.5], ['transfer', 0.5]]],
    ['find words written with invisible and foreign letters', 'pay\u00adpal p\u0430ypal PAYPAL', { 'word paypal': 1 }, [['pay\u00adpal', 1], ['p\u0430ypal', 1], ['PAYPAL', 1]]],
    ['take a compound word by word, and links and addresses whole', 'risk-free https://example.com/a?b=c a@example.com', { 'word risk': 1, 'word \u0001link': 2, 'word \u0001address': 3 }, [['risk', 1], ['https://example.com/a?b=c', 2], ['a@example.com', 3]]],
    ['take a run without spaces by its pairs of characters', '緊急通知', { 'word 緊急': 1, 'word 通知': 1 }, [['緊急通知', 2]]],
    ['are none of what weighs nothing', 'Hello', NOTHING, []],
  ]
  for (const [what, text, logits, marks] of cases) {
    it(what, () => {
      const named = Object.entries(logits).map(([name, logit]) => [`message ${name}`, logit])
      const { body } = read('', text, Object.fromEntries(named))
      assert.deepEqual(words(body.text, body.marks), marks)
    })
  }

  it('have a word of the subject weigh as such and as a word of the message', () => {
    const { subject } = read('Winner', '', { 'subject word winner': 1, 'message word winner': 2 })
    assert.deepEqual(words(subject.text, subject.marks), [['Winner', 3]])
  })

  it('are in order, and in what of a long text is looked at', () => {
    const { body } = read('', 'spam '.repeat(2_000), { 'message word spam': 1 })
    const end = body.text.length - 1_000
    assert.deepEqual(body.unread, { start: 4_000, end })
    let at = 0
    for (const mark of body.marks) {
      assert.ok(mark.start >= at && mark.end > mark.start)
      assert.ok(mark.end <= 4_000 || mark.start >= end)
      at = mark.end
    }
  })
})
