/** The examples of Safe Browsing, version 4, "URLs and Hashing", Suffix/Prefix Expressions. */
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { wordsOf } from '../../../../test/words.ts'
import { canonicalUrl } from '../../urls/canonical.ts'
import { exactExpression, expressions, ownExpressions } from '../../urls/expressions.ts'

/** As there, the paths after the fourth folder are left out; from the fifth on those of the Go client. */
const EXAMPLES = `
  http://a.b.c/1/2.html?param=1 a.b.c/1/2.html?param=1 a.b.c/1/2.html a.b.c/ a.b.c/1/ b.c/1/2.html?param=1 b.c/1/2.html b.c/ b.c/1/
  http://a.b.c.d.e.f.g/1.html a.b.c.d.e.f.g/1.html a.b.c.d.e.f.g/ c.d.e.f.g/1.html c.d.e.f.g/ d.e.f.g/1.html d.e.f.g/ e.f.g/1.html e.f.g/ f.g/1.html f.g/
  http://1.2.3.4/1/ 1.2.3.4/1/ 1.2.3.4/
  http://example.co.uk/1 example.co.uk/1 example.co.uk/ co.uk/1 co.uk/
  http://b.c/1/2/3/4/5/ b.c/1/2/3/4/5/ b.c/ b.c/1/ b.c/1/2/ b.c/1/2/3/
  http://b.c/1/2/3.html?param=1/2 b.c/1/2/3.html?param=1/2 b.c/1/2/3.html b.c/ b.c/1/ b.c/1/2/
  http://a.b/? a.b/
  http://[2001:470:1:18::114]/a/b [2001:470:1:18::114]/a/b [2001:470:1:18::114]/ [2001:470:1:18::114]/a/
  http://b/ b/`

describe('expressions', () => {
  for (const [href, ...expected] of EXAMPLES.trim().split('\n').map(wordsOf)) {
    it(`are those of the document for ${href}`, () => {
      const found = expressions(canonicalUrl(href!)!).map(({ text }) => text)
      assert.deepEqual(found.toSorted(), expected.toSorted())
    })
  }

  it('are thirty at most', () => {
    const url = canonicalUrl('http://a.b.c.d.e.f.g/1/2/3/4/5.html?param=1')!
    assert.equal(expressions(url).length, 30)
    assert.equal(new Set(expressions(url).map(({ text }) => text)).size, 30)
  })

  it('begin with the very URL', () => {
    const url = canonicalUrl('http://a.b.c/1/2.html?param=1')!
    assert.deepEqual(expressions(url)[0], { text: exactExpression(url), scope: 'exact' })
  })

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
