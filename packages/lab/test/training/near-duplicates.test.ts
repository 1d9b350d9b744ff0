import assert from 'node:assert/strict'
import { it } from 'node:test'
import { clusters, signatureOf } from '../../training/near-duplicates.ts'

const NOTICE =
  'Your parcel from Garden Supplies is on its way and will be with you on Friday before noon. ' +
  'You can follow it on our pages or change the day of delivery until the evening before.'

const LETTER =
  'It was good to see you all at the lake last week, the children still talk about the boat ' +
  'and ask when we will come again, so let us know which days in August would suit you best.'

const grown = `${NOTICE} ${LETTER.slice(0, NOTICE.length / 2)}`
const shifted = grown.slice(NOTICE.length / 2)
const changed = NOTICE.replace('Friday', 'Monday').replace('noon', 'ten')
const linked = `Order 9: ${NOTICE.replace('parcel', 'par\u200bcel')} https://example.org/b?c=d`

const CASES: Readonly<Record<string, readonly [texts: string[], clusters: number[]]>> = {
  'different messages are apart': [
    [NOTICE, LETTER],
    [0, 1],
  ],
  'copies differ in a word': [
    [NOTICE, LETTER, changed],
    [0, 1, 0],
  ],
  'copies differ in digits, links and invisible characters': [
    [NOTICE, linked],
    [0, 0],
  ],
  'chains of copies are followed': [
    [NOTICE, grown, shifted],
    [0, 0, 0],
  ],
  'a few words are no copy': [
    ['Thanks, see you there', 'Thanks, see you there'],
    [0, 1],
  ],
}

for (const [name, [texts, expected]] of Object.entries(CASES)) {
  it(`clusters: ${name}`, () => {
    assert.deepEqual([...clusters(texts.map(signatureOf))], expected)
  })
}
