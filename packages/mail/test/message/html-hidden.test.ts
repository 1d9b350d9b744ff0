/**
 * Each way to hide text, on both sides of its threshold. A row of hidden-text.cases is a method and a
 * piece of markup in which the word `secret` is hidden by that method, is not hidden ('seen'), or is
 * seen unless something hides it that is not known here ('doubt').
 */
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { scanHtml } from '../../message/html.ts'
import { readGroups } from '../helpers/rows.ts'

function check(method: string, source: string): void {
  const { hidingMethods, visibleText, certainText, hiddenText } = scanHtml(source)
  const seen = method === 'seen' || method === 'doubt'
  assert.deepEqual(hidingMethods, seen ? [] : [method], source)
  assert.equal(visibleText.includes('secret'), seen, source)
  assert.equal(hiddenText.includes('secret'), !seen, source)
  assert.equal(certainText.includes('secret'), method === 'seen', source)
}

describe('hiding', () => {
  for (const { title, rows } of readGroups('mail/test/message/hidden-text.cases')) {
    it(title, () => {
      for (const [method, source] of rows) check(method!, source!)
    })
  }

  it('is in doubt where a declaration that is not read may undo it', () => {
    check('doubt', `<p style="display:none;x:${'y'.repeat(10_000)};display:block">secret`)
  })
  it('goes by the first 2,000 rules of a style sheet, in doubt where it has more', () => {
    const sheet = (rules: number) =>
      `<style>.a{display:none}${'b{color:red}'.repeat(rules - 1)}</style><p class=a>secret`
    check('display', sheet(2_000))
    check('doubt', sheet(2_001))
  })
  it('ends at the end tag, however deep what is inside nests', () => {
    const deep = `${'<i>'.repeat(2000)}${'<div>'.repeat(2000)}`
    check('display', `<section hidden>${deep}secret`)
    check('seen', `<section hidden>${deep}</section>secret`)
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
      '<div style="height:calc(1px + 5000px)"></div>',
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
