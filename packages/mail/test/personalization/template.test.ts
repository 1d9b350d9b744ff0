import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import {
  addElement,
  isTemplate,
  leastHashes,
  resemblance,
  sketchOf,
  templateMatches,
  templateOf,
} from '../../personalization/template.ts'
import { parsed } from '../helpers/parsed.ts'

function templateIn(text: string, senderDomain = 'example.com'): string {
  const template = templateOf(parsed(text), senderDomain)
  assert.ok(template !== undefined)
  return template
}

/** A campaign of a garden shop as one recipient gets it. */
function gardenMail({ name = 'Ada', day = '3 March 2025', code = '1a2b', price = '20' } = {}) {
  return `From: shop@example.com
To: ${name} <${name.toLowerCase()}@example.org>
Subject: ${name}, spring begins on ${day}
Content-Type: text/html

<html><body><table><tr><td><h1>Spring begins on ${day}</h1></td></tr>
<tr><td><p>Dear ${name},</p>
<p>the first seeds can be sown now: lettuce, radishes and early carrots do well under glass.
With this letter you get ${price} euros off every greenhouse, and the soil for it comes free to
your door. ${name}, your code is ${code}. It holds until ${day}.</p>
<p><a href="https://click.example.com/${code}">To the greenhouses</a></p></td></tr>
<tr><td>You get this letter because you have bought from the garden shop in Example Street.
<a href="https://click.example.com/u/${code}">Leave the list</a></td></tr></table></body></html>`
}

/** Another campaign of the same shop, in the same layout and with the same foot. */
const TOOL_MAIL = `From: shop@example.com
To: Ada <ada@example.org>
Subject: Ada, sharpen your blades
Content-Type: text/html

<html><body><table><tr><td><h1>Sharp blades cut clean</h1></td></tr>
<tr><td><p>Dear Ada,</p>
<p>bring your pruning shears and mower blades to our workshop this week. We grind them while you
wait, oil the hinges and replace worn springs. Whoever brings three tools pays for two, and old
handles of ash wood can be exchanged for new ones.</p>
<p><a href="https://click.example.com/9f">To the workshop</a></p></td></tr>
<tr><td>You get this letter because you have bought from the garden shop in Example Street.
<a href="https://click.example.com/u/9f">Leave the list</a></td></tr></table></body></html>`

describe('templateMatches', () => {
  it('gives the very same pattern where nothing but names, dates, numbers and links differ', () => {
    const other = gardenMail({ name: 'Charles', day: '10 May 2026', code: 'x9y8z7', price: '35' })
    assert.equal(templateIn(other), templateIn(gardenMail()))
  })

  it('knows the campaign again after a sentence was changed', () => {
    const other = gardenMail().replace(
      'and the soil for it comes free to\nyour door',
      'soil included',
    )
    assert.notEqual(templateIn(other), templateIn(gardenMail()))
    assert.ok(templateMatches(templateIn(gardenMail()), templateIn(other)))
  })

  it('tells another campaign of the same sender in the same layout apart', () => {
    assert.ok(!templateMatches(templateIn(gardenMail()), templateIn(TOOL_MAIL)))
  })

  it('tells the same text from another domain apart', () => {
    const mine = templateIn(gardenMail(), 'example.com')
    assert.ok(!templateMatches(mine, templateIn(gardenMail(), 'example.net')))
  })

  it('tells mail that is one picture by its subject and the words for the picture', () => {
    const picture = (subject: string, alt: string) =>
      templateIn(
        `From: a@example.com\nSubject: ${subject}\nContent-Type: text/html\n\n<img src="a.png" alt="${alt}"><a href="https://example.com/u">Unsubscribe</a>`,
      )
    const spring = picture('Spring sale, 20 percent', 'Sale from 3 March')
    assert.equal(picture('Spring sale, 35 percent', 'Sale from 8 April'), spring)
    assert.ok(!templateMatches(spring, picture('Winter sale', 'Sale from 3 March')))
    assert.ok(!templateMatches(spring, picture('Spring sale, 20 percent', 'Greenhouses')))
  })

  it('tells short mail by all of its words', () => {
    const short = (text: string) => templateIn(`From: a@example.com\nSubject: Lunch\n\n${text}`)
    assert.equal(short('Shall we meet at 12:30?'), short('shall we meet at 13?'))
    assert.ok(!templateMatches(short('Shall we meet at noon?'), short('Shall we meet at home?')))
  })

  it('reads text that has no spaces between words', () => {
    const shop = '温室の新しい季節が始まりました。レタスとにんじんの種を今まくことができます。'
    const of = (text: string) => templateIn(`From: a@example.com\nSubject: 春\n\n${text}`)
    assert.ok(templateMatches(of(shop), of(shop.replace('にんじん', 'トマト'))))
    assert.ok(
      !templateMatches(
        of(shop),
        of('鋏と草刈機の刃を工房にお持ちください。お待ちの間に研ぎます。'),
      ),
    )
  })
})

describe('a template', () => {
  it('is what templateOf gives, of at most 200 characters beside the domain, and nothing else', () => {
    const template = templateIn(gardenMail())
    assert.ok(isTemplate(template) && template.length <= 200 + 'example.com'.length)
    const digest = 'A'.repeat(24)
    for (const pattern of [
      '',
      't1',
      `t2:example.com:${digest}`,
      't1:example.com:A',
      `t1::${digest}`,
      `t1:example.com:${digest}A`,
    ]) {
      assert.ok(!isTemplate(pattern), pattern)
    }
  })
})

const PLACES = 80

function sketch(from: number, to: number): Uint8Array {
  const least = leastHashes(PLACES)
  for (let element = from; element < to; element++) addElement(least, element)
  return sketchOf(least)
}

describe('sketchOf', () => {
  it('estimates the share of elements in common, within four standard deviations', () => {
    // 1000 and 1000 elements, 500 of them in both: 500 of 1500 in common.
    const share = 1 / 3
    const deviation = Math.sqrt((share * (1 - share)) / PLACES)
    const estimate = resemblance(sketch(0, 1_000), sketch(500, 1_500))
    assert.ok(Math.abs(estimate - share) < 4 * deviation, String(estimate))
  })

  it('finds nothing in common in sets without a common element', () => {
    assert.ok(resemblance(sketch(0, 1_000), sketch(1_000, 2_000)) < 0.1)
  })

  it('fills the places of small sets, the same way in each', () => {
    assert.equal(resemblance(sketch(0, 3), sketch(0, 3)), 1)
    assert.ok(resemblance(sketch(0, 3), sketch(10, 13)) < 0.1)
  })

  it('is all zero for the empty set', () => {
    assert.deepEqual(sketch(0, 0), new Uint8Array(PLACES))
  })
})
