/**
 * Each way to hide text, on both sides of its threshold. A row is a piece of markup in which
 * the word `secret` is hidden by the named method, is not hidden ('seen'), or is seen unless
 * something hides it that is not known here ('doubt').
 */
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { scanHtml } from '../../message/html.ts'

function check(rows: readonly (readonly [string, string])[]): void {
  for (const [method, source] of rows) {
    const { hidingMethods, visibleText, certainText, hiddenText } = scanHtml(source)
    const seen = method === 'seen' || method === 'doubt'
    assert.deepEqual(hidingMethods, seen ? [] : [method], source)
    assert.equal(visibleText.includes('secret'), seen, source)
    assert.equal(hiddenText.includes('secret'), !seen, source)
    assert.equal(certainText.includes('secret'), method === 'seen', source)
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
  it('has letters too small to read, unless made larger again', () => {
    check([
      ['size', '<p style="font-size:0">secret'],
      ['size', '<p style="font-size:1px">secret'],
      ['size', '<p style="font-size:1pt">secret'],
      ['size', '<p style="font-size:.05em">secret'],
      ['size', '<p style="font-size:5%">secret'],
      ['size', '<p style="font:0/0 a">secret'],
      ['size', '<p style="font:bold 1px/20px arial">secret'],
      ['size', '<p style="font-size:0"><b style="font-size:100%">secret'],
      ['size', '<p style="font-size:4px">secret'],
      ['size', '<p style="font-size:.2em">secret'],
      ['size', '<p style="font-size:.4em"><b style="font-size:.4em">secret'],
      ['size', '<p style="font-size:.1vw">secret'],
      ['size', '<p style="font:normal 2px/2px arial">secret'],
      ['seen', '<p style="font-size:5px">secret'],
      ['seen', '<p style="font-size:.4em">secret'],
      ['seen', '<p style="font-size:1vw">secret'],
      ['seen', '<p style="font-size:smaller">secret'],
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
      ['size', '<p style="height:4px;overflow:hidden">secret'],
      ['size', '<p style="height:0;overflow:auto">secret'],
      ['size', '<p style="height:.1vh;overflow:hidden">secret'],
      ['size', '<p style="width:0%;overflow:hidden">secret'],
      ['seen', '<p style="height:5px;overflow:hidden">secret'],
      ['seen', '<p style="max-height:0">secret'],
      ['seen', '<p style="width:1%;overflow:hidden">secret'],
    ])
  })
  it('is clear', () => {
    check([
      ['opacity', '<p style="opacity:0">secret'],
      ['opacity', '<p style="opacity:.05">secret'],
      ['opacity', '<p style="opacity:5%"><b style="opacity:1">secret'],
      ['doubt', '<p style="opacity:.06">secret'],
      ['seen', '<p style="opacity:.25">secret'],
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
      ['position', '<p style="position:relative;left:-9999px">secret'],
      ['position', '<p style="position:absolute;left:2000px">secret'],
      ['position', '<p style="position:absolute;inset:-9999px auto auto 0">secret'],
      ['position', '<p style="text-indent:100%;white-space:nowrap;overflow:hidden">secret'],
      ['seen', '<p style="position:absolute;left:-499px">secret'],
      ['seen', '<p style="position:absolute;left:1999px">secret'],
      ['seen', '<p style="position:static;left:-9999px">secret'],
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
      ['colour', '<p style="color:rgba(255,255,255,.5)">secret'],
      ['colour', '<p style="color:rgba(0,0,0,.06)">secret'],
      ['colour', '<p style="color:hsl(0,0%,100%)">secret'],
      ['colour', '<p style="color:hsl(210deg 10% 96%)">secret'],
      ['colour', '<p style="color:hwb(0 100% 0%)">secret'],
      ['colour', '<p style="color:oklch(100% 0 0)">secret'],
      ['colour', '<p style="color:oklab(1 0 0)">secret'],
      ['colour', '<p style="color:lab(100 0 0)">secret'],
      ['colour', '<p style="color:lch(100% 0 0)">secret'],
      ['colour', '<p style="color:color(srgb 1 1 1)">secret'],
      ['colour', '<p style="color:color-mix(in srgb, white 98%, black)">secret'],
      ['colour', '<p style="-webkit-text-fill-color:#fff">secret'],
      ['doubt', '<font color=#EEEEEE>secret'],
      ['doubt', '<font color=#CFCFCF>secret'],
      ['seen', '<font color=#CECECE>secret'],
      ['seen', '<p style="color:rgba(0,0,0,.5)">secret'],
      ['seen', '<p style="color:hsl(0,0%,40%)">secret'],
      ['seen', '<p style="color:oklch(50% .1 200)">secret'],
      ['seen', '<table bgcolor=black><td><font color=white>secret'],
      ['seen', '<font color=white><p style="color:black">secret'],
      ['seen', '<font color=white><a href=x>secret'],
    ])
  })
  it('is in doubt where it has the colour of what is behind an image or a gradient', () => {
    check([
      ['seen', '<table><td background="a.png"><font color=black>secret'],
      ['doubt', '<table><td background="a.png"><font color=white>secret'],
      ['doubt', '<table><td style="background:url(a.png)"><font color=white>secret'],
      ['doubt', '<table><td style="background:#fff url(a.png)"><font color=white>secret'],
      [
        'doubt',
        '<table><td style="background-image:linear-gradient(red,blue)"><font color=white>secret',
      ],
      ['doubt', '<table><td style="background:var(--dark)"><font color=white>secret'],
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
      ['seen', '<style>@media print{.a{display:none}}</style><p class=a>secret'],
    ])
  })
  it('is hidden by a rule for an element inside of others, or of several classes', () => {
    check([
      ['display', '<style>.b .a{display:none}</style><div class=b><i><p class=a>secret'],
      ['display', '<style>.b>p{display:none}</style><div class=b><p>secret'],
      ['display', '<style>body .a{display:none}</style><body><p class=a>secret'],
      ['display', '<style>.a.b{display:none}</style><p class="b a">secret'],
      ['display', '<style>#x .a b{display:none}</style><div id=x><p class=a><b>secret'],
      ['display', '<style>* > .a{display:none}</style><div><p class=a>secret'],
      ['seen', '<style>.b .a{display:none}</style><p class=a>secret'],
      ['seen', '<style>.b .a{display:none}</style><div class=b></div><p class=a>secret'],
      ['seen', '<style>.b>p{display:none}</style><div class=b><div><p>secret'],
      ['seen', '<style>.a.b{display:none}</style><p class=a>secret'],
      ['seen', '<style>td .a{display:none}</style><table><td>x<td></table><p class=a>secret'],
    ])
  })
  it('is in doubt under a selector of which it is not known whether it applies', () => {
    check([
      ['doubt', '<style>[title=x]{display:none}</style><p title="x">secret'],
      ['doubt', '<style>p[class^="x"]{font-size:0}</style><p class="xy">secret'],
      ['doubt', '<style>.b+p{display:none}</style><div class=b></div><p>secret'],
      ['doubt', '<style>.b~p{display:none}</style><div class=b></div><p>secret'],
      ['doubt', '<style>p:nth-child(2n + 1){display:none}</style><p>secret'],
      ['doubt', '<style>p:not(.a){opacity:0}</style><p>secret'],
      ['doubt', '<style>.b{& .a{display:none}}</style><div class=b><p class=a>secret'],
      ['seen', '<style>[title=x]{display:none}</style><p class="x">secret'],
      ['seen', '<style>u + .b .a{display:none}</style><div class=b><p class=a>secret'],
      ['seen', '<style>p:nth-child(2n){color:#333}</style><p>secret'],
      ['seen', '<style>p:hover{display:none}</style><p>secret'],
      ['seen', '<style>p::before{display:none}</style><p>secret'],
    ])
  })
  it('is hidden by a rule of which the screen of a reader has what is asked for', () => {
    check([
      ['display', '<style>@media screen{.a{display:none}}</style><p class=a>secret'],
      [
        'display',
        '<style>@media all and (min-width:1px){.a{display:none}}</style><p class=a>secret',
      ],
      [
        'display',
        '<style>@media only screen and (max-width:9999px){.a{display:none}}</style><p class=a>secret',
      ],
      ['display', '<style>@media print, screen{.a{display:none}}</style><p class=a>secret'],
      ['display', '<style>@supports (display:flex){.a{display:none}}</style><p class=a>secret'],
      ['display', '<style>@media screen{@media all{.a{display:none}}}</style><p class=a>secret'],
      ['doubt', '<style>@media (min-resolution:1dpi){.a{display:none}}</style><p class=a>secret'],
      ['doubt', '<style>@media not print{.a{display:none}}</style><p class=a>secret'],
      ['doubt', '<style>@container (width > 1px){.a{display:none}}</style><p class=a>secret'],
      ['seen', '<style>@media (max-width:600px){.a{display:none}}</style><p class=a>secret'],
      [
        'seen',
        '<style>@media (prefers-color-scheme:dark){.a{color:#fff}}</style><p class=a>secret',
      ],
      ['seen', '<style>@font-face{.a{display:none}}</style><p class=a>secret'],
    ])
  })
  it('is hidden by a rule that is more important than the style attribute', () => {
    check([
      [
        'display',
        '<style>.a{display:none!important}</style><p class=a style="display:block">secret',
      ],
      ['seen', '<style>.a{display:none}</style><p class=a style="display:block">secret'],
    ])
  })
  it('is hidden by a style sheet that stands behind it', () => {
    check([
      ['display', '<p class=a>secret</p><style>.a{display:none}</style>'],
      ['display', 'x<div class=b><p class=a>secret</p></div><style>.b .a{display:none}</style>'],
      ['seen', '<p class=a>secret</p><!--<style>.a{display:none}</style>-->'],
    ])
  })
  it('is clipped, turned, scaled or filtered away', () => {
    check([
      ['size', '<p style="clip-path:inset(50%)">secret'],
      ['size', '<p style="clip-path:circle(0)">secret'],
      ['size', '<p style="transform:scale(0)">secret'],
      ['size', '<p style="-webkit-transform:scale(.2, 1)">secret'],
      ['size', '<p style="transform:rotateY(90deg)">secret'],
      ['size', '<p style="scale:0">secret'],
      ['size', '<p style="zoom:.1">secret'],
      ['position', '<p style="transform:translateX(-9999px)">secret'],
      ['position', '<p style="transform:translate(0, -400%)">secret'],
      ['position', '<p style="translate:-9999px">secret'],
      ['opacity', '<p style="filter:opacity(0)">secret'],
      ['display', '<p style="content-visibility:hidden">secret'],
      ['doubt', '<p style="clip-path:polygon(0 0, 1px 1px)">secret'],
      ['doubt', '<p style="transform:matrix(0,0,0,0,0,0)">secret'],
      ['doubt', '<p style="filter:blur(9px)">secret'],
      ['doubt', '<p style="mask:linear-gradient(transparent,transparent)">secret'],
      ['doubt', '<p style="position:absolute;z-index:-1">secret'],
      ['doubt', '<p style="animation:x 1s">secret'],
      ['seen', '<p style="clip-path:none">secret'],
      ['seen', '<p style="transform:rotate(90deg) scale(.9) translate(-50%, 20px)">secret'],
      ['seen', '<p style="filter:grayscale(100%)">secret'],
      ['seen', '<p style="filter:alpha(opacity=0)">secret'],
    ])
  })
  it('has a size that is worked out, or in doubt where it cannot be', () => {
    check([
      ['size', '<p style="font-size:calc(4px - 4px)">secret'],
      ['size', '<p style="font-size:min(1px, 2vw)">secret'],
      ['size', '<p style="font-size:clamp(0px, 1px, 2px)">secret'],
      ['size', '<p style="height:calc((1px + 1px) * 2);overflow:hidden">secret'],
      ['opacity', '<p style="opacity:calc(.01 * 1)">secret'],
      ['doubt', '<p style="font-size:calc(100% * 0)">secret'],
      ['doubt', '<p style="--a:none;display:var(--a)">secret'],
      ['doubt', '<p style="--a:hidden;visibility:var(--a, hidden)">secret'],
      ['doubt', '<p style="color:var(--a)">secret'],
      ['seen', '<p style="font-size:calc(10px + 4px)">secret'],
      ['seen', '<p style="width:calc(100% - 20px)">secret'],
    ])
  })
  it('is hidden by declarations with comments and escapes in them', () => {
    check([
      ['display', '<p style="display/**/:none">secret'],
      ['display', '<p style="d\\69splay:none">secret'],
      ['display', '<style>.a{display:/* } */none}</style><p class=a>secret'],
    ])
  })
  it('is in doubt inside what is opened by a click, or shown by old programs alone', () => {
    check([
      ['doubt', '<details><summary>x</summary>secret</details>'],
      ['doubt', '<dialog>secret</dialog>'],
      ['doubt', '<p popover>secret'],
      ['doubt', '<video>secret</video>'],
      ['doubt', '<canvas>secret</canvas>'],
      ['display', '<svg><desc>secret</desc></svg>'],
      ['seen', '<details open>secret</details>'],
      ['seen', '<dialog open>secret</dialog>'],
      ['seen', '<details></details>secret'],
    ])
  })
  it('is not taken for hidden where a rule colours what is behind it', () => {
    check([
      ['seen', '<style>.a{background:#000}</style><p class=a><font color=white>secret'],
      [
        'seen',
        '<style>.b .a{background:#000}</style><div class=b><p class=a><font color=white>secret',
      ],
      ['colour', '<style>.b .a{background:#000}</style><p class=a><font color=white>secret'],
      ['colour', '<style>.b .a{color:#fff}</style><p class=a style="background:#000">secret'],
      [
        'seen',
        '<style>.b .a{color:#fff}</style><p class=b><i class=a style="background:#000">secret',
      ],
    ])
  })
})

describe('of two declarations', () => {
  it('the important one counts, wherever it stands', () => {
    check([
      ['display', '<p style="display:none!important;display:block">secret'],
      ['display', '<p style="display:none ! Important; display:block">secret'],
      ['seen', '<p style="display:none;display:block!important;display:none">secret'],
      [
        'display',
        '<style>.a{display:none!important;display:block}</style><p class=a style="display:block">secret',
      ],
      [
        'seen',
        '<style>.a{display:none!important}</style><p class=a style="display:block!important">secret',
      ],
    ])
  })
  it('the last one counts that has a value of its property', () => {
    check([
      ['display', '<p style="display:none;display:foo">secret'],
      ['display', '<p style="display:none;display:block 1px">secret'],
      ['display', '<p style="display:none;display:block!ie">secret'],
      ['display', '<p style="visibility:hidden;visibility:shown">secret'],
      ['opacity', '<p style="opacity:0;opacity:full">secret'],
      ['size', '<p style="font-size:0;font-size:large-ish">secret'],
      ['size', '<p style="font-size:0;font-size:-5px">secret'],
      ['size', '<p style="font-size:0;font:bold">secret'],
      ['size', '<p style="height:0;overflow:hidden;height:tall;overflow:show">secret'],
      ['size', '<p style="transform:scale(0);transform:big">secret'],
      ['position', '<p style="text-indent:-9999px;text-indent:none of it">secret'],
      ['colour', '<p style="color:#fff;color:blackish">secret'],
      ['seen', '<p style="color:#fff;background:#000;background:odd">secret'],
      ['seen', '<p style="display:none!ie">secret'],
      ['seen', '<p style="display:nothing;opacity:none;font-size:no">secret'],
    ])
  })
  it('the last one counts, also as a shorthand or in another spelling', () => {
    check([
      ['seen', '<p style="font-size:0;font:12px arial">secret'],
      ['seen', '<p style="overflow-y:hidden;height:0;overflow:visible">secret'],
      ['seen', '<p style="transform:scale(0);-webkit-transform:none">secret'],
      ['size', '<p style="-webkit-transform:none;transform:scale(0)">secret'],
    ])
  })
  it('neither stands in a string, in brackets or in an escape', () => {
    check([
      ['display', `<p style="display:none;content:';display:block;'">secret`],
      ['display', '<p style="display:none;background:url(x;display:block)">secret'],
      ['seen', `<p style="content:';display:none;'">secret`],
      ['seen', '<p style="x:\\3b display:none">secret'],
      ['seen', '<p style="opacity:\\30">secret'],
    ])
  })
  it('the one that is not read may undo the other', () => {
    const long = `x:${'y'.repeat(10_000)}`
    check([['doubt', `<p style="display:none;${long};display:block">secret`]])
  })
})

describe('a style sheet', () => {
  it('hides nothing where it does not apply to a screen', () => {
    check([
      ['seen', '<style media=print>.a{display:none}</style><p class=a>secret'],
      ['seen', '<style media="Print, speech">.a{display:none}</style><p class=a>secret'],
      ['seen', '<style media="not all">.a{display:none}</style><p class=a>secret'],
      ['seen', '<style media="not screen">.a{display:none}</style><p class=a>secret'],
      ['seen', '<style media="(max-width:1px)">.a{display:none}</style><p class=a>secret'],
      ['seen', '<style>@media not all{.a{display:none}}</style><p class=a>secret'],
      ['display', '<style media=screen>.a{display:none}</style><p class=a>secret'],
      ['display', '<style media="">.a{display:none}</style><p class=a>secret'],
      ['doubt', '<style media="(min-resolution:1dpi)">.a{display:none}</style><p class=a>secret'],
    ])
  })
  it('hides nothing where it is none: of another type, in a template, an alternative', () => {
    check([
      ['seen', '<style type=x>.a{display:none}</style><p class=a>secret'],
      ['seen', '<style type="text/less">.a{display:none}</style><p class=a>secret'],
      ['seen', '<template><style>.a{display:none}</style></template><p class=a>secret'],
      [
        'seen',
        '<style title=x>b{}</style><style title=y>.a{display:none}</style><p class=a>secret',
      ],
      ['display', '<style type="text/CSS">.a{display:none}</style><p class=a>secret'],
      ['display', '<style type="" title=x>.a{display:none}</style><p class=a>secret'],
    ])
  })
  it('hides, in doubt, beside elements without content, and by states that may be', () => {
    check([
      ['doubt', '<style>hr+div{display:none}</style><hr><div>secret'],
      ['doubt', '<style>img ~ div{display:none}</style><img src=a><div>secret'],
      ['doubt', '<style>br+span{display:none}</style>a<br><span>secret'],
      [
        'doubt',
        '<style>:checked~div{display:none}</style><input type=checkbox checked><div>secret',
      ],
      ['doubt', '<style>input:enabled+div{display:none}</style><input><div>secret'],
      ['doubt', '<style>div:not(:hover){display:none}</style><div>secret'],
      ['seen', '<style>hr+div{display:none}</style><div>secret'],
    ])
  })
  it('hides, in doubt, what another of its rules may show', () => {
    check([
      ['doubt', '<style>.a{opacity:0}.a{opacity:1}</style><p class=a>secret'],
      ['doubt', '<style>.a{opacity:0}</style><p class=a style="opacity:1">secret'],
      ['doubt', '<style>.a{display:none}.b{display:block}</style><p class="b a">secret'],
      ['doubt', '<style>table td{display:none}.b{display:block}</style><table><td class=b>secret'],
      [
        'doubt',
        '<style>.a{display:none}@media (min-resolution:1dpi){.a{display:block}}</style><p class=a>secret',
      ],
      ['doubt', '<style>.a{display:none}</style><div><p class=a style="display:inherit">secret'],
      ['doubt', '<style>.a{display:none}</style><p class=a style="display:var(--x)">secret'],
      ['doubt', '<style>.a{visibility:hidden}</style><p class=a style="visibility:inherit">secret'],
      ['doubt', '<style>.a{font-size:0}</style><p class=a style="font-size:var(--x)">secret'],
      ['seen', '<style>.a{font-size:0}</style><p class=a style="font-size:inherit">secret'],
      ['doubt', '<style>@layer x{.a{display:none}}.a{display:block}</style><p class=a>secret'],
    ])
  })
  it('hides, in doubt, by rules that a browser may drop', () => {
    check([
      ['doubt', '<style>.a,p:bogus{display:none}</style><p class=a>secret'],
      ['doubt', '<style>.a,{display:none}</style><p class=a>secret'],
      ['doubt', '<style>.1a{display:none}</style><p class=1a>secret'],
      ['doubt', '<style>b{content:"}.a{display:none}"}</style><p class=a>secret'],
      ['doubt', '<style>b{x:(}.a{display:none}</style><p class=a>secret'],
      ['doubt', '<style>@namespace url(x);.a{display:none}</style><p class=a>secret'],
      ['doubt', '<style>@supports (foo:bar){.a{display:none}}</style><p class=a>secret'],
      ['seen', '<style>x;.a{display:none}</style><p class=a>secret'],
      ['display', '<style>@import url(x);.a{display:none}</style><p class=a>secret'],
      ['display', '<style>.a,.a:hover,a[href]{display:none}</style><p class=a>secret'],
    ])
  })
  it('hides by its first 2,000 rules, in doubt where it has more', () => {
    const sheet = (rules: number) =>
      `<style>.a{display:none}${'b{color:red}'.repeat(rules - 1)}</style><p class=a>secret`
    check([
      ['display', sheet(2_000)],
      ['doubt', sheet(2_001)],
    ])
  })
})

describe('what is inside of a hidden box', () => {
  it('is in doubt where it may come out of it', () => {
    check([
      ['doubt', '<div style="height:0;overflow:hidden"><p style="position:absolute">secret'],
      [
        'doubt',
        '<div style="position:absolute;left:-9999px"><p style="position:relative;left:9999px">secret',
      ],
      ['doubt', '<div style="margin-left:-9999px"><p style="margin-left:9999px">secret'],
      ['doubt', '<div style="text-indent:-9999px"><p style="text-indent:0">secret'],
      ['doubt', '<div style="transform:scale(.1)"><p style="transform:scale(10)">secret'],
      ['size', '<div style="height:0;overflow:hidden"><p style="margin:0">secret'],
    ])
  })
  it('is in doubt where one shift undoes another', () => {
    check([
      ['doubt', '<p style="text-indent:-9999px;padding-left:9999px">secret'],
      ['doubt', '<p style="position:absolute;left:-9999px;margin-left:9999px">secret'],
      ['doubt', '<div style="margin-left:-9999px"><p style="padding:0 0 0 9999px">secret'],
      ['position', '<p style="position:absolute;left:-9999px;margin-left:9px">secret'],
    ])
  })
  it('is hidden where nothing inside can undo it', () => {
    check([
      ['opacity', '<div style="opacity:0"><p style="opacity:1;position:absolute">secret'],
      ['display', '<div style="display:none"><p style="display:block;position:fixed">secret'],
    ])
  })
  it('is in doubt in a line, which has no box that cuts off', () => {
    check([
      ['doubt', '<span style="height:0;overflow:hidden">secret'],
      ['size', '<span style="height:0;overflow:hidden;font-size:0">secret'],
      ['size', '<span style="display:block;height:0;overflow:hidden">secret'],
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

describe('what a reader sees first', () => {
  const first = (source: string) => {
    const { visibleText, seenFirstLength } = scanHtml(source)
    return visibleText.slice(0, seenFirstLength)
  }
  const apart = (between: string) => `<p>offer</p>${between}<p>newsletter</p>`

  it('is all of a page', () => {
    for (const between of [
      '',
      '<div style="height:400px">picture</div>',
      '<div style="margin-top:40px"></div>',
      '<br>'.repeat(20),
      '<img src=a height=3000 width=600>',
    ]) {
      assert.match(first(apart(between)), /newsletter$/, between)
    }
  })
  it('ends where the reader has to scroll over emptiness', () => {
    for (const between of [
      '<div style="margin-top:4000px"></div>',
      '<div style="height:2000vh"></div>',
      '<div style="display:flex"><div style="flex:0 0 5000px"></div></div>',
      '<div style="padding:200em 0"></div>',
      '<div style="border-top:4000px solid #fff"></div>',
      '<div style="line-height:5000px">&nbsp;</div>',
      '<br>'.repeat(60),
      '<p>&nbsp;</p>'.repeat(60),
      `<table>${'<tr><td>\u00a0</td></tr>'.repeat(60)}</table>`,
      '<table><tr><td height=5000></td></tr></table>',
      '<img src=a width=1 height=5000>',
      '<div style="height:500px"></div>'.repeat(2),
      '<style>.a{margin-top:4000px}</style><div class=a></div>',
      '<div style="position:relative;top:5000px">',
    ]) {
      assert.equal(first(apart(between)), 'offer', between)
    }
  })
  it('is not ended by emptiness before all text', () => {
    assert.equal(first('<div style="height:4000px"></div>offer'), 'offer')
  })
})

describe('a quotation', () => {
  const quoted = (source: string) => {
    const { visibleText, quoted } = scanHtml(source)
    return quoted && visibleText.slice(quoted.start, quoted.end).trim()
  }

  it('is in a blockquote', () => {
    assert.equal(quoted('<p>a<blockquote>b</blockquote>c'), 'b')
  })
  it('begins with what a mail program marks it with, and goes to the end', () => {
    assert.equal(
      quoted('<p>a<div class="gmail_quote">On Monday Ann wrote: b</div>'),
      'On Monday Ann wrote: b',
    )
    assert.equal(quoted('<p>a<div id="divRplyFwdMsg">From: Ann</div><p>b'), 'From: Ann\nb')
  })
  it('is nowhere in a letter that quotes nobody', () => {
    assert.equal(quoted('<p>a<q>b</q>'), undefined)
  })
})
