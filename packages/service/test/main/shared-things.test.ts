import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { SharedThings } from '../../main/shared-things.ts'

describe('memory that threads share', () => {
  it('is made by the first that asks, for which others wait, and given back by the last', async () => {
    const things = new SharedThings(() => {})
    const [one, other] = [{}, {}]
    const [ann, bob] = [things.callsOf(one), things.callsOf(other)]
    assert.equal(await ann.takeMemory('feed'), undefined)
    const waiting = bob.takeMemory('feed')
    const memory = new SharedArrayBuffer(8)
    ann.giveMemory('feed', memory)
    assert.equal(await waiting, memory)
    ann.dropMemory('feed')
    assert.equal(await ann.takeMemory('feed'), memory)
    things.forget(one)
    bob.dropMemory('feed')
    assert.equal(await bob.takeMemory('feed'), undefined, 'it is to be made again')
  })

  it('is made by the next where the first cannot or ends', async () => {
    const things = new SharedThings(() => {})
    const users = [{}, {}, {}]
    const [ann, bob, cid] = users.map((user) => things.callsOf(user))
    await ann!.takeMemory('feed')
    const waiting = [bob!.takeMemory('feed'), cid!.takeMemory('feed')]
    ann!.failMemory('feed')
    assert.equal(await waiting[0], undefined)
    things.forget(users[1]!)
    assert.equal(await waiting[1], undefined)
  })
})
