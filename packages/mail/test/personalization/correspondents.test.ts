/** What it says for a message that its sender and the user know each other. */
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { Correspondence } from '../../personalization/correspondence.ts'
import { correspondentOf, type Tie } from '../../personalization/correspondents.ts'

const LETTER: Correspondence = { sender: 'bob@example.net', isShared: false, repliesTo: [] }

function logitOf(ties: readonly Tie[], result: 'pass' | 'fail' | 'unknown', of = LETTER) {
  return correspondentOf(new Set(ties), of, result)?.logit
}

describe('a correspondent', () => {
  const cases: [tie: Tie, pass: number, unknown: number][] = [
    ['written_to', -3, -1],
    ['reply', -3, -1],
    ['received', -1.5, -0.5],
  ]
  for (const [tie, pass, unknown] of cases) {
    it(`who is ${tie} counts in full with proof, a third where nothing is known, and not at all where checks fail`, () => {
      assert.equal(logitOf([tie], 'pass'), pass)
      assert.equal(logitOf([tie], 'unknown'), unknown)
      assert.equal(logitOf([tie], 'fail'), 0)
    })
  }

  it('counts once, by the strongest tie', () => {
    assert.deepEqual(
      correspondentOf(new Set<Tie>(['received', 'reply', 'written_to']), LETTER, 'pass'),
      {
        tie: 'written_to',
        authentication: 'pass',
        logit: -3,
      },
    )
    assert.equal(logitOf(['received', 'reply'], 'pass'), -3)
  })

  it('is nobody without a tie', () => {
    assert.equal(correspondentOf(new Set(), LETTER, 'pass'), undefined)
  })

  it('counts for nothing with an attachment that runs, and is held for a person if the user knows its authenticated sender by what the user did', () => {
    const program: Correspondence = { ...LETTER, unsafe: 'ATTACHMENT_DOUBLE_EXTENSION' }
    const found = {
      tie: 'written_to',
      unsafe: 'ATTACHMENT_DOUBLE_EXTENSION',
      logit: 0,
    }
    const ties = new Set<Tie>(['written_to'])
    const authenticated = { ...found, authentication: 'pass', isHeld: true }
    assert.deepEqual(correspondentOf(ties, program, 'pass'), authenticated)
    const received = { ...found, tie: 'received', authentication: 'pass' }
    assert.deepEqual(correspondentOf(new Set<Tie>(['received']), program, 'pass'), received)
    const unknown = { ...found, authentication: 'unknown' }
    assert.deepEqual(correspondentOf(ties, program, 'unknown'), unknown)
  })

  it('counts for nothing with what hides its content or was not read, and is not held for that', () => {
    for (const unsafe of ['ATTACHMENT_ENCRYPTED', 'ATTACHMENT_MACRO', 'UNREAD'] as const) {
      const found = correspondentOf(new Set<Tie>(['reply']), { ...LETTER, unsafe }, 'pass')
      assert.deepEqual([found?.logit, found?.isHeld], [0, undefined], unsafe)
    }
  })

  it('is nobody at an address from which many write, unless it replies', () => {
    const shared: Correspondence = { ...LETTER, isShared: true }
    assert.equal(logitOf(['written_to', 'received'], 'pass', shared), undefined)
    assert.equal(logitOf(['written_to', 'reply'], 'pass', shared), -3)
  })
})
