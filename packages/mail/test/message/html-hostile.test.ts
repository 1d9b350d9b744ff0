/**
 * No markup leaks into text. That any string ends in a document is the matter of fuzz, and bombs are in fuzz/bombs.
 */
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import { scanHtml } from '../../message/html.ts'

const words = fc.stringMatching(/^[a-z]{1,8}$/)

/** Well-formed markup: words, and elements around such. */
const { element } = fc.letrec<{ element: string; content: string }>((tie) => ({
  element: fc
    .tuple(fc.constantFrom('div', 'span', 'b', 'ul', 'td', 'h1', 'x-y'), tie('content'))
    .map(([name, content]) => `<${name} title="<b>">${content}</${name}>`),
  content: fc
    .array(fc.oneof({ maxDepth: 4 }, words, tie('element')), { maxLength: 4 })
    .map((pieces) => pieces.join(' <!-- <i> --> ')),
}))

describe('scanHtml under attack', () => {
  it('leaves no markup in the text of well-formed elements, and no word out', () => {
    fc.assert(
      fc.property(element, (source) => {
        const text = source.replace(/<!--.*?-->|<\/?[\w-]+(?: title="<b>")?>/g, '')
        const expected = text.match(/[a-z]+/g) ?? []
        assert.deepEqual(scanHtml(source).visibleText.match(/[^\s]+/g) ?? [], expected)
      }),
    )
  })
})
