/**
 * Any string ends in a document, and no markup leaks into text. Bombs are in fuzz/bombs.
 */
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import { scanHtml } from '../../message/html.ts'

/** Pieces of which tag soup is made. */
const soup = fc.constantFrom(
  ...'<|</|<!--|-->|<!|>|"|\'|=| |/|&|&#|;|a|p|b|td|table|tr|div|script|style|title|textarea'.split(
    '|',
  ),
  '<a href="x">',
  '<p style="display:none">',
  '<font color=white>',
  '<style>.a{color:red}</style>',
  ' class=a',
  '\0',
  '\ud800',
)

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
  it('makes a document of any string', () => {
    fc.assert(fc.property(fc.string({ unit: 'binary' }), (source) => void scanHtml(source)))
  })
  it('makes a document of any tag soup', () => {
    fc.assert(
      fc.property(fc.array(soup, { maxLength: 60 }), (pieces) => {
        const source = pieces.join('')
        const { visibleText, hiddenText } = scanHtml(source)
        assert.ok(visibleText.length + hiddenText.length <= source.length)
      }),
      { numRuns: 1000 },
    )
  })
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
