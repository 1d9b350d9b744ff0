/**
 * Every way in which a part of a written message is hidden, drawn many times: what is shown is seen
 * by a reader, what is hidden is not, or stands far below.
 */
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
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
  const body = `${SHOWN}\n\n[Claim](https://kettle.example/c)\n\n<!-- hidden -->\n\n${HIDDEN}, held on Monday.\n\nThe pears -- all of them -- "were" late.`
  return { ...WRITTEN.SALE, id: `hiding ${layout}`, spam: true, layout, body }
}

function textsOf(layout: Hiding, kind: 'html' | 'plain') {
  return Array.from({ length: VARIANTS }, (_, variant) =>
    parseMessage(memoryOctets(renderWritten(hidingIn(layout), variant))),
  ).flatMap(({ texts }) => texts.filter((text) => text.kind === kind))
}

/** They only move the text away. */
const SEEN_BELOW: readonly Hiding[] = ['pushed down', 'after many blanks', 'visible below']

describe('a hidden part', () => {
  for (const layout of HIDINGS) {
    it(`is in the page, and the shown part alone is seen first, ${layout}`, () => {
      for (const { source, visible } of textsOf(layout, 'html')) {
        assert.ok(source.includes(HIDDEN))
        const [shown, hidden] = [visible.indexOf(SHOWN), visible.indexOf(HIDDEN)]
        assert.ok(shown >= 0)
        const isSeen = SEEN_BELOW.includes(layout) || /<noscript><p>Minutes/.test(source)
        assert.ok(isSeen ? hidden > shown : hidden === -1, source)
      }
    })
  }

  it('is shown in the plain part where it only stands further down', () => {
    const texts = textsOf('after many blanks', 'plain')
    assert.ok(texts.length > 0)
    for (const { source } of texts) assert.match(source, /\n{20,}Minutes of the orchard/)
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
