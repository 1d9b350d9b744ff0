import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { DeadlyMessages } from '../../admission/deadly-messages.ts'
import { siblings } from '../helpers/siblings.ts'

describe('DeadlyMessages', () => {
  it('are known to each process of the service, whichever met them', () => {
    const [first, second, third] = siblings(3).map((each) => new DeadlyMessages(each))
    second!.add('a')
    assert.deepEqual([first!.has('a'), second!.has('a'), third!.has('a')], [true, true, true])
    assert.equal(first!.has('b'), false)
  })

  it('are the last thousand, in each process', () => {
    const [first, second] = siblings(2).map((each) => new DeadlyMessages(each))
    for (let i = 0; i < 1_000; i++) first!.add(`${i}`)
    second!.add('0')
    second!.add('1000')
    for (const each of [first!, second!]) {
      assert.deepEqual([each.has('0'), each.has('1'), each.has('2')], [true, false, true])
    }
  })
})
