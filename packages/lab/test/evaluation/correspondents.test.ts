/** The simulated household: who is known when, and that a thief's programs gain nothing. */
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { type Ham, liveThrough } from '../../evaluation/correspondents/household.ts'

const LETTER: Ham = { beyond: -5, isPersonal: true }

/** Of a message that is lost unless the sender is known, without any check. */
const DOUBTFUL: Ham = { beyond: 0.4, isPersonal: true }

function mail(count: number, message: Ham): Ham[] {
  return Array.from({ length: count }, () => message)
}

describe('a simulated household', () => {
  it('lives alike with the same seed, and differently with another', () => {
    const all = [...mail(300, LETTER), ...mail(100, DOUBTFUL)]
    assert.deepEqual(liveThrough(all, 1, true), liveThrough(all, 1, true))
    assert.notDeepEqual(liveThrough(all, 1, true), liveThrough(all, 2, true))
  })

  it('loses nothing with correspondents that it does not lose without', () => {
    const judged = liveThrough([...mail(300, LETTER), ...mail(100, DOUBTFUL)], 1, false)
    assert.ok(judged.every(({ lostBefore, lostAfter }) => lostBefore || !lostAfter))
    assert.ok(judged.some(({ lostBefore, lostAfter }) => lostBefore && !lostAfter))
  })

  it('does not get to know a stranger by mail that was lost', () => {
    const lost = liveThrough(mail(500, { beyond: 20, isPersonal: false }), 1, true)
    assert.ok(lost.every(({ relation }) => relation === 'stranger' || relation === 'reply'))
  })

  it('knows programs by what it has long received, where senders are checked', () => {
    const tiesOf = (isChecked: boolean) =>
      new Set(
        liveThrough(mail(2_000, { beyond: -5, isPersonal: false }), 1, isChecked).map(
          ({ relation }) => relation,
        ),
      )
    assert.ok(tiesOf(true).has('received'))
    assert.ok(!tiesOf(false).has('received'))
  })

  it('gives a message with a program nothing', () => {
    const program: Ham = { ...DOUBTFUL, unsafe: 'ATTACHMENT_EXECUTABLE' }
    const judged = liveThrough([...mail(300, LETTER), ...mail(100, program)], 1, true)
    assert.equal(judged.filter(({ lostAfter }) => lostAfter).length, 100)
  })
})
