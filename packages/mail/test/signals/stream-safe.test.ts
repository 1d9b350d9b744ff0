import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { streamSafe } from '../../signals/characters.ts'

describe('streamSafe', () => {
  const LANGUAGES = 'Grüße e\u0301te\u0301 สวัสดีครับผู้มีอุปการคุณทุกท่าน हिन्दी में लिखा ｶﾞｷﾞﾊﾟ'
  it('leaves text of any language as it is', () => {
    for (const text of ['', LANGUAGES, '👩‍👩‍👧‍👦'.repeat(20)]) assert.equal(streamSafe(text), text)
  })
  it('keeps thirty marks of a run, wherever it begins, and of letters that become marks', () => {
    for (const mark of ['\u0301', '\u{1d165}', '\uff9e']) {
      for (let before = 0; before < 20; before++) {
        const kept = `${'a'.repeat(before)}${mark.repeat(30)}`
        assert.equal(streamSafe(`${kept}b`), `${kept}b`)
        assert.equal(streamSafe(`${kept}${mark}b`), `${kept}b`)
      }
    }
  })
})
