import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { clusters, signatureOf } from '../../training/near-duplicates.ts'

const NOTICE =
  'Your parcel from Garden Supplies is on its way and will be with you on Friday before noon. ' +
  'You can follow it on our pages or change the day of delivery until the evening before.'

const LETTER =
  'It was good to see you all at the lake last week, the children still talk about the boat ' +
  'and ask when we will come again, so let us know which days in August would suit you best.'

function clustersOf(...texts: string[]): number[] {
  return [...clusters(texts.map(signatureOf))]
}

describe('clusters', () => {
  it('puts copies that differ in a number and a name together', () => {
    const other = NOTICE.replace('Friday', 'Monday').replace('noon', 'ten')
    assert.deepEqual(clustersOf(NOTICE, LETTER, other), [0, 1, 0])
  })

  it('puts copies together that differ in digits, links and invisible characters alone', () => {
    const one = `Order 4711: ${NOTICE} https://example.com/a`
    const other = `Order 9: ${NOTICE.replace('parcel', 'par\u200bcel')} https://example.org/b?c=d`
    assert.deepEqual(clustersOf(one, other), [0, 0])
  })

  it('follows chains of copies', () => {
    const half = NOTICE.length / 2
    const grown = `${NOTICE} ${LETTER.slice(0, half)}`
    const shifted = `${NOTICE.slice(half)} ${LETTER.slice(0, half)}`
    assert.deepEqual(clustersOf(NOTICE, grown, shifted), [0, 0, 0])
  })

  it('keeps different messages apart', () => {
    assert.deepEqual(clustersOf(NOTICE, LETTER), [0, 1])
  })

  it('never takes texts of a few words for copies', () => {
    assert.deepEqual(clustersOf('Thanks, see you there', 'Thanks, see you there'), [0, 1])
  })
})
