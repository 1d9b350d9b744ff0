import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { COUNT_NAMES, counts } from '../../signals/counts.ts'
import { parsed } from '../helpers/parsed.ts'

const LETTER =
  'From: anna@example.com\nTo: ben@example.org\nSubject: On FRIDAY\n\nSee https://example.com/a, 20 $!'
const PAGE =
  'Content-Type: text/html\n\n<p>Hello</p><div style="display:none">Hi</div><img src="a.png"><!-- a -->'
const MANY = `${'Received: a\n'.repeat(30)}To: ${'a@example.com,'.repeat(60)}\n\nHello`

describe('counts', () => {
  for (const [what, source, expected] of [
    [
      'a letter in plain text',
      LETTER,
      {
        ...{ links: 1, linkDomains: 1, linkLongest: 21, recipients: 1, parts: 1, hops: 0 },
        ...{ subjectWords: 2, subjectUpperShare: 7 / 8, exclamations: 1, currencySigns: 1 },
        htmlTags: 0,
      },
    ],
    [
      'a letter in HTML',
      PAGE,
      {
        ...{ visibleCharacters: 5, hiddenCharacters: 2, hiddenShare: 2 / 7, htmlTags: 3 },
        ...{ images: 1, imagesWithoutText: 1, htmlComments: 1 },
      },
    ],
    ['no more recipients and hops than say something', MANY, { recipients: 20, hops: 4 }],
  ] as const) {
    it(`counts ${what}`, () => assert.partialDeepStrictEqual(counts(parsed(source)), expected))
  }
  it('has shares of nothing where there is nothing', () => {
    const none = counts(parsed('From: anna@example.com\n\n'))
    for (const name of COUNT_NAMES) assert.ok(none[name] >= 0 && Number.isFinite(none[name]), name)
  })
})
