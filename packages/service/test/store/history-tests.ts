/** What the history of judged messages does, on whichever database. */
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { usersOf } from '../../access/namespace.ts'
import type { HistoryQuery } from '../../history/history-entry.ts'
import type { Store } from '../../store/store.ts'
import { correction, historyEntry, key } from './samples.ts'

const users = usersOf({})

const MINUTE_MS = 60_000
const NOON = Date.UTC(2026, 10, 23, 12)

function at(minutes: number): Date {
  return new Date(NOON + minutes * MINUTE_MS)
}

export function historyTests(open: (now?: () => Date) => Promise<Store>): void {
  describe('the history', () => {
    it('gives back all of an entry, and of one that has only what every message has', async () => {
      const store = await open()
      const whole = historyEntry({ judgedAt: at(0), bypassReason: 'user_rule' })
      const { messageId, sender, senderDomain, envelopeSender, userId, ...judged } = historyEntry({
        judgedAt: at(-1),
        reasons: [],
      })
      const { queueId, ...bare } = judged
      assert.equal(await store.addHistory([whole, bare]), 2)
      const found = await store.historyOf({ users }, 10)
      assert.deepEqual(
        found.map(({ place: _, ...entry }) => entry),
        [whole, bare],
      )
    })

    it('keeps a name that PostgreSQL cannot hold, and the null sender', async () => {
      const store = await open()
      await store.addHistory([historyEntry({ messageId: 'a\0\ud800', envelopeSender: '' })])
      const [entry] = await store.historyOf({ users, messageId: 'a\0\ud800' }, 10)
      assert.equal(entry?.messageId, 'a\ufffd\ufffd')
      assert.equal(entry.envelopeSender, '')
    })

    const searches: Readonly<Record<string, [Partial<HistoryQuery>, found: string[]]>> = {
      everything: [{}, ['d', 'c', 'b', 'a']],
      'a Message-ID': [{ messageId: 'b' }, ['b']],
      'a recipient': [{ userId: 'bob' }, ['c', 'b']],
      'a queue id': [{ queueId: '4F00' }, ['d', 'b']],
      'a recipient by case': [{ userId: 'Bob' }, []],
      spam: [{ isSpam: true }, ['d', 'b']],
      ham: [{ isSpam: false }, ['c', 'a']],
      'what a person should look at': [{ shouldEscalate: true }, ['c']],
      'all at once': [{ userId: 'bob', isSpam: true, queueId: '4F00' }, ['b']],
    }

    for (const [what, [query, found]] of Object.entries(searches)) {
      it(`is searched for ${what}, newest first`, async () => {
        const store = await open()
        await store.addHistory([
          historyEntry({
            ...{ messageId: 'a', judgedAt: at(1), isSpam: false, userId: 'ann', queueId: '4F01' },
          }),
          historyEntry({
            ...{ messageId: 'b', judgedAt: at(2), isSpam: true, userId: 'bob' },
          }),
          historyEntry({
            ...{ messageId: 'c', judgedAt: at(3), isSpam: false, userId: 'bob' },
            queueId: '4F02',
            shouldEscalate: true,
          }),
          historyEntry({
            ...{ messageId: 'd', judgedAt: at(4), isSpam: true, userId: 'ann' },
          }),
        ])
        const entries = await store.historyOf({ users, ...query }, 10)
        assert.deepEqual(
          entries.map(({ messageId }) => messageId),
          found,
        )
      })
    }

    it('goes on from a place, also among entries of one moment', async () => {
      const store = await open()
      const ids = ['a', 'b', 'c', 'd', 'e']
      await store.addHistory(ids.map((messageId) => historyEntry({ messageId, judgedAt: at(0) })))
      const seen: (string | undefined)[] = []
      let page = await store.historyOf({ users }, 2)
      while (page.length > 0) {
        seen.push(...page.map(({ messageId }) => messageId))
        page = await store.historyOf({ users, after: page.at(-1)!.place }, 2)
      }
      assert.deepEqual(seen, ids.toReversed())
    })

    it('gives for review what is escalated, in pages, until its user has corrected it', async () => {
      const store = await open()
      const held = { shouldEscalate: true }
      await store.addHistory([
        historyEntry({ messageId: 'a', judgedAt: at(1), ...held, messageKey: key('m1') }),
        historyEntry({
          messageId: 'b',
          judgedAt: at(2),
          shouldEscalate: true,
          messageKey: key('m2'),
        }),
        historyEntry({ messageId: 'c', judgedAt: at(3) }),
        historyEntry({
          messageId: 'd',
          judgedAt: at(4),
          ...held,
          messageKey: key('m1'),
          userId: 'bob',
        }),
      ])
      const wanted = async (query: Partial<HistoryQuery> = {}, limit = 10) =>
        await store.historyOf({ users, needsReview: true, ...query }, limit)
      const names = (entries: { readonly messageId?: string }[]) =>
        entries.map(({ messageId }) => messageId)
      assert.deepEqual(names(await wanted()), ['d', 'b', 'a'])
      const [first] = await wanted({}, 1)
      assert.deepEqual(names(await wanted({ after: first!.place })), ['b', 'a'])
      const recorded = await store.recordCorrection(correction({ messageKey: key('m1') }))
      assert.deepEqual(names(await wanted()), ['d', 'b'])
      await store.endCorrection(recorded.feedbackId)
      assert.deepEqual(names(await wanted()), ['d', 'b', 'a'])
    })

    it('loses what is too old, in as many steps as it takes', async () => {
      const store = await open()
      const old = Array.from({ length: 1_100 }, () => historyEntry({ judgedAt: at(-1) }))
      await store.addHistory([...old, historyEntry({ judgedAt: at(0) })])
      const removed: number[] = []
      while (removed.at(-1) !== 0) removed.push(await store.expireHistory(at(0)))
      assert.deepEqual(removed, [500, 500, 100, 0])
      assert.deepEqual(await store.historyReaches(1), at(0))
      assert.equal(await store.historyReaches(2), undefined)
      assert.equal((await store.historyOf({ users }, 10)).length, 1)
    })

    it('forgets a user with the rest, and nobody else', async () => {
      const store = await open()
      const ofAnn = Array.from({ length: 600 }, () => historyEntry())
      await store.addHistory([...ofAnn, historyEntry({ userId: 'bob' })])
      assert.equal((await store.deleteUser('ann', 'tabs')).history, 0)
      assert.equal((await store.deleteUser('ann', 'all')).history, 600)
      const left = await store.historyOf({ users }, 10)
      assert.deepEqual(
        left.map(({ userId }) => userId),
        ['bob'],
      )
    })

    it('keeps nothing of a user that was judged before they were deleted, or by a clock that is a minute ahead', async () => {
      const store = await open(() => at(0))
      await store.deleteUser('ann', 'all')
      const kept = await store.addHistory([
        historyEntry({ judgedAt: at(-5) }),
        historyEntry({ judgedAt: at(1) }),
        historyEntry({ judgedAt: at(-5), userId: 'bob' }),
        historyEntry({ judgedAt: new Date(NOON + MINUTE_MS + 1), messageId: 'later' }),
      ])
      assert.equal(kept, 2)
      assert.deepEqual(
        (await store.historyOf({ users }, 10)).map(({ userId, messageId }) => [userId, messageId]),
        [
          ['ann', 'later'],
          ['bob', 'm1@example.com'],
        ],
      )
    })
  })
}
