import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import { LINK_LENGTH_MAX, LINKS_MAX } from '../../message/limits.ts'
import { findLinks } from '../../message/text-links.ts'
import { readGroups } from '../helpers/rows.ts'

describe('findLinks', () => {
  for (const { title, rows } of readGroups('mail/test/message/text-links.cases')) {
    it(title, () => {
      for (const [text, ...links] of rows) assert.deepEqual(findLinks(text!), links, text)
    })
  }
  it('cuts a link at its longest length', () => {
    const [link] = findLinks(`http://example.com/${'a'.repeat(LINK_LENGTH_MAX)}`)
    assert.equal(link?.length, LINK_LENGTH_MAX)
  })
  it('gives no more than the largest number of links', () => {
    assert.equal(findLinks('http://a '.repeat(LINKS_MAX + 1)).length, LINKS_MAX)
  })
  it('gives links that stand in the text, but for the scheme of www.', () => {
    const piece = fc.constantFrom('http://', 'www.', 'a.b', ...'/(). <"[]')
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 40 }), (pieces) => {
        const text = pieces.join('')
        for (const link of findLinks(text)) {
          assert.ok(text.includes(link) || text.includes(link.slice('http://'.length)))
        }
      }),
    )
  })
})
