/** Names under which a feed may hold a URL, as Safe Browsing, version 4, "URLs and Hashing" has them. */
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { canonicalUrl } from '../../urls/canonical.ts'
import { ownExpressions } from '../../urls/feed-table.ts'

describe('ownExpressions', () => {
  it('say what they leave out', () => {
    assert.deepEqual(ownExpressions(canonicalUrl('http://a.b.c/1/2.html?param=1')!), [
      { text: 'a.b.c/1/2.html?param=1', scope: 'exact' },
      { text: 'a.b.c/1/2.html', scope: 'page' },
      { text: 'a.b.c/', scope: 'host' },
      { text: 'b.c/', scope: 'host' },
    ])
  })

  it('name a bare host once, as the very URL', () => {
    assert.deepEqual(ownExpressions(canonicalUrl('http://b.c/')!), [
      { text: 'b.c/', scope: 'exact' },
    ])
  })
})
