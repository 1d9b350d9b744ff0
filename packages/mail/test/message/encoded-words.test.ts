import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { decodeHeaderText } from '../../message/encoded-words.ts'
import { ENCODED_WORDS_MAX } from '../../message/limits.ts'
import { readRows } from '../helpers/rows.ts'

describe('decodeHeaderText', () => {
  for (const [name, raw, expected] of readRows('mail/test/message/encoded-words.cases')) {
    it(name!, () => assert.equal(decodeHeaderText(raw!), expected))
  }

  it('decodes as many words as may be and leaves the rest', () => {
    const within = Array(ENCODED_WORDS_MAX).fill('=?utf-8?Q?a?=').join(' ')
    assert.equal(decodeHeaderText(within), 'a'.repeat(ENCODED_WORDS_MAX))
    assert.equal(
      decodeHeaderText(`${within} =?utf-8?Q?b?=`),
      `${'a'.repeat(ENCODED_WORDS_MAX)} =?utf-8?Q?b?=`,
    )
  })
})
