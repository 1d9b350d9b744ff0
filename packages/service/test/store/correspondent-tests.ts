/** What the store keeps of users' correspondents, and for how long, on whichever database. */
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { Store } from '../../store/store.ts'
import { CORRESPONDENTS_MAX } from '../../users/correspondent.ts'
import { correspondentKey, learned, written } from './samples.ts'

const DAY_MS = 24 * 60 * 60 * 1_000

const START = new Date('2026-11-01T12:00:00Z')

function after(days: number): Date {
  return new Date(START.getTime() + days * DAY_MS)
}

export function correspondentTests(open: (now?: () => Date) => Promise<Store>): void {
  const hear = (store: Store, days: number, name = 'shop') =>
    store.learnCorrespondents([learned('ann', 'received', name, after(days))])

  const listed = async (store: Store, userId = 'ann') =>
    (await store.correspondentsOf(userId)).map(({ kind, key, times }) => [
      kind,
      Buffer.from(key).toString().replaceAll('.', ''),
      times,
    ])

  describe('correspondents', () => {
    it('are kept once each, with how often they were learned, for their user alone', async () => {
      let now = START
      const store = await open(() => now)
      const sent = { kind: 'sent', key: correspondentKey('m1') } as const
      assert.equal(await store.addCorrespondents('ann', [written('bob'), sent]), 2)
      now = after(1)
      const twice = [written('bob'), written('bob'), written('cid')]
      assert.equal(await store.addCorrespondents('ann', twice), 1)
      assert.deepEqual(await store.correspondentsOf('ann'), [
        { kind: 'sent', key: correspondentKey('m1'), times: 1, firstAt: START, lastAt: START },
        { kind: 'written', key: correspondentKey('bob'), times: 3, firstAt: START, lastAt: now },
        { kind: 'written', key: correspondentKey('cid'), times: 1, firstAt: now, lastAt: now },
      ])
      assert.deepEqual(await store.correspondentsOf('eve'), [])
      const keys = ['bob', 'm1', 'other'].map(correspondentKey)
      assert.deepEqual((await store.correspondentKinds(keys)).toSorted(), ['sent', 'written'])
      assert.deepEqual(await store.correspondentKinds([correspondentKey('other')]), [])
    })

    it('are long received after three days with mail over two weeks, and count then', async () => {
      const store = await open()
      await hear(store, 0)
      await hear(store, 7)
      assert.deepEqual(await listed(store), [['received', 'shop', 2]])
      const kinds = () => store.correspondentKinds([correspondentKey('shop')])
      assert.deepEqual(await kinds(), [])
      // A day has one message.
      await hear(store, 7.5)
      await hear(store, 14)
      assert.deepEqual(await kinds(), ['received'])
      await hear(store, 20)
      assert.deepEqual(await listed(store), [['received', 'shop', 4]])
    })

    it('leave where they are too many, the oldest first, each kind by itself', async () => {
      let now = START
      const store = await open(() => now)
      await store.addCorrespondents('ann', [written('first')])
      await store.addCorrespondents('bob', [written('of bob')])
      await hear(store, 0)
      for (let from = 0; from < CORRESPONDENTS_MAX; from += 1_000) {
        now = after(1 + from / 1_000)
        const thousand = Array.from({ length: 1_000 }, (_, i) => written(`${from + i}`))
        await store.addCorrespondents('ann', thousand)
      }
      const names = new Set((await listed(store)).map(([kind, name]) => `${kind} ${name}`))
      assert.equal(names.size, CORRESPONDENTS_MAX + 1)
      assert.ok(!names.has('written first'))
      assert.ok(names.has('written 0') && names.has('written 4999') && names.has('received shop'))
      assert.deepEqual(await listed(store, 'bob'), [['written', 'of bob', 1]])
      // Who is written to again stays.
      now = after(10)
      await store.addCorrespondents('ann', [written('0'), written('next')])
      const then = new Set((await listed(store)).map(([, name]) => name))
      assert.ok(then.has('0') && then.has('next'))
      assert.equal(then.size, CORRESPONDENTS_MAX + 1)
    })

    it('are deleted with their user, but not with what is about classes alone', async () => {
      const store = await open()
      await store.addCorrespondents('ann', ['a', 'b'].map(written))
      await store.addCorrespondents('bob', [written('d')])
      assert.equal((await store.deleteUser('ann', 'tabs')).correspondents, 0)
      assert.equal((await listed(store)).length, 2)
      assert.equal((await store.deleteUser('ann', 'all')).correspondents, 2)
      assert.deepEqual(await listed(store), [])
      assert.equal((await listed(store, 'bob')).length, 1)
    })

    it('are not learned from mail of before the deletion, which was on its way to the store', async () => {
      const store = await open(() => START)
      await store.deleteUser('ann', 'all')
      const both = [
        learned('ann', 'written', 'before', after(-0.01)),
        learned('ann', 'written', 'after', after(0.01)),
        learned('bob', 'written', 'other', after(-0.01)),
      ]
      await store.learnCorrespondents(both)
      assert.deepEqual(await listed(store), [['written', 'after', 1]])
      // What the user states is no such mail.
      await store.addCorrespondents('ann', [written('stated')])
      assert.equal((await listed(store)).length, 2)
    })

    it('go when they were not renewed for long, new senders sooner', async () => {
      const store = await open()
      await hear(store, 0)
      for (const days of [0, 7, 14]) await hear(store, days, 'friend')
      const old = learned('ann', 'written', 'old', after(0))
      await store.learnCorrespondents([old, learned('ann', 'sent', 'new', after(15))])
      assert.equal(await store.expireCorrespondents(after(-1), after(10)), 1)
      assert.deepEqual(await listed(store), [
        ['received', 'friend', 3],
        ['sent', 'new', 1],
        ['written', 'old', 1],
      ])
      assert.equal(await store.expireCorrespondents(after(10), after(10)), 1)
      assert.equal((await listed(store)).length, 2)
    })
  })
}
