import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { DeadlyMessages, nameOf } from '../../admission/deadly-messages.ts'
import { siblings } from '../helpers/siblings.ts'

const HEADER = Buffer.from('Subject: a\r\n\r\n')

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

  it('are told apart by their length and their header', () => {
    const name = nameOf(100, HEADER)
    assert.equal(nameOf(100, Buffer.from(HEADER)), name)
    assert.notEqual(nameOf(101, HEADER), name)
    assert.notEqual(nameOf(100, Buffer.from('Subject: b\r\n\r\n')), name)
  })
})
