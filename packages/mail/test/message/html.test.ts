import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { scanHtml } from '../../message/html.ts'
import { IMAGES_MAX, LINK_LENGTH_MAX, LINKS_MAX } from '../../message/limits.ts'
import { readRows } from '../helpers/rows.ts'

function visible(source: string): string {
  return scanHtml(source).visibleText
}

describe('visible text', () => {
  for (const [name, source, expected] of readRows('mail/test/message/html-text.cases')) {
    it(name!, () => assert.equal(visible(source!), expected))
  }
  it('shows the value of buttons and fields, but not of boxes and passwords', () => {
    assert.equal(
      visible('Go: <input type=submit value="Claim &amp; win"><input value=here>'),
      'Go: Claim & win here',
    )
    for (const type of ['hidden', 'checkbox', 'radio', 'password']) {
      assert.equal(visible(`a<input type=${type} value=secret>b`), 'ab')
    }
    assert.equal(visible('<div style="display:none"><input value=secret></div>a'), 'a')
  })
  it('has the title and comments apart, which end at -->, --!> and at once in <!--> and <!--->', () => {
    const { title, visibleText } = scanHtml('<title>A &lt; B</title><p>C</p>')
    assert.deepEqual({ title, visibleText }, { title: 'A < B', visibleText: 'C' })
    const scanned = scanHtml('a<!-- x > -->b<!-- y --!>c<!-->d<!--->e')
    assert.deepEqual([scanned.comments, scanned.visibleText], [4, 'abcde'])
  })
})

describe('broken markup', () => {
  it('reads 128 attributes of a tag', () => {
    const link = (attributes: number) => scanHtml(`<a ${'b '.repeat(attributes - 1)}href=one>`)
    assert.equal(link(128).links[0]?.href, 'one')
    assert.equal(link(129).links.length, 0)
  })
  it('reads names in any case', () => {
    const { links, tagCounts } = scanHtml('<A HReF=http://example.com/>x</a>')
    assert.equal(links[0]?.href, 'http://example.com/')
    assert.deepEqual([...tagCounts], [['a', 1]])
  })
  it('reads attributes after a slash and without spaces between', () => {
    assert.equal(scanHtml('<img/src="a"alt=\'b\'/>').images[0]?.alt, 'b')
  })
})

describe('links and targets', () => {
  for (const [name, what, source, ...expected] of readRows('mail/test/message/html-links.cases')) {
    it(name!, () => {
      const found = scanHtml(source!)
      const links = found.links.map(
        ({ href, text, hidden }) => `${href} "${text}"${hidden ? ' hidden' : ''}`,
      )
      const { bareLinks, targets } = found
      assert.deepEqual({ links, bareLinks, targets }[what!], expected)
    })
  }
  it('are cut at their longest length, and kept up to their largest number', () => {
    const { links } = scanHtml(`<a href="${'a'.repeat(LINK_LENGTH_MAX + 1)}">`)
    assert.equal(links[0]?.href.length, LINK_LENGTH_MAX)
    assert.equal(scanHtml('<a href=x>'.repeat(LINKS_MAX + 1)).links.length, LINKS_MAX)
  })
})

describe('images', () => {
  it('have their size in pixels, from attributes or from style', () => {
    assert.deepEqual(
      scanHtml(
        '<img src=" a " alt="b &gt;" width=1 height="2px"><image src=c width="100%" style="height:3px">',
      ).images,
      [
        { src: 'a', alt: 'b >', width: 1, height: 2 },
        { src: 'c', alt: '', width: undefined, height: 3 },
      ],
    )
  })
  it('are kept up to their largest number', () => {
    assert.equal(scanHtml('<img src=x>'.repeat(IMAGES_MAX + 1)).images.length, IMAGES_MAX)
  })
})

describe('forms', () => {
  it('say where they send and whether they ask for a password', () => {
    assert.deepEqual(
      scanHtml('<form action=" a "><input type=PassWord></form><form><input></form>').forms,
      [
        { action: 'a', password: true },
        { action: '', password: false },
      ],
    )
  })
  it('are made up for a password field outside any', () => {
    assert.deepEqual(scanHtml('<form></form><input type=password>').forms, [
      { action: '', password: false },
      { action: '', password: true },
    ])
  })
})

describe('structure', () => {
  it('counts start tags, comments, scripts, event handlers and characters of style', () => {
    const document = scanHtml(
      '<style>p{}</style><p style="top:0" onclick=a ONLOAD=b></p><p></p><script></script><!-- -->',
    )
    assert.deepEqual(
      [...document.tagCounts],
      [
        ['style', 1],
        ['p', 2],
        ['script', 1],
      ],
    )
    assert.equal(document.styleCharacters, 3 + 5)
    assert.equal(document.scripts, 1)
    assert.equal(document.eventHandlers, 2)
    assert.equal(document.comments, 1)
  })
  it('gives where a refresh and a base lead', () => {
    const { refresh, base } = scanHtml(
      `<base href=" http://example.com/ "><meta http-equiv=Refresh content="0; URL = 'http://example.org/'">`,
    )
    assert.deepEqual(
      { refresh, base },
      { refresh: 'http://example.org/', base: 'http://example.com/' },
    )
  })
  it('has no refresh without an address', () => {
    assert.equal(scanHtml('<meta http-equiv=refresh content=5>').refresh, undefined)
  })
  it('names the types of JSON-LD and of microdata once each', () => {
    const { schemaTypes } = scanHtml(
      '<script type="application/ld+json">{"@type": "Order", "x": {"@type": ["Order", "Offer"]}}</script>' +
        '<div itemscope itemtype="http://schema.org/ParcelDelivery"></div>',
    )
    assert.deepEqual(schemaTypes, ['Order', 'Offer', 'ParcelDelivery'])
  })
  it('looks for types in no other script', () => {
    assert.deepEqual(scanHtml('<script>{"@type": "Order"}</script>').schemaTypes, [])
  })
})
