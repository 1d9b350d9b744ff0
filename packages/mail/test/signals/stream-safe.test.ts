import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { streamSafe } from '../../signals/characters.ts'

describe('streamSafe', () => {
  it('leaves text of any language as it is', () => {
    for (const text of [
      '',
      'Grüße',
      'e\u0301te\u0301',
      'สวัสดีครับผู้มีอุปการคุณทุกท่าน',
      'हिन्दी में लिखा',
      '👩‍👩‍👧‍👦'.repeat(20),
    ]) {
      assert.equal(streamSafe(text), text)
    }
  })

  it('keeps thirty marks of a run, wherever it begins', () => {
    for (let before = 0; before < 20; before++) {
      const letters = 'a'.repeat(before)
      assert.equal(
        streamSafe(`${letters}${'\u0301'.repeat(31)}b`),
        `${letters}${'\u0301'.repeat(30)}b`,
      )
      assert.equal(
        streamSafe(`${letters}${'\u0301'.repeat(30)}b`),
        `${letters}${'\u0301'.repeat(30)}b`,
      )
    }
  })

  it('counts marks beyond the first plane', () => {
    assert.equal(streamSafe('\u{1d165}'.repeat(40)), '\u{1d165}'.repeat(30))
  })

  it('counts letters that become marks', () => {
    assert.equal(streamSafe('\uff9e'.repeat(40)), '\uff9e'.repeat(30))
    assert.equal(streamSafe('ｶﾞｷﾞﾊﾟ'), 'ｶﾞｷﾞﾊﾟ')
  })
})
