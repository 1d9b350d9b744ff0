/**
 * Every way in which a part of a written message is hidden, drawn many times: what is shown is seen
 * by a reader, what is hidden is not. `SEEN_BY_THE_READER` are layouts that only move the text
 * away, `MISSED` ways that the HTML reader does not take for hidden.
 */
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { Message } from '../../../mail/message/message.ts'
import { memoryOctets } from '../../../mail/message/octets.ts'
import { parseMessage } from '../../../mail/message/parse.ts'
import { partedMessage, shownBody } from '../../rendering/hidden-part.ts'
import { renderWritten } from '../../rendering/render.ts'
import { HIDINGS, type Hiding, type WrittenMessage } from '../../rendering/written-message.ts'
import { WRITTEN } from './written-messages.ts'

const VARIANTS = 20

const SHOWN = 'Claim the copper kettle'
const HIDDEN = 'Minutes of the orchard society'

function hidingIn(layout: Hiding): WrittenMessage {
  return {
    ...WRITTEN.SALE,
    id: `hiding ${layout}`,
    spam: true,
    layout,
    body: `${SHOWN}\n\n[Claim](https://kettle.example/c)\n\n<!-- hidden -->\n\n${HIDDEN}, held on Monday.\n\nThe pears -- all of them -- "were" late.`,
  }
}

function renderings(message: WrittenMessage): Message[] {
  return Array.from({ length: VARIANTS }, (_, variant) =>
    parseMessage(memoryOctets(renderWritten(message, variant))),
  )
}

function pagesOf(message: Message) {
  return message.texts.filter((text) => text.kind === 'html')
}

const SEEN_BY_THE_READER: readonly Hiding[] = ['pushed down', 'after many blanks', 'visible below']

describe('a hidden part', () => {
  for (const layout of HIDINGS) {
    const messages = renderings(hidingIn(layout))

    it(`leaves the shown part to be seen, ${layout}`, () => {
      for (const page of messages.flatMap(pagesOf)) assert.ok(page.visible.includes(SHOWN))
    })

    it(`stands in the source of every page, ${layout}`, () => {
      for (const page of messages.flatMap(pagesOf)) assert.ok(page.source.includes(HIDDEN))
    })

    it(`is ${SEEN_BY_THE_READER.includes(layout) ? 'below what is shown' : 'not seen'}, ${layout}`, () => {
      for (const page of messages.flatMap(pagesOf)) {
        const at = page.visible.indexOf(HIDDEN)
        const isSeen =
          SEEN_BY_THE_READER.includes(layout) || /<noscript><p>Minutes/.test(page.source)
        if (isSeen) assert.ok(at > page.visible.indexOf(SHOWN))
        else assert.equal(at, -1, page.source.slice(page.source.indexOf(HIDDEN) - 200))
      }
    })
  }

  it('is shown in the plain part where it only stands further down', () => {
    const texts = renderings(hidingIn('after many blanks')).flatMap(({ texts }) =>
      texts.filter((text) => text.kind === 'plain').map((text) => text.source),
    )
    assert.ok(texts.length > 0)
    for (const text of texts) assert.match(text, /\n{20,}Minutes of the orchard/)
  })
})

describe('partedMessage', () => {
  it('parts a body at the mark, and draws how to hide where the message does not say', () => {
    const { layout: _layout, ...message } = hidingIn('tiny')
    const hidings = Array.from({ length: VARIANTS }, (_, variant) => {
      const { body, hidden } = partedMessage(message, variant)
      assert.equal(body, `${SHOWN}\n\n[Claim](https://kettle.example/c)\n`)
      assert.match(hidden!.body, /^Minutes of the orchard society, held on Monday\./)
      return hidden!.hiding
    })
    assert.ok(new Set(hidings).size > 8)
  })

  it('takes a comment of words for a hidden part', () => {
    const words = 'the mill wheel turned again after the long frost '.repeat(3)
    const body = `Buy now.\n\n<!-- ${words}-->\n\nOr later.`
    const { hidden, body: shown } = partedMessage({ ...WRITTEN.SALE, body }, 0)
    assert.deepEqual(hidden, { hiding: 'comment', body: words.trim() })
    assert.equal(shown, shownBody(body))
    assert.doesNotMatch(shown, /mill/)
  })
})
