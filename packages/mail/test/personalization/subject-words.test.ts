import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { firstWords } from '../../personalization/message-identity.ts'

describe('the first words of a subject', () => {
  it('are at most eight', () => {
    assert.equal(
      firstWords('one two three four five six seven eight nine'),
      'one two three four five six seven eight',
    )
  })

  it('are at most sixty characters, counted as code points', () => {
    assert.equal([...firstWords(`${'𝒂'.repeat(70)} end`)].length, 60)
    assert.equal(firstWords(`${'a'.repeat(59)} end`), 'a'.repeat(59))
  })

  it('have one blank between each two, and no control or format characters', () => {
    assert.equal(firstWords(' Re:\u00a0 Fro\u202est\r\n\tin\u200b May\u0000'), 'Re: Frost in May')
  })

  it('are none of a subject without any', () => {
    assert.equal(firstWords(' \u202e\t'), '')
  })
})
