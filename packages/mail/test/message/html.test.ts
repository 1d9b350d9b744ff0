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
  it('takes the first of two attributes with one name', () => {
    assert.equal(scanHtml('<a href=one href=two>').links[0]?.href, 'one')
  })
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

describe('links', () => {
  it('have the text between their tags', () => {
    assert.deepEqual(
      scanHtml('See <a href=" http://example.com/?a=1&amp;b=2 ">this\n <b>page</b></a>!').links,
      [{ href: 'http://example.com/?a=1&b=2', text: 'this page', hidden: false }],
    )
  })
  it('end where another begins', () => {
    const { links } = scanHtml('<a href=one>1<a href=two>2</a>3')
    assert.deepEqual(
      links.map(({ text }) => text),
      ['1', '2'],
    )
  })
  it('end with the cell they stand in', () => {
    assert.equal(scanHtml('<table><td><a href=one>1</td><td>2</td></table>').links[0]?.text, '1')
  })
  it('go on in the next paragraph when they are not closed', () => {
    assert.equal(scanHtml('<p><a href=one>1<p>2</a>3').links[0]?.text, '1 2')
  })
  it('are areas of image maps too', () => {
    assert.deepEqual(scanHtml('<map><area href=one></map>a').links, [
      { href: 'one', text: '', hidden: false },
    ])
  })
  it('are not anchors without href', () => {
    assert.deepEqual(scanHtml('<a name=top>x</a>').links, [])
  })
  it('keep a reference that has no semicolon out of the address', () => {
    assert.equal(scanHtml('<a href="?a=1&copy=2&lt">').links[0]?.href, '?a=1&copy=2<')
  })
  it('are hidden in a hidden box, and have their hidden text', () => {
    assert.deepEqual(scanHtml('<div style="display:none"><a href=one>1</a></div>').links, [
      { href: 'one', text: '1', hidden: true },
    ])
  })
  it('are hidden when their text is', () => {
    assert.equal(scanHtml('<a href=one style="color:#fff">1</a>').links[0]?.hidden, true)
  })
  it('are seen when an image is, whatever the size of letters', () => {
    assert.equal(
      scanHtml('<table><td style="font-size:0"><a href=one><img src=x> </a>').links[0]?.hidden,
      false,
    )
  })
  it('are those of drawings too', () => {
    assert.deepEqual(
      scanHtml('<svg><a xlink:href="https://example.com/a"><text>Open</text></a></svg>').links,
      [{ href: 'https://example.com/a', text: 'Open', hidden: false }],
    )
  })
  it('are relative to the first base, wherever it stands', () => {
    const hrefs = (source: string) => scanHtml(source).links.map(({ href }) => href)
    assert.deepEqual(
      hrefs(
        '<a href=login>1</a><base target=_top><base href="https://example.com/x/">' +
          '<base href="https://example.org/"><a href="/y">2</a><a href="?z">3</a><a href="//example.net/">4</a>',
      ),
      [
        'https://example.com/x/login',
        'https://example.com/y',
        'https://example.com/x/?z',
        'https://example.net/',
      ],
    )
    assert.deepEqual(
      hrefs(
        '<base href="//example.com/x/"><a href=a>1</a><a href="#b">2</a>' +
          '<a href="mailto:ada@example.com">3</a><a href="www.example.org/c">4</a>',
      ),
      ['https://example.com/x/a', '#b', 'mailto:ada@example.com', 'www.example.org/c'],
    )
    assert.deepEqual(
      hrefs('<template><base href="https://example.com/"></template><a href=a>1</a>'),
      ['a'],
    )
    assert.deepEqual(hrefs('<base href="data:,x"><a href=a>1</a>'), ['a'])
  })
  it('have a scheme where they name a host without', () => {
    assert.deepEqual(
      scanHtml('<a href="//example.com/a">1</a><a href="/\\example.com/b">2</a>').links.map(
        ({ href }) => href,
      ),
      ['https://example.com/a', 'https:/\\example.com/b'],
    )
  })
  it('are cut at their longest length', () => {
    const { links } = scanHtml(`<a href="${'a'.repeat(LINK_LENGTH_MAX + 1)}">`)
    assert.equal(links[0]?.href.length, LINK_LENGTH_MAX)
  })
  it('are kept up to their largest number', () => {
    assert.equal(scanHtml('<a href=x>'.repeat(LINKS_MAX + 1)).links.length, LINKS_MAX)
  })
})

describe('addresses in the text', () => {
  const bare = (source: string) => scanHtml(source).bareLinks

  it('are links as in plain text', () => {
    assert.deepEqual(
      bare('<p>Open https://example.com/login</p><p>or www.example.com<p>or example.org/x, today'),
      ['https://example.com/login', 'http://www.example.com', 'http://example.org/x'],
    )
  })
  it('go on across inline elements, but not across blocks, cells and line breaks', () => {
    assert.deepEqual(bare('exam<b>ple</b>.c<!-- -->om<wbr>/x'), ['http://example.com/x'])
    assert.deepEqual(bare('ex<i style="display:none">tra</i>ample.com/x'), ['http://example.com/x'])
    assert.deepEqual(bare('example<br>.com/x <div>example</div>.com/y'), [])
    assert.deepEqual(bare('<table><td>http://example.com/a<td>b</table>'), ['http://example.com/a'])
  })
  it('are those outside of anchors', () => {
    assert.deepEqual(
      bare(
        '<a href="https://example.com/">www.example.net</a>www.example.org/<a href=x>a</a>b <a name=y>example.com/c</a>',
      ),
      ['http://www.example.org/', 'http://example.com/c'],
    )
  })
  it('are seen', () => {
    assert.deepEqual(bare('<p hidden>https://example.com/</p><title>www.example.com</title>'), [])
  })
})

describe('where else a body leads', () => {
  const targets = (source: string) => scanHtml(source).targets

  it('is where forms and their buttons send, and where a refresh goes', () => {
    assert.deepEqual(
      targets(
        '<meta http-equiv=refresh content="0;url=https://example.com/r"><form action=" https://example.com/a ">' +
          '<button formaction="https://example.com/b">B</button><input type=image formaction="//example.com/c"></form>',
      ),
      [
        'https://example.com/r',
        'https://example.com/a',
        'https://example.com/b',
        'https://example.com/c',
      ],
    )
  })
  it('is relative to the base, and nowhere without one', () => {
    const form = '<form action="c.php"><input></form>'
    assert.deepEqual(targets(`<base href="https://example.com/x/">${form}`), [
      'https://example.com/x/c.php',
    ])
    assert.deepEqual(targets(form), [])
  })
  it('is where shapes lead that Outlook draws, in conditional comments and outside', () => {
    assert.deepEqual(
      targets(
        '<!--[if mso]><v:roundrect href="https://example.com/a"><center>Open</center></v:roundrect><![endif]-->' +
          '<!--[if (gte mso 9)|(IE)]><a href="https://example.com/b">b</a><q:rect href=\'https://example.com/c?d&amp;e\' /><![endif]-->' +
          '<v:rect href="https://example.com/d"></v:rect><![if mso]><v:oval href="https://example.com/e"/><![endif]>',
      ),
      [
        'https://example.com/a',
        'https://example.com/b',
        'https://example.com/c?d&e',
        'https://example.com/d',
        'https://example.com/e',
      ],
    )
  })
  it('is not in comments that nothing reads', () => {
    assert.deepEqual(targets('<!-- <v:rect href="https://example.com/"></v:rect> -->'), [])
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
