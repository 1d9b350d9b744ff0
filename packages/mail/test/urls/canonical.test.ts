/**
 * The vectors that Google publishes for Safe Browsing, version 4, "URLs and Hashing"
 * (developers.google.com/safe-browsing/v4/urls-hashing), those of its Go client (urls_test.go)
 * where they say more.
 */
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import { canonicalUrl, URL_LENGTH_MAX } from '../../urls/canonical.ts'
import { readRows } from '../helpers/rows.ts'

function written(href: string): string | undefined {
  const url = canonicalUrl(href)
  if (url === undefined) return undefined
  const { scheme, host, path, query } = url
  return `${scheme}://${host}${path}${query === undefined ? '' : `?${query}`}`
}

describe('canonicalUrl', () => {
  for (const [href, expected] of readRows('mail/test/urls/canonical.cases')) {
    it(`writes ${JSON.stringify(href)} as ${expected || 'nothing'}`, () => {
      assert.equal(written(href!) ?? '', expected)
    })
  }

  it('drops the user before the host', () => {
    assert.equal(written('http://bank.example.com:pw@example.net/a'), 'http://example.net/a')
  })

  it('takes a folder named by dots for a folder', () => {
    assert.equal(written('http://example.com/a/b/..'), 'http://example.com/a/')
    assert.equal(written('http://example.com/../../..'), 'http://example.com/')
  })

  it('changes nothing when done again', () => {
    fc.assert(
      fc.property(
        fc.string({ unit: fc.constantFrom(...'a.%25/?#@:[] é0x'), maxLength: 60 }),
        (tail) => {
          const once = written(`http://example.com/${tail}`)!
          // An escaped # is undone and done again; an escaped ? now begins the query.
          assert.equal(written(once), once)
        },
      ),
    )
  })

  it('undoes escapes as round after round does', () => {
    fc.assert(
      fc.property(fc.string({ unit: fc.constantFrom(...'%%%2345aF'), maxLength: 40 }), (text) => {
        let rounds = text
        for (let before = ''; before !== rounds; ) {
          before = rounds
          rounds = rounds.replaceAll(/%([0-9a-f]{2})/gi, (_, hex: string) =>
            String.fromCharCode(Number.parseInt(hex, 16)),
          )
        }
        const escaped = rounds.replaceAll(
          /[^!-~]|[#%]/g,
          (byte) => `%${byte.charCodeAt(0).toString(16).toUpperCase().padStart(2, '0')}`,
        )
        assert.equal(canonicalUrl(`http://example.com/?${text}`)?.query, escaped)
      }),
    )
  })

  it('cuts what is longer than a link may be', () => {
    const url = canonicalUrl(`http://example.com/${'a'.repeat(2 * URL_LENGTH_MAX)}`)
    assert.equal(url?.path.length, URL_LENGTH_MAX - 'http://example.com'.length)
  })
})
