import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { streamSafe } from '../../signals/stream-safe.ts'
import { inCpuMs } from '../helpers/cpu-time.ts'

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

  it('makes a normalisation take time by length', () => {
    const marks = '\u0315\u0300\u05ae\u0301'.repeat(50_000)
    inCpuMs(100, () => streamSafe(marks).normalize('NFKC'))
  })
})
