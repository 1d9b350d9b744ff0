import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { COUNT_NAMES, type CountName, counts } from '../../signals/counts.ts'
import { parsed } from '../helpers/parsed.ts'

function countsOf(text: string): Record<CountName, number> {
  return counts(parsed(text))
}

describe('counts', () => {
  it('counts a letter in plain text', () => {
    assert.partialDeepStrictEqual(
      countsOf(
        'From: anna@example.com\nTo: ben@example.com\nSubject: On FRIDAY\n\nSee https://example.com/a, 20 $!',
      ),
      {
        links: 1,
        linkDomains: 1,
        linkLongest: 21,
        recipients: 1,
        parts: 1,
        hops: 0,
        subjectWords: 2,
        subjectUpperShare: 7 / 8,
        exclamations: 1,
        currencySigns: 1,
        htmlTags: 0,
      },
    )
  })

  it('counts a letter in HTML', () => {
    assert.partialDeepStrictEqual(
      countsOf(
        'Content-Type: text/html\n\n<p>Hello</p><div style="display:none">Hi</div><img src="a.png"><!-- a -->',
      ),
      {
        visibleCharacters: 5,
        hiddenCharacters: 2,
        hiddenShare: 2 / 7,
        htmlTags: 3,
        images: 1,
        imagesWithoutText: 1,
        htmlComments: 1,
      },
    )
  })

  it('counts no more recipients and hops than say something', () => {
    const many = countsOf(
      `${'Received: a\n'.repeat(30)}To: ${'a@example.com,'.repeat(60)}\n\nHello`,
    )
    assert.equal(many.recipients, 20)
    assert.equal(many.hops, 4)
  })

  it('has shares of nothing where there is nothing', () => {
    const none = countsOf('From: anna@example.com\n\n')
    for (const name of COUNT_NAMES) assert.ok(none[name] >= 0 && Number.isFinite(none[name]), name)
  })
})
