/** HTML that no one would write by hand: deep, unclosed, hidden, flooded, or simply a page. */
import { wordsOf } from '../../../../test/words.ts'
import { type Dice, repeated } from './dice.ts'
import { line, link, noise, utf8, words } from './texts.ts'

const ELEMENTS = wordsOf(`
  p div span a b font table tr td ul li h1 blockquote center form select option button svg math
  template iframe object noscript body html head x-y
`)
const VOID_ELEMENTS = ['br', 'img', 'hr', 'input', 'meta', 'base', 'link', 'area']
const RAW_ELEMENTS = wordsOf(`
  style script title textarea xmp noembed plaintext iframe
`)
// biome-ignore format: many short pieces
const ATTRIBUTES = [
  'href', 'src', 'style', 'class', 'id', 'alt', 'title', 'color', 'bgcolor', 'width', 'height',
  'hidden', 'background', 'action', 'type', 'content', 'http-equiv', 'onload', 'data-x', '"', '=',
  '/', '',
]
// biome-ignore format: many short pieces
const STYLES = [
  'display:none', 'display : n\\6fne', 'color:#fff;background:#fff', 'color:rgb(255,255,255',
  'color:rgba(1e999,-1,NaN,/)', 'color:hsl(9e9deg 100% 50%)', 'font-size:0', 'font-size:1e-9px',
  'opacity:0', 'visibility:hidden/*', 'position:absolute;left:-9999px', 'mso-hide:all',
  'background:url(http://example.com/a)', ';;;;', '{}', '@media{', 'width:calc(1px*',
]
// biome-ignore format: many short pieces
const REFERENCES = [
  '&amp;', '&lt', '&nbsp;', '&#65;', '&#x110000;', '&#0;', '&#xD800;', '&#', '&#x', '&notit;',
  '&CounterClockwiseContourIntegral;', '&', `&#${'9'.repeat(50)};`,
]
// biome-ignore format: many short pieces
const COMMENTS = [
  '<!-- a -->', '<!--', '-->', '<!-->', '<!--->', '<!-- -- -->', '<!--[if mso]>', '<![endif]-->',
  '<!--[if !mso]><!-->', '<![CDATA[', ']]>', '<?xml', '<!DOCTYPE html', '</', '<', '</ p>',
  '<\0p>',
]
// biome-ignore format: many short pieces
const JSON_LD = [
  '{"@type":"Order"}', '{"@type":', '[[[[[[', '{"@type":["FlightReservation","EmailMessage"]}',
  '"\\u0040type"',
]

export function markup(dice: Dice): string {
  const pieces = repeated(1 + dice.below(20), () => piece(dice, 0))
  return dice.chance(0.4) ? `<html><head></head><body>${pieces}</body></html>` : pieces
}

function piece(dice: Dice, depth: number): string {
  return dice.make([
    line,
    line,
    () => element(dice, depth),
    () => element(dice, depth),
    () => `<${dice.pick(VOID_ELEMENTS)}${attributes(dice)}>`,
    () => `<a href="${link(dice)}">${utf8(dice.pick(['here', 'http://example.org/', '点击']))}</a>`,
    rawElement,
    () => repeated(1 + dice.count(20_000), () => dice.pick(REFERENCES)),
    () => repeated(1 + dice.count(5_000), () => dice.pick(COMMENTS)),
    endTags,
    nest,
  ])
}

function element(dice: Dice, depth: number): string {
  const name = dice.pick(ELEMENTS)
  const content = depth > 6 ? words(dice) : repeated(dice.below(4), () => piece(dice, depth + 1))
  const end = dice.chance(0.8) ? `</${name}>` : ''
  return `<${name}${attributes(dice)}>${content}${end}`
}

function attributes(dice: Dice): string {
  return repeated(dice.count(10_000), () => ` ${dice.pick(ATTRIBUTES)}${value(dice)}`)
}

function value(dice: Dice): string {
  const quote = dice.pick(['"', '"', "'", ''])
  const text = dice.make([
    link,
    () => repeated(1 + dice.count(1_000), () => `${dice.pick(STYLES)};`),
    () => repeated(dice.count(5_000), () => 'a '),
    () =>
      dice.pick([
        '#fff',
        'white',
        'refresh',
        '0; url=http://example.com/',
        'cid:1',
        'text/html;charset=utf-16',
      ]),
  ])
  return dice.pick([`=${quote}${text}${quote}`, `=${quote}${text}${quote}`, `=${quote}${text}`, ''])
}

function rawElement(dice: Dice): string {
  const name = dice.pick(RAW_ELEMENTS)
  const content = dice.make([
    () =>
      repeated(
        dice.count(3_000),
        () => `.${dice.pick(['a', 'b', 'a b', '*', 'p>a', ':root'])}{${dice.pick(STYLES)}}`,
      ),
    () => repeated(1 + dice.count(2_000), () => dice.pick(JSON_LD)),
    noise,
    () => `</${name.slice(0, -1)}`.repeat(dice.count(5_000)),
  ])
  const type = dice.pick(['', ' type="application/ld+json"'])
  return `<${name}${type}>${content}${dice.chance(0.8) ? `</${name}>` : ''}`
}

function endTags(dice: Dice): string {
  return repeated(dice.count(20_000), () => `</${dice.pick(ELEMENTS)}>`)
}

/** The same few tags in each other, to a depth that no page has. */
function nest(dice: Dice): string {
  const names = Array.from({ length: 1 + dice.below(3) }, () => dice.pick(ELEMENTS))
  const times = dice.count(20_000)
  const open = names.map((name) => `<${name}${dice.chance(0.2) ? attributes(dice) : ''}>`).join('')
  return (
    open.slice(0, 2_000).repeat(times) + words(dice) + `</${names[0]}>`.repeat(dice.count(20_000))
  )
}
