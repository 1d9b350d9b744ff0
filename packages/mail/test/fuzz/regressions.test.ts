/** What the fuzzer has found, each in the least message that shows it, written anew: texts that were no Unicode. */
import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { diceOf } from './dice.ts'
import { Examiner } from './message-properties.ts'
import { openJudge } from './readings.ts'

const FOUND: Readonly<Record<string, string>> = {
  'a run of UTF-7 that holds half of a surrogate pair': 'Subject: =?utf-7?Q?+2AA-?=\n\nHello\n',
  'a feature of two letters that begins in the middle of an emoji':
    'Subject: 里👨👩里\n\n里👨👩里\n',
  'a stretch that begins and ends within a word of emoji': `Subject: a\n\n里${'😀'.repeat(2_100)}\n`,
  'evidence cut in the middle of an emoji': `User-Agent: ${'a'.repeat(199)}👨\n\nHello\n`,
  'evidence cut behind an emoji': `User-Agent: ${'a'.repeat(198)}👨\n\nHello\n`,
}

describe('found by the fuzzer', () => {
  let examiner: Examiner

  before(async () => {
    examiner = new Examiner(await openJudge())
  })
  after(() => examiner.close())

  for (const [name, source] of Object.entries(FOUND)) {
    it(name, () => assert.equal(examiner.examine(Buffer.from(source), diceOf(1, 1)), undefined))
  }
})
