/** Which users the store lists, on whichever database. */
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { wordsOf } from '../../../../test/words.ts'
import { usersOf } from '../../access/namespace.ts'
import type { Store } from '../../store/store.ts'
import type { UserSearch } from '../../users/user-list.ts'
import { correction, key, rule, withdrawal } from './samples.ts'

const ALL: UserSearch = { users: { from: '' }, limit: 10, kinds: ['spam', 'tabs'] }

export function userListTests(open: (now?: () => Date) => Promise<Store>): void {
  const idsOf = async (store: Store, search: Partial<UserSearch>) => {
    const found = await store.usersOf({ ...ALL, limit: 100, ...search })
    return found.map(({ userId }) => userId)
  }

  describe('the list of users', () => {
    it('has what each has of rules and corrections, and when they corrected last', async () => {
      let now = new Date('2026-11-20T12:00:00Z')
      const store = await open(() => now)
      await store.recordCorrection(correction({ userId: 'ann', messageKey: key('m1') }))
      await store.recordCorrection(correction({ userId: 'ann', messageKey: key('m2') }))
      await store.recordCorrection(correction({ userId: 'ann', kind: 'tabs', label: 'updates' }))
      await store.addRule(rule({ userId: 'ann' }))
      now = new Date('2026-11-21T12:00:00Z')
      await store.addRule(rule({ userId: 'bob', pattern: 'a@b' }))
      await store.addRule(rule({ userId: 'bob', pattern: 'c@d', kind: 'tabs', label: 'updates' }))
      const { feedbackId } = await store.recordCorrection(
        correction({ userId: 'ann', messageKey: key('m3') }),
      )
      await store.endCorrection(feedbackId)
      const lastCorrection = new Date('2026-11-20T12:00:00Z')
      assert.deepEqual(await store.usersOf(ALL), [
        { userId: 'ann', rules: 1, corrections: 3, lastCorrection, correspondents: 0 },
        { userId: 'bob', rules: 2, corrections: 0, correspondents: 0 },
      ])
      assert.deepEqual(await store.usersOf({ ...ALL, kinds: ['tabs'] }), [
        { userId: 'ann', rules: 0, corrections: 1, lastCorrection, correspondents: 0 },
        { userId: 'bob', rules: 1, corrections: 0, correspondents: 0 },
      ])
    })

    it('has users of whom only what they withdrew is stored, until they are deleted', async () => {
      const store = await open()
      await store.withdrawCorrection(withdrawal({ userId: 'ann' }))
      const [ann] = await store.usersOf(ALL)
      assert.deepEqual(ann, { userId: 'ann', rules: 0, corrections: 0, correspondents: 0 })
      await store.deleteUser('ann', 'all')
      assert.deepEqual(await idsOf(store, {}), [])
    })

    const users = wordsOf(`
      Ann a_n ann ann% ann@b.example anna bo zoë ｚ 😀a 😀b
    `)

    const searches: Readonly<Record<string, [Partial<UserSearch>, found: string[]]>> = {
      everybody: [{}, users],
      'a prefix': [{ users: usersOf({}, 'ann') }, ['ann', 'ann%', 'ann@b.example', 'anna']],
      'a whole id': [{ users: usersOf({}, 'ann@b.example') }, ['ann@b.example']],
      'one case': [{ users: usersOf({}, 'A') }, ['Ann']],
      'a per cent sign, which stands for itself': [{ users: usersOf({}, 'ann%') }, ['ann%']],
      'an underline, which stands for itself': [{ users: usersOf({}, 'a_') }, ['a_n']],
      'what nobody is called': [{ users: usersOf({}, 'b%') }, []],
      'what is after everybody': [{ users: usersOf({}, '\u{10ffff}') }, []],
      'characters beyond the first 65,536': [{ users: usersOf({}, '😀') }, ['😀a', '😀b']],
      'the first few': [{ limit: 2 }, ['Ann', 'a_n']],
      'those after one': [{ after: 'ann@b.example', limit: 2 }, ['anna', 'bo']],
      'those of a prefix, after one before it': [
        { users: usersOf({}, 'ann@'), after: 'a' },
        ['ann@b.example'],
      ],
      'those of a prefix after one': [
        { users: usersOf({}, 'ann'), after: 'ann%' },
        ['ann@b.example', 'anna'],
      ],
      'those after one who has left': [
        { users: usersOf({}, 'ann'), after: 'ann5' },
        ['ann@b.example', 'anna'],
      ],
      'those after the last': [{ after: '😀b' }, []],
    }

    it('is searched by the beginning of ids, and goes on after any of them', async () => {
      const store = await open()
      // Whoever has a rule, or a correction, or both.
      for (const [i, userId] of users.entries()) {
        if (i % 3 !== 0) await store.addRule(rule({ userId }))
        if (i % 3 !== 1) await store.recordCorrection(correction({ userId }))
      }
      for (const [what, [search, found]] of Object.entries(searches)) {
        assert.deepEqual(await idsOf(store, search), found, what)
      }
    })
  })
}
