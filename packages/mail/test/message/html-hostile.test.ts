/**
 * Markup made to stop a scanner: any string ends in a document, 200 kB of anything within
 * half a second (on an idle machine each takes under 0.15 s), and no markup leaks into text.
 */
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import { scanHtml } from '../../message/html.ts'
import { inCpuMs } from '../helpers/cpu-time.ts'

const BYTES = 200_000
const TIME_MAX_MS = 500

function manyOf(unit: string): string {
  return unit.repeat(Math.ceil(BYTES / unit.length))
}

function numbered(count: number, write: (number: number) => string): string {
  return Array.from({ length: count }, (_, number) => write(number)).join('')
}

const attacks: Readonly<Record<string, string>> = {
  'nested blocks': manyOf('<div>'),
  'nested tables': manyOf('<table>'),
  'nested cells': manyOf('<table><tr><td>'),
  'end tags of nothing': numbered(1000, () => '<div>') + manyOf('</i>'),
  'end tags beyond a table': numbered(1000, () => '<table>') + manyOf('</td>'),
  'formatting around paragraphs': numbered(1000, () => '<b>') + manyOf('<p>'),
  'formatting taken out from around blocks': manyOf('<b><div></b>'),
  'styled formatting around paragraphs': manyOf('<font color=red><p>'),
  'items in many spans': numbered(1000, () => '<span>') + manyOf('<li>'),
  'elements outside cells': numbered(1000, () => '<table>') + manyOf('<b></b>'),
  'attributes in one tag': `<a ${manyOf('b=c ').repeat(2)}>`,
  'less-than signs': manyOf('<'),
  'end tag openings': manyOf('</'),
  ampersands: manyOf('&'),
  'character references': manyOf('&#65;'),
  'digits in one reference': `&#${manyOf('1')}`,
  'comment openings': manyOf('<!--'),
  'empty comments': manyOf('<!---->'),
  'hyphens in a comment': `<!--${manyOf('-')}`,
  'quotes never closed': manyOf('<a b="'),
  'quotes in quotes': manyOf('<a b=\'" '),
  links: manyOf('<a href=x>'),
  'links under a long base': `<base href="https://example.com/${'a/'.repeat(2000)}">${manyOf('<a href=x>')}`,
  'hosts with paths': manyOf('a.zz/ '),
  'anchors between hosts with paths': manyOf('example.com/a<a href=x></a>'),
  'conditional comments': manyOf('<!--[if mso]><v:rect href=x><![endif]-->'),
  'shapes in a conditional comment': `<!--[if mso]>${manyOf('<v:rect href="x">')}`,
  'open quotes in conditional comments': manyOf('<!--[if mso]><v:rect href="-->'),
  'links around paragraphs': manyOf('<p><a href=x>'),
  images: manyOf('<img src=x>'),
  'tags with names of their own': numbered(100_000, (number) => `<x${number}>`),
  'one tag name': `<${manyOf('a')}>`,
  'rules in one style sheet': `<style>${manyOf('.a{color:red}')}`,
  'style sheets': manyOf('<style>.a{color:red}</style>'),
  'a style sheet without rules': `<style>${manyOf('a')}`,
  'selectors in one rule': `<style>${manyOf('a,')}{color:red}`,
  'a selector of many steps': `<style>${manyOf('a ')}{color:red}`,
  'at-rules in each other': `<style>${manyOf('@a{')}`,
  'comments in a style sheet': `<style>${manyOf('/*')}`,
  'styles of their own': numbered(30_000, (number) => `<p style="color:#${number}">a`),
  'quotes in styles': numbered(120, () => `<p style='color:${'""'.repeat(4000)}'>`),
  'open brackets in a style sheet': `<style>.a{color:${manyOf('(')}`,
  'quotes in a style sheet': `<style>.a{color:${manyOf(`"'"`)}`,
  'conditions in one selector': `<style>${manyOf('a:hover[b]:not(.c),')}{color:red}`,
  'styles that move inside of hidden boxes': manyOf(
    '<div style="height:0;overflow:hidden"><p style="position:absolute">a',
  ),
  'declarations in one style': `<p style="${manyOf('color:red;')}">`,
  'declarations without a colon': numbered(
    120,
    (number) => `<p style="${number}${';'.repeat(8000)}color:red">`,
  ),
  'selectors of several steps': `<style>${numbered(2000, (number) => `.a .b${number % 3}{display:none}`)}</style>${manyOf('<p class="b1">x')}`,
  'selectors for any element': `<style>${numbered(2000, () => '* > [title]{display:none}')}</style>${manyOf('<p>x')}`,
  'selectors of a hundred steps': `<style>${numbered(600, () => `a${'>a'.repeat(100)}{display:none}`)}</style>${manyOf('<a>x')}`,
  'classes of their own under many selectors': `<style>${numbered(2000, () => '* > [title]{display:none}')}</style>${numbered(60_000, (number) => `<p class=a${number}>`)}`,
  'a long tag under many selectors': `<style>${numbered(2000, (number) => `[a${number}=b]{display:none}`)}</style><p ${manyOf('c=d ')}>x`,
  'a style sheet behind all': `${manyOf('<p class=b>x')}<style>.w .b{display:none}</style>`,
  'rules in each other': `<style>${manyOf('.a{')}`,
  'expressions of a size': numbered(
    20_000,
    (number) => `<p style="font-size:calc(((${number}px + 1px) * 2))">a`,
  ),
  'transforms of their own': numbered(
    20_000,
    (number) => `<p style="transform:scale(${number})">a`,
  ),
  classes: `<style>.a{color:red}</style><p class="${manyOf('a ')}">`,
  'refreshes without address': manyOf(
    `<meta http-equiv=refresh content="${' '.repeat(4000)}url${' '.repeat(4000)}">`,
  ),
  'types in JSON-LD': `<script type="application/ld+json">${manyOf('"@type":"A",')}`,
  'end tags in a script': `<script>${manyOf('</script')}`,
  'hidden text': manyOf('<div style="display:none">a'),
  'white space': manyOf(' \n'),
}

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
  for (const [name, source] of Object.entries(attacks)) {
    it(`reads a megabyte of ${name} in time`, () => {
      inCpuMs(TIME_MAX_MS, () => scanHtml(source))
    })
  }
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
