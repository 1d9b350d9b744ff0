/** The check of `tamis learn`: how sorted mail is halved, and from when on learning counts as harm. */
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { type HeldOut, halfOf, isHarmful, refuseHarm } from '../../cli/held-out.ts'

const from = (sender: string, text: string) =>
  Buffer.from(`From: ${sender}\r\nSubject: ${text}\r\n\r\n${text}\r\n`)

describe('the half of a message', () => {
  it('is that of all mail of its domain, below the public suffix', () => {
    const half = halfOf(from('ann@example.com', 'Lake'))
    assert.equal(halfOf(from('Bo <bo@mail.example.com>', 'Mountain')), half)
    assert.equal(halfOf(from('ann@example.com', 'Lake')), half)
  })

  it('is each for some domains, and for some messages without a sender', () => {
    const numbers = Array.from({ length: 40 }, (_, i) => i)
    const halvesOf = (messages: Buffer[]) => new Set(messages.map(halfOf)).size
    assert.equal(halvesOf(numbers.map((i) => from(`a@n${i}.example`, 'Lake'))), 2)
    assert.equal(halvesOf(numbers.map((i) => Buffer.from(`Subject: ${i}\r\n\r\nLake\r\n`))), 2)
  })
})

describe('learning is harm', () => {
  const found = (untaught: number, taught: number, of: number): HeldOut => ({
    spam: { of: of / 2, untaught, taught },
    ham: { of: of / 2, untaught: 0, taught: 0 },
  })

  it('from two further errors in forty messages on, one of which is chance', () => {
    assert.equal(isHarmful(found(3, 4, 40)), false)
    assert.equal(isHarmful(found(3, 5, 40)), true)
  })

  it('not where there are too few messages to tell', () => {
    assert.equal(isHarmful(found(0, 19, 38)), false)
  })

  it('and then it is refused with the figures', () => {
    const harm: HeldOut = {
      spam: { of: 212, untaught: 8, taught: 25 },
      ham: { of: 164, untaught: 1, taught: 0 },
    }
    assert.throws(() => refuseHarm(harm), {
      code: 'LEARNING_HARMS',
      message: /spam missed 8 -> 25 of 212, ham lost 1 -> 0 of 164\. Nothing was recorded/,
    })
    assert.doesNotThrow(() => refuseHarm(found(5, 1, 200)))
  })
})
