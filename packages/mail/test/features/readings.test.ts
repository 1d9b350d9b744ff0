/** Ways to read one message, each with the message whole. */

import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { enclosedReadings, quotesLittle, readingsOf } from '../../features/readings.ts'
import { textFeaturesAndTrail } from '../../features/text-features.ts'
import { parsed as parsedText } from '../helpers/parsed.ts'

const OFFER =
  'You are the winner of our great lottery and we hold nine million for you. ' +
  'Send the fee for the transfer to our agent before Friday, or the prize goes to another.'
const NOTES =
  'The committee has met again and talked about the roof of the old library for two hours. ' +
  'Nobody wanted to pay for the new tiles, so that we put the whole matter off until autumn.'

function parsed(source: string) {
  return parsedText(source.replaceAll('\n', '\r\n'))
}

/** Name and text of each reading. */
function readings(source: string): [string, string][] {
  return readingsOf(parsed(source)).map(({ name, message }) => [name, message.texts[0]!.visible])
}

function plain(text: string): string {
  return `From: a@example.com\nSubject: Hello\nContent-Type: text/plain\n\n${text}\n`
}

function html(markup: string): string {
  return `From: a@example.com\nSubject: Hello\nContent-Type: text/html\n\n${markup}\n`
}

/** A message of parts, each with the last line of its header before its text. */
function multipart(subtype: 'alternative' | 'mixed', ...parts: readonly string[]): string {
  const body = parts.map((part) => `--b\nContent-Type: ${part}\n`).join('')
  return `From: a@example.com
Subject: Hello
MIME-Version: 1.0
Content-Type: multipart/${subtype}; boundary=b

${body}--b--
`
}

describe('readings', () => {
  const SHORT = 'Loan of 50,000 at 2%, no credit check. Reply with name and bank today.'
  const LINK = 'https://example.com/unsubscribe?user=12345'
  const page = (text: string) => `text/html\n\n<p>${text}</p>`
  const text = (of: string) => `text/plain\n\n${of}`
  const quoted = NOTES.replaceAll(/^/gm, '> ')
  const gap = '<div style="height:2000vh"></div>'
  const image = `<img src="http://img.example.com/a.png" alt="${OFFER}">`
  const ATTACHED = 'Content-Disposition: attachment; filename=a'
  const own = (quotation: string) =>
    [
      `own words above ${quotation.slice(0, 20)}`,
      plain(`${OFFER}\n\n${quotation}`),
      [['own', OFFER]],
    ] as const

  // biome-ignore format: a row each
  const CASES: readonly (readonly [what: string, source: string, expected: readonly (readonly [string, string])[]])[] = [
    ['nothing of a letter that says one thing', plain(OFFER), []],
    ['nothing of a page that says one thing', html(`<p>${OFFER}</p>`), []],
    ['what is left without what may be hidden', html(`<p>${OFFER}</p><p style="display:var(--a)">${NOTES}</p>`), [['certain', OFFER]]],
    ['each of two alternatives that say different things', multipart('alternative', text(OFFER), page(NOTES)), [['alternative', OFFER]]],
    ['no alternative that says the same', multipart('alternative', text(`${OFFER}\n${LINK}`), `text/html\n\n<h1>Hello</h1><p>${OFFER}</p><a href="${LINK}">Unsubscribe</a>`), []],
    ['a short part that is shown beside a long one', multipart('mixed', text(SHORT), page(NOTES)), [['part', NOTES], ['part', SHORT]]],
    ['no short form of a long one', multipart('alternative', text(SHORT), page(NOTES)), []],
    own(quoted),
    own(`On Tue, Jun 3, 2025 at 9:14 AM Ann <ann@example.com> wrote:\n${quoted}`),
    own(`-----Original Message-----\nFrom: Ann\n\n${NOTES}`),
    own(`---------- Forwarded message ---------\nFrom: Ann\n\n${NOTES}`),
    own(`-- \n${NOTES}`),
    ['own words below a quotation', plain(`> ${NOTES}\n\n${OFFER}`), [['own', OFFER]]],
    ['own words beside a quotation in markup', html(`<p>${OFFER}</p><blockquote>${NOTES}</blockquote>`), [['own', OFFER]]],
    ['what is seen of a page before the reader has to scroll', html(`<p>${OFFER}</p>${gap}<p>${NOTES}</p>`), [['first', OFFER]]],
    ['the same of a text', plain(`${OFFER}${'\n'.repeat(60)}${NOTES}`), [['first', OFFER]]],
    ['all of a text with a few empty lines', plain(`${OFFER}${'\n'.repeat(20)}${NOTES}`), []],
    ['the title and the texts in place of images', html(`<title>A prize</title><p>${NOTES}</p>${image}`), [['elsewhere', `A prize\n${OFFER}`]]],
    ['a text that is attached', multipart('mixed', text(`${NOTES}\n`), `text/plain\n${ATTACHED}\n\n${OFFER}\n`), [['attached', OFFER]]],
    ['a page that is attached', multipart('mixed', text(`${NOTES}\n`), `text/html\n${ATTACHED}\n\n<p>${OFFER}</p>\n`), [['attached', OFFER]]],
    ['nothing of fewer words than say something', plain(`Win now!\n\n> ${NOTES}`), []],
  ]
  for (const [what, source, expected] of CASES) {
    it(`have ${what}`, () => assert.deepEqual(readings(source), expected))
  }

  it('have each of two parts', () => {
    const source = multipart('mixed', text(OFFER), text(`${NOTES} ${NOTES}`))
    assert.deepEqual(readings(source)[0], ['part', OFFER])
  })
  it('of attached messages are apart, each with its subject', () => {
    const inner = `Subject: Prize\n\n${OFFER}`
    const source = multipart('mixed', 'text/plain\n\nIs this real?', `message/rfc822\n\n${inner}`)
    assert.deepEqual(readings(source), [])
    const [enclosed, ...others] = enclosedReadings(parsed(source))
    assert.deepEqual(others, [])
    assert.equal(enclosed!.name, 'enclosed')
    assert.equal(enclosed!.message.texts[0]!.visible.trim(), `Prize\n${OFFER}`)
  })
  it('are few, however many parts there are', () => {
    const parts = Array.from({ length: 200 }, (_, i) => `text/plain\n\n${i} ${OFFER}\n> ${NOTES}`)
    assert.equal(readings(multipart('mixed', ...parts)).length, 8)
  })
})

describe('the strongest stretch', () => {
  /** The stretch of `text` in which a word weighs most. */
  const strongest = (text: string, word: string) => {
    const weights = new Int16Array(1 << 18)
    const { indices } = textFeaturesAndTrail(parsed(plain(word))).vector
    for (const index of indices) weights[index] = 100
    return textFeaturesAndTrail(parsed(plain(text))).trail.strongest(weights)
  }
  const filler = (count: number) => 'roof tiles '.repeat(count / 2)

  it('is where the words stand that weigh most', () => {
    const stretch = strongest(`${filler(300)}lottery ${filler(300)}`, 'lottery')!
    assert.match(stretch, /lottery/)
    assert.equal(stretch.split(' ').length, 40)
  })
  it('is longer where more words weigh', () => {
    const offer = 'lottery prize '.repeat(100)
    const stretch = strongest(`${filler(300)}${offer}${filler(300)}`, 'lottery prize')!
    assert.equal(stretch.split(' ').length, 160)
  })
  it('is looked for in the middle of a long text too', () => {
    assert.match(strongest(`${filler(1_500)}lottery ${filler(1_500)}`, 'lottery')!, /lottery/)
  })
  it('is not looked for in a short text', () => {
    assert.equal(strongest(`lottery ${filler(50)}`, 'lottery'), undefined)
  })
})

describe('a message quotes little', () => {
  const quoted = `> ${NOTES}\n`
  const long = `${OFFER}\n`.repeat(5)
  const cases: readonly (readonly [string, string, boolean])[] = [
    ['that quotes nothing', plain(OFFER), true],
    ['that has no text', plain(''), true],
    ['that quotes a line', plain(`${OFFER}\n> yes`), true],
    ['of which less than 15 % is quoted', plain(`${long}> ${'x'.repeat(130)}`), true],
    ['that quotes as much as it says', plain(`${OFFER}\n${quoted}`), false],
    ['that quotes in HTML', html(`<p>${OFFER}<div class=gmail_quote>${NOTES}</div>`), false],
    ['whose short text is above a quotation', plain(`Yes.\n${quoted}`), false],
  ]
  for (const [name, source, little] of cases) {
    it(`${little ? '' : 'not '}${name}`, () => assert.equal(quotesLittle(parsed(source)), little))
  }
  it('if one of its bodies does', () => {
    const source = multipart(
      'alternative',
      `text/plain\n\n${OFFER}\n${quoted}`,
      `text/html\n\n<p>${OFFER}`,
    )
    assert.equal(quotesLittle(parsed(source)), true)
  })
})
