/**
 * Each way to hide text, on both sides of its threshold. A row is a piece of markup in which
 * the word `secret` is hidden by the named method, or is not hidden ('seen').
 */
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { scanHtml } from '../../src/message/html.ts'

function check(rows: readonly (readonly [string, string])[]): void {
  for (const [method, source] of rows) {
    const { hidingMethods, visibleText, hiddenText } = scanHtml(source)
    const seen = method === 'seen'
    assert.deepEqual(hidingMethods, seen ? [] : [method], source)
    assert.equal(visibleText.includes('secret'), seen, source)
    assert.equal(hiddenText.includes('secret'), !seen, source)
  }
}

describe('hidden text', () => {
  it('has no box', () => {
    check([
      ['display', '<p style="display:none">secret'],
      ['display', '<p style="Display : NONE !important">secret'],
      ['display', '<p style="display:none"><b style="display:block">secret'],
      ['display', '<p hidden>secret'],
      ['display', '<datalist><option>secret</datalist>'],
      ['seen', '<p hidden style="display:block">secret'],
      ['seen', '<p style="display:none;display:block">secret'],
      ['seen', '<p style="x-display:none">secret'],
      ['seen', '<p style="mso-hide:all">secret'],
    ])
  })
  it('is invisible, unless made visible again', () => {
    check([
      ['display', '<p style="visibility:hidden">secret'],
      ['display', '<p style="visibility:collapse"><b>secret'],
      ['seen', '<p style="visibility:hidden"><b style="visibility:visible">secret'],
    ])
  })
  it('has letters too small to see, unless made larger again', () => {
    check([
      ['size', '<p style="font-size:0">secret'],
      ['size', '<p style="font-size:1px">secret'],
      ['size', '<p style="font-size:1pt">secret'],
      ['size', '<p style="font-size:.05em">secret'],
      ['size', '<p style="font-size:5%">secret'],
      ['size', '<p style="font:0/0 a">secret'],
      ['size', '<p style="font:bold 1px/20px arial">secret'],
      ['size', '<p style="font-size:0"><b style="font-size:100%">secret'],
      ['seen', '<p style="font-size:2px">secret'],
      ['seen', '<p style="font-size:.2em">secret'],
      ['seen', '<p style="font:700 12px/0 arial">secret'],
      ['seen', '<table><td style="font-size:0"><b style="font-size:small">secret'],
      ['seen', '<table><td style="font-size:0"><font size=1>secret'],
    ])
  })
  it('stands in a box that has no room and cuts off what overflows', () => {
    check([
      ['size', '<p style="max-height:0;overflow:hidden">secret'],
      ['size', '<p style="height:1px;overflow:hidden">secret'],
      ['size', '<p style="width:0px;overflow-x:hidden">secret'],
      ['size', '<p style="height:0;overflow:hidden"><b style="height:9px">secret'],
      ['seen', '<p style="height:2px;overflow:hidden">secret'],
      ['seen', '<p style="max-height:0">secret'],
      ['seen', '<p style="width:0%;overflow:hidden">secret'],
    ])
  })
  it('is clear', () => {
    check([
      ['opacity', '<p style="opacity:0">secret'],
      ['opacity', '<p style="opacity:.05">secret'],
      ['opacity', '<p style="opacity:5%"><b style="opacity:1">secret'],
      ['seen', '<p style="opacity:.06">secret'],
    ])
  })
  it('is off screen', () => {
    check([
      ['position', '<p style="position:absolute;left:-500px">secret'],
      ['position', '<p style="position:fixed;top:-100em">secret'],
      ['position', '<p style="text-indent:-9999px">secret'],
      ['position', '<p style="margin-left:-500px">secret'],
      ['position', '<p style="margin:0 0 0 -2000px">secret'],
      ['position', '<p style="position:absolute;clip:rect(0,0,0,0)">secret'],
      ['position', '<p style="position:absolute;clip:rect(1px, 1px, 1px, 1px)">secret'],
      ['seen', '<p style="position:absolute;left:-499px">secret'],
      ['seen', '<p style="position:relative;left:-9999px">secret'],
      ['seen', '<p style="margin:-20px 0">secret'],
      ['seen', '<p style="margin:0 -2000px 0 0">secret'],
      ['seen', '<p style="position:absolute;clip:rect(0,99px,99px,0)">secret'],
    ])
  })
  it('has the colour of what is behind it', () => {
    check([
      ['colour', '<p style="color:#fff">secret'],
      ['colour', '<font color=white>secret'],
      ['colour', '<font color=#EFEFEF>secret'],
      ['colour', '<p style="color:transparent">secret'],
      ['colour', '<p style="color:rgba(0,0,0,.05)">secret'],
      ['colour', '<body bgcolor=000000 text="#0A0A0A">secret'],
      ['colour', '<table bgcolor=black><td>secret'],
      ['colour', '<div style="background:#123456 none"><b style="color:rgb(18, 52, 86)">secret'],
      [
        'colour',
        '<div style="background-color:#fff;color:#fff"><i style="background:transparent">secret',
      ],
      ['seen', '<font color=#EEEFEF>secret'],
      ['seen', '<p style="color:rgba(255,255,255,.5)">secret'],
      ['seen', '<table bgcolor=black><td><font color=white>secret'],
      ['seen', '<font color=white><p style="color:black">secret'],
      ['seen', '<font color=white><a href=x>secret'],
      ['seen', '<p style="color:hsl(0,0%,100%)">secret'],
    ])
  })
  it('is not known to have the colour of an image or of a gradient', () => {
    check([
      ['seen', '<table><td background="a.png"><font color=white>secret'],
      ['seen', '<table><td style="background:url(a.png)"><font color=white>secret'],
      ['seen', '<table><td style="background:#fff url(a.png)"><font color=white>secret'],
      [
        'seen',
        '<table><td style="background-image:linear-gradient(red,blue)"><font color=white>secret',
      ],
      ['seen', '<table><td style="background:var(--dark)"><font color=white>secret'],
      ['colour', '<table><td background="a.png"><p bgcolor=white style="color:white">secret'],
    ])
  })
  it('is hidden by a rule for its name, class or id', () => {
    check([
      ['display', '<style>.a{display:none}</style><p class="b a">secret'],
      ['display', '<style>#a{display:none}</style><p id=a>secret'],
      ['display', '<style>B{display:none}</style><b>secret'],
      ['display', '<style>td.a, p.a{display:none}</style><p class=a>secret'],
      ['display', '<style>@import "x"; .a{display:none}</style><p class=a>secret'],
      ['display', '<style><!-- /* } */ .a{display:none} --></style><p class=a>secret'],
      ['display', '<style>@media x{.b{}} .a{display:none}</style><p class=a>secret'],
      ['seen', '<style>.a{display:none}</style><p class=b>secret'],
      ['seen', '<style>.a{display:none}</style><p class=a style="display:block">secret'],
      ['seen', '<style>td.a{display:none}</style><p class=a>secret'],
      ['seen', '<style>.a:hover{display:none}</style><p class=a>secret'],
      ['seen', '<style>.b .a{display:none}</style><p class=a>secret'],
      ['seen', '<style>@media print{.a{display:none}}</style><p class=a>secret'],
    ])
  })
  it('is not taken for hidden where a rule colours what is behind it', () => {
    check([
      ['seen', '<style>.a{background:#000}</style><p class=a><font color=white>secret'],
      ['seen', '<style>.b .a{background:#000}</style><p class=a><font color=white>secret'],
      ['seen', '<style>.b .a{color:#000}</style><p class=a style="background:#000">secret'],
    ])
  })
})

describe('the end of hiding', () => {
  const hide = 'style="display:none"'

  it('is the end tag', () => {
    check([['seen', `<div ${hide}></div>secret`]])
  })
  it('is the next paragraph, item, cell or row where end tags are left out', () => {
    check([
      ['seen', `<p ${hide}><p>secret`],
      ['seen', `<p ${hide}><div>secret`],
      ['seen', `<ul><li ${hide}><li>secret</ul>`],
      ['seen', `<dl><dt ${hide}><dd>secret</dl>`],
      ['seen', `<select><option ${hide}><option>secret</select>`],
      ['seen', `<table><tr><td ${hide}><td>secret</table>`],
      ['seen', `<table><tr ${hide}><td><tr><td>secret</table>`],
      ['seen', `<table><tbody ${hide}><tr><td><tbody><tr><td>secret</table>`],
      ['display', `<ul><li ${hide}><ul><li>secret</ul></ul>`],
      ['display', `<table><tr><td ${hide}><table><tr><td>secret</table></table>`],
    ])
  })
  it('is not the end tag of an element around a table', () => {
    check([['display', `<div ${hide}><table><tr><td></div>secret`]])
  })
  it('is not an end tag of another name', () => {
    check([
      ['display', `<div ${hide}></span></b></td></table>secret`],
      ['display', `<span ${hide}><div></span>secret`],
    ])
  })
  it('is not the end of a paragraph for formatting that is not closed', () => {
    check([
      ['colour', '<p><font color=white></p>secret'],
      ['colour', '<font color=white><p>secret</font>'],
      ['seen', '<font color=white><p></font>secret'],
      ['seen', '<p><span style="color:white"></p>secret'],
      ['seen', '<table><td><font color=white></td><td>secret</table>'],
    ])
  })
  it('is the end tag, however deep what is inside nests', () => {
    const deep = `${'<i>'.repeat(2000)}${'<div>'.repeat(2000)}`
    check([
      ['display', `<section ${hide}>${deep}secret`],
      ['seen', `<section ${hide}>${deep}</section>secret`],
    ])
  })
  it('is not a part of a table where there is no table', () => {
    check([
      ['display', `<div ${hide}><td>secret`],
      ['display', `<div ${hide}><tr><tbody>secret`],
    ])
  })
  it('is neither a second body nor the end of the first', () => {
    check([
      ['colour', '<body text=white><body text=black></body></html>secret'],
      ['seen', '<body><body style="display:none">secret'],
      ['colour', '<div></div><body text=white><div>secret'],
    ])
  })
  it('comes back with the surroundings of a table for what is not in a cell', () => {
    check([
      ['seen', '<table bgcolor=black><font>secret</table>'],
      ['colour', '<table bgcolor=black><form><tr><td>secret</table>'],
    ])
  })
})

describe('what is told of hidden text', () => {
  it('gives it apart, each element on a line of its own', () => {
    const { visibleText, hiddenText } = scanHtml('a<i hidden>b</i>c<i hidden>d<b>e</b></i>f')
    assert.deepEqual({ visibleText, hiddenText }, { visibleText: 'acf', hiddenText: 'b\nde' })
  })
  it('breaks no line of the visible text for a block that has no box', () => {
    assert.equal(scanHtml('via<div hidden>x</div>gra').visibleText, 'viagra')
  })
  it('breaks the line for a hidden block that takes up room', () => {
    assert.equal(scanHtml('a<div style="opacity:0">x</div>b').visibleText, 'a\nb')
  })
  it('counts the outermost elements that hide text', () => {
    assert.equal(
      scanHtml('<i hidden>a<b hidden>b</b></i><i hidden> </i><i hidden>c</i>').hiddenElements,
      2,
    )
  })
  it('names each method once, and none that hid no text', () => {
    assert.deepEqual(
      scanHtml('<i hidden>a</i><i hidden>b</i><i style="opacity:0"> </i><i style="font-size:0">c')
        .hidingMethods,
      ['display', 'size'],
    )
  })
})
