/** What the fuzzer has found, each in the least message that shows it, written anew. */
import assert from 'node:assert/strict'
import { before, describe, it } from 'node:test'
import { type Judge, openJudge, readBytes } from './readings.ts'

describe('found by the fuzzer', () => {
  let judge: Judge

  before(async () => {
    judge = await openJudge()
  })

  // A run of UTF-7 may hold one half of a surrogate pair, which is no character.
  it('half a character in UTF-7 is read as an error character', () => {
    const reading = readBytes(judge, Buffer.from('Subject: =?utf-7?Q?+2AA-?=\n\nHello\n'))
    assert.equal(reading?.diagnostic.email.subject, '\ufffd')
  })

  // A feature of two letters may be cut out of the middle of an emoji.
  it('a feature that begins in the middle of an emoji has a name in Unicode', () => {
    const reading = readBytes(judge, Buffer.from('Subject: 里👨👩里\n\n里👨👩里\n'))
    const names = Object.keys(reading?.diagnostic.models.text?.inputs ?? {})
    assert.ok(names.length > 0)
    assert.deepEqual(
      names.filter((name) => !name.isWellFormed()),
      [],
    )
  })

  // A long run of emoji is a word, of which a stretch begins and ends within one.
  it('an input of the text model says its text in Unicode', () => {
    const reading = readBytes(judge, Buffer.from(`Subject: a\n\n里${'😀'.repeat(2_100)}\n`))
    const texts = Object.keys(reading?.diagnostic.models.text?.inputs ?? {})
    assert.ok(texts.some((text) => text.includes('😀')))
    assert.ok(texts.every((text) => text.isWellFormed()))
  })

  // The name of a mailer is cut to 200 characters, which may be in the middle of an emoji.
  it('evidence that was cut in the middle of an emoji is Unicode', () => {
    for (const length of [198, 199, 200]) {
      const reading = readBytes(
        judge,
        Buffer.from(`User-Agent: ${'a'.repeat(length)}👨\n\nHello\n`),
      )
      const evidence =
        reading?.analysis.detail?.signals.map((signal) => signal.evidence ?? '') ?? []
      assert.ok(evidence.some((each) => each.startsWith('aaa')))
      assert.ok(evidence.every((each) => each.isWellFormed()))
    }
  })
})
