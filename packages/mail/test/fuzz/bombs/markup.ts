/** Bombs of HTML: tags, attributes, style sheets, hiding, links. */
import { many, numbered, times } from './sizes.ts'
import type { Bomb } from './structure.ts'

const HEADER = 'From: a@example.com\nSubject: x\nContent-Type: text/html; charset=utf-8\n\n'

/** `unit` again and again between `before` and `after`. */
function html(unit: string, before = '', after = ''): Bomb {
  return (bytes) => `${HEADER}${before}${many(unit, bytes)}${after}`
}

function counted(write: (number: number) => string, before = '', after = ''): Bomb {
  return (bytes) => `${HEADER}${before}${numbered(bytes, write)}${after}`
}

/** Half of the bytes a style sheet, half elements that its rules may stand for. */
function styled(rule: (number: number) => string, element: (number: number) => string): Bomb {
  return (bytes) =>
    `${HEADER}<style>${numbered(bytes / 2, rule)}</style>${numbered(bytes / 2, element)}`
}

export const MARKUP_BOMBS: Readonly<Record<string, Bomb>> = {
  'nested blocks': html('<div>'),
  'nested blocks and their ends': html('<div></div>'),
  paragraphs: html('<p>'),
  'paragraphs of a letter': html('<p>a'),
  'nested tables': html('<table>'),
  'nested cells': html('<table><tr><td>'),
  cells: html('<td>a'),
  'nested formatting': html('<b>'),
  'formatting of many kinds': html('<b><i><u><s><em><strong><font color=red>'),
  'end tags of nothing': html('</i>', '<div>'.repeat(100)),
  'end tags beyond a table': html('</td>', '<table>'.repeat(100)),
  'end tags of blocks beyond spans': html('</div>', '<div><span>'.repeat(200)),
  'formatting around paragraphs': html('<p>', '<b>'.repeat(100)),
  'formatting around blocks': html('<div>a</div>', '<b>'.repeat(100)),
  'styled formatting around paragraphs': html('<font color=red><p>'),
  'formatting taken out from around blocks': html('<b><div></b>'),
  'formatting taken out of turn': html('<b><i></b></i>'),
  'links taken out from around blocks': html('<a href=x><div></a>'),
  'items in many spans': html('<li>', '<span>'.repeat(200)),
  'list items': html('<ul><li>'),
  options: html('<select><option>'),
  headings: html('<h1>a<h2>'),
  'elements outside cells': html('<b></b>', '<table>'.repeat(100)),
  'attributes in one tag': html('b=c ', '<a ', '>'),
  'attributes of their own in one tag': counted((number) => `b${number}=c `, '<a ', '>'),
  'attributes without a value': html('a ', '<p ', '>'),
  'tags of a hundred attributes': html(`<p ${'a=b '.repeat(128)}>`),
  'tags of attributes that count': html(
    '<td bgcolor=#fff style="color:#fff;font-size:0" class=a id=b hidden width=1 height=1>a',
  ),
  'one attribute without an end': html('b', '<a href="'),
  'quotes never closed': html('<a b="'),
  'quotes in quotes': html('<a b=\'" '),
  'less-than signs': html('<'),
  'end tag openings': html('</'),
  declarations: html('<!'),
  'processing instructions': html('<?'),
  ampersands: html('&'),
  'character references': html('&#65;'),
  'named references': html('&amp;'),
  'names that are none': html('&aaaaaaaaaaaaaaaa'),
  'digits in one reference': html('1', '&#'),
  'references in an attribute': html('&amp;', '<a href="', '">x</a>'),
  comments: html('<!---->'),
  'comment openings': html('<!--'),
  'hyphens in a comment': html('-', '<!--'),
  'ends of comments': html('-->', '<!--'),
  'conditional comments': html('<!--[if mso]>a<![endif]-->'),
  links: html('<a href=http://example.com>x</a>'),
  'links of nothing': html('<a href=x>'),
  'links of their own': counted((number) => `<a href=http://w${number}.example.com/>x</a>`),
  'links of their own, named by another host': counted(
    (number) => `<a href=http://w${number}.example.com/>www.x${number}.example</a>`,
  ),
  'links around paragraphs': html('<p><a href=x>'),
  'links of long texts': html(`<a href=http://example.com>${'word '.repeat(200)}</a>`),
  'links of dots': html(`<a href=http://example.com>${'a.'.repeat(500)}</a>`),
  'links of white space': html(`<a href="${' '.repeat(4_000)}http://example.com">x</a>`),
  'links of tabs': html(`<a href="http://${'\t'.repeat(4_000)}example.com">x</a>`),
  'links of references': html(`<a href="http://example.com/${'&#37;'.repeat(800)}">x</a>`),
  'links of 4,000 letters': counted(
    (number) => `<a href=http://w${number}.example.com/${'a'.repeat(4_000)}>x</a>`,
  ),
  'links of escaped hosts': counted(
    (number) => `<a href=http://${'%61'.repeat(80)}${number}.example.com/>x</a>`,
  ),
  'links of full-width hosts': counted(
    (number) =>
      `<a href=http://${Buffer.from('\uff41'.repeat(60)).toString('latin1')}${number}.example.com/>x</a>`,
  ),
  'links of deep full-width hosts': counted(
    (number) =>
      `<a href=http://${Buffer.from('\uff41\uff0e'.repeat(500)).toString('latin1')}${number}.example.com/>x</a>`,
  ),
  'links of long Unicode hosts': counted(
    (number) =>
      `<a href=http://${Buffer.from('\u00e9'.repeat(1_900)).toString('latin1')}${number}.example.com/>x</a>`,
  ),
  'links of combining hosts': counted(
    (number) =>
      `<a href=http://${Buffer.from(`a${'\u0315\u0300\u05ae\u0301'.repeat(400)}`).toString('latin1')}${number}.example.com/>x</a>`,
  ),
  'links of hosts of marks': counted(
    (number) =>
      `<a href=http://a${Buffer.from('\u0315\u0300\u05ae\u0301'.repeat(1_000)).toString('latin1')}${number}.example.com/>x</a>`,
  ),
  'links of hosts of ligatures': counted(
    (number) =>
      `<a href=http://${Buffer.from('\ufdfa'.repeat(4_000)).toString('latin1')}${number}.example.com/>x</a>`,
  ),
  'links of hosts of soft hyphens': counted(
    (number) =>
      `<a href=http://${Buffer.from('\u00ad'.repeat(3_900)).toString('latin1')}${number}.example.com/>x</a>`,
  ),
  'links of users of marks': counted(
    (number) =>
      `<a href=http://${Buffer.from('\u0315\u0300\u05ae\u0301'.repeat(1_000)).toString('latin1')}@w${number}.example.com/>x</a>`,
  ),
  'links of paths of marks': counted(
    (number) =>
      `<a href=http://w${number}.example.com/${Buffer.from('\u0315\u0300\u05ae\u0301'.repeat(1_000)).toString('latin1')}>x</a>`,
  ),
  'links of punycode': counted(
    (number) => `<a href=http://xn--${'a'.repeat(3_900)}${number}-9za.example.com/>x</a>`,
  ),
  'links of data': html(`<a href=data:text/html,${'a'.repeat(3_000)}>x</a>`),
  'links to addresses': html('<a href=mailto:a@example.com>x</a>'),
  'links of relative paths': html('<a href=../x>x</a>'),
  images: html('<img src=x>'),
  'images of data': html(`<img src=data:image/png;base64,${'a'.repeat(5_000)}>`),
  'one image of data': html('a', '<img src=data:image/png;base64,', '>'),
  'images of long names': html(`<img alt="${'a'.repeat(5_000)}">`),
  forms: html('<form action=x><input type=password>'),
  inputs: html('<input type=password>', '<form>'),
  scripts: html('<script>x</script>'),
  'scripts of types': html('<script type="application/ld+json">{"@type":"Order"}</script>'),
  'types in one script': html('"@type":"A",', '<script type="application/ld+json">'),
  'openings of types in one script': html('"@type":[', '<script type="application/ld+json">'),
  'item types': counted((number) => `<p itemtype="http://schema.org/T${number}">`),
  'item types in one attribute': html(' http://schema.org/A', '<p itemtype="', '">'),
  'event handlers': html('<p onclick=x onload=y>'),
  refreshes: html('<meta http-equiv=refresh content="0;url=http://example.com">'),
  'refreshes without address': html(
    `<meta http-equiv=refresh content="${' '.repeat(4_000)}url${' '.repeat(4_000)}">`,
  ),
  charsets: html('<meta charset=utf-8>'),
  'charsets never closed': html(`<meta ${' '.repeat(190)}`),
  'tags with names of their own': counted((number) => `<x${number}>`),
  'tags of long names': counted((number) => `<${'x'.repeat(30)}${number}>`),
  'one tag name': html('a', '<'),
  'custom elements and their ends': counted((number) => `<x-${number}></x-${number}>`),
  titles: html('<title>a</title>'),
  'text areas': html('<textarea>a</textarea>'),
  'raw text without an end': html('a</scrip', '<script>'),
  'end tags in a script': html('</script', '<script>'),
  'ends of a style': html('</style', '<style>'),
  'plain text': html('a', '<plaintext>'),
  'styles of one class': styled(
    () => '.a{color:red}',
    () => '<p class=a>',
  ),
  'styles of classes': styled(
    (number) => `.a${number}{color:red}`,
    (number) => `<p class=a${number}>`,
  ),
  'styles of elements': styled(
    () => 'p{color:red}',
    () => '<p>',
  ),
  'styles of elements with classes': styled(
    (number) => `p.a${number % 30}{color:red}`,
    () => `<p class="${times(30, (number) => `a${number} `)}">`,
  ),
  'styles of descendants': styled(
    (number) => `div .a div .b p.c${number}{display:none}`,
    (number) => `<div class=a><p class="b c${number}">a`,
  ),
  'styles of descendants in nested blocks': styled(
    () => 'div div div div div .x{display:none}',
    () => '<div class=x>',
  ),
  'styles of children': styled(
    () => 'div>div>div>.x{display:none}',
    () => '<div class=x>',
  ),
  'styles of siblings': styled(
    () => '.x~.x~.x+.x{display:none}',
    () => '<p class=x>',
  ),
  'styles of attributes': styled(
    (number) => `[title="a${number}"]{display:none}`,
    (number) => `<p title=a${number}>`,
  ),
  'styles of all elements': styled(
    () => '*{color:red}',
    () => '<p>',
  ),
  'styles of many selectors': styled(
    (number) => `.a${number},.b${number},.c${number},p{color:red}`,
    () => '<p class="a1 b2 c3">',
  ),
  'styles of functions': styled(
    (number) => `:is(.a${number},:not(.b)):where(p){display:none}`,
    () => '<p class=a>',
  ),
  'selectors in one rule': html('a,', '<style>', '{color:red}</style>'),
  'a selector of many steps': html('a ', '<style>', '{color:red}</style>'),
  'selectors of many classes': styled(
    () => `${'.a'.repeat(50)}{display:none}`,
    () => `<p class="${'a '.repeat(32)}">`,
  ),
  'at-rules in each other': html('@a{', '<style>'),
  'media rules': html('@media screen{p{color:red}}', '<style>', '</style><p>a'),
  'nested media rules': html('@media screen{', '<style>p{color:red}', '</style><p>a'),
  imports: html('@import "a";', '<style>', '</style>'),
  'comments in a style sheet': html('/**/', '<style>', '</style>'),
  'open comments in a style sheet': html('/*', '<style>', '</style>'),
  'escapes in a style sheet': html('\\61 ', '<style>.', '{color:red}</style>'),
  'strings in a style sheet': html('"a"', '<style>p{content:', '}</style>'),
  'open strings in a style sheet': html('"', '<style>p{content:', '}</style>'),
  'a style sheet without rules': html('a', '<style>', '</style>'),
  'openings in a style sheet': html('{', '<style>', '</style>'),
  'closings in a style sheet': html('}', '<style>', '</style>'),
  'semicolons in a style sheet': html(';', '<style>', '</style>'),
  'style sheets': html('<style>.a{color:red}</style>'),
  'style sheets and elements': html('<style>.a{color:red}</style><p class=a>a'),
  'declarations in one rule': html('color:red;', '<style>p{', '}</style><p>a'),
  'declarations in one style': html('color:red;', '<p style="', '">a'),
  'declarations without a colon': html(';', '<p style="', '">a'),
  'styles of many declarations': html(`<p style="${'color:red;'.repeat(800)}">`),
  'styles of their own': counted((number) => `<p style="color:#${number}">a`),
  'styles of their own, long': counted(
    (number) => `<p style="${'margin:0 auto;'.repeat(500)}color:#${number}">a`,
  ),
  'custom properties': counted(
    (number) => `--a${number}:var(--a${number + 1});`,
    '<style>:root{',
    '}</style><p style="color:var(--a0)">a',
  ),
  'custom properties that name themselves': html(
    '--a:var(--a)var(--a);',
    '<style>p{',
    '}</style><p style="color:var(--a)">a',
  ),
  'custom properties in elements': counted(
    (number) => `<p style="--a${number}:red;color:var(--a${number})">a`,
  ),
  'nested variables': html('var(--a,', '<p style="color:', '">a'),
  'nested calculations': html('calc(1px + ', '<p style="width:', '">a'),
  'nested parentheses': html('(', '<p style="width:calc', '">a'),
  'colours of functions': counted(
    (number) => `<p style="color:rgba(${number % 255}, 1%, 2, .5)">a`,
  ),
  'colours of white space': html(`<p style="color:${' '.repeat(4_000)}red${' '.repeat(4_000)}x">a`),
  gradients: html('linear-gradient(red,', '<p style="background:', '">a'),
  'digits in a length': html('1', '<p style="font-size:', 'px">a'),
  fonts: html('a,', '<p style="font:', '">a'),
  classes: html('a ', '<style>.a{color:red}</style><p class="', '">a'),
  'classes of their own': counted(
    (number) => `a${number} `,
    '<style>.a{color:red}</style><p class="',
    '">a',
  ),
  'elements of many classes': html(
    `<p class="${'a '.repeat(2_000)}">`,
    '<style>.a{color:red}</style>',
  ),
  'hidden text': html('<div style="display:none">a'),
  'hidden and seen text in turn': html('<p style="display:none">a</p>b'),
  'hidden spans in a word': html('a<span style="font-size:0">b</span>'),
  'white text': html('<font color=white>a</font>'),
  'deep hidden text': html('a<br>', '<div style="display:none">'.repeat(500)),
  'white space': html(' \n'),
  'no-break spaces': html('&nbsp;'),
  'spaces and no-break spaces': html(' &nbsp;'),
  'zero-width references': html('a&#8203;'),
  'words in bold': html('<b>word</b> '),
  'letters in bold': html('<b>a</b>'),
  'letters in their own cells': html('<td>a</td>'),
  'line breaks': html('<br>'),
  'letters and line breaks': html('a<br>'),
  'upper-case tags': html('<DIV CLASS=A>a</DIV>'),
  SVG: html('<svg><path d=M0>'),
  templates: html('<template>a'),
  frames: html('<iframe src=x>a</iframe>'),
  details: html('<details><summary>a</summary>b</details>'),
  'tags in tags': html('<a <b '),
  'slashes in a tag': html('/', '<p ', '>'),
  'equals signs in a tag': html('=', '<p ', '>'),
  'NUL bytes in tags': html('<p\0>'),
  'closing brackets': html('>'),
  CDATA: html('<![CDATA[a]]>'),
  doctypes: html('<!doctype html>'),
  'HTML in plain text': (bytes) => `From: a@example.com\n\n<html>${many('<p>word', bytes)}`,
}
