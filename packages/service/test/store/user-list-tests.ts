/** Which users the store lists, on whichever database. */
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { wordsOf } from '../../../../test/words.ts'
import type { Store } from '../../store/store.ts'
import type { UserSearch } from '../../users/user-list.ts'
import { correction, key, rule, withdrawal } from './samples.ts'

const NOTHING = { rules: 0, corrections: 0 }

export function userListTests(open: (now?: () => Date) => Promise<Store>): void {
  const idsOf = async (store: Store, search: Partial<UserSearch>) => {
    const found = await store.usersOf({ from: '', startsWith: '', limit: 100, ...search })
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
      assert.deepEqual(await store.usersOf({ from: '', startsWith: '', limit: 10 }), [
        {
          userId: 'ann',
          correspondents: 0,
          stored: {
            spam: { rules: 1, corrections: 2, lastCorrection },
            tabs: { rules: 0, corrections: 1, lastCorrection },
          },
        },
        {
          userId: 'bob',
          correspondents: 0,
          stored: { spam: { rules: 1, corrections: 0 }, tabs: { rules: 1, corrections: 0 } },
        },
      ])
    })

    it('has users of whom only what they withdrew is stored, until they are deleted', async () => {
      const store = await open()
      await store.withdrawCorrection(withdrawal({ userId: 'ann' }))
      const [ann] = await store.usersOf({ from: '', startsWith: '', limit: 10 })
      assert.deepEqual(ann, {
        userId: 'ann',
        correspondents: 0,
        stored: { spam: NOTHING, tabs: NOTHING },
      })
      await store.deleteUser('ann', 'all')
      assert.deepEqual(await idsOf(store, {}), [])
    })

    const users = wordsOf(`
      Ann a_n ann ann% ann@b.example anna bo zoë ｚ 😀a 😀b
    `)

    const searches: Readonly<Record<string, [Partial<UserSearch>, found: string[]]>> = {
      everybody: [{}, users],
      'a prefix': [{ startsWith: 'ann' }, ['ann', 'ann%', 'ann@b.example', 'anna']],
      'a whole id': [{ startsWith: 'ann@b.example' }, ['ann@b.example']],
      'one case': [{ startsWith: 'A' }, ['Ann']],
      'a per cent sign, which stands for itself': [{ startsWith: 'ann%' }, ['ann%']],
      'an underline, which stands for itself': [{ startsWith: 'a_' }, ['a_n']],
      'what nobody is called': [{ startsWith: 'b%' }, []],
      'what is after everybody': [{ startsWith: '\u{10ffff}' }, []],
      'characters beyond the first 65,536': [{ startsWith: '😀' }, ['😀a', '😀b']],
      'the first few': [{ limit: 2 }, ['Ann', 'a_n']],
      'those after one': [{ after: 'ann@b.example', limit: 2 }, ['anna', 'bo']],
      'those of a prefix after one': [
        { startsWith: 'ann', after: 'ann%' },
        ['ann@b.example', 'anna'],
      ],
      'those after one who has left': [
        { startsWith: 'ann', after: 'ann5' },
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
