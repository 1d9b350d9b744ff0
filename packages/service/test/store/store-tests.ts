/**
 * What the store does, on whichever database: sqlite.test.ts and postgres.system.test.ts run all of it.
 */
import assert from 'node:assert/strict'
import { after, before, describe, it, type TestContext } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { eventually } from '../../../../test/eventually.ts'
import { wordsOf } from '../../../../test/words.ts'
import type { ApiKey } from '../../access/caller.ts'
import type { Change } from '../../store/changes.ts'
import type { Store } from '../../store/store.ts'
import { userKeyOf } from '../../users/message-keys.ts'
import { correspondentTests } from './correspondent-tests.ts'
import { historyTests } from './history-tests.ts'
import { correction, historyEntry, key, model, rule, withdrawal } from './samples.ts'
import { userListTests } from './user-list-tests.ts'

export interface TestDatabase {
  /** Opens a store on it, as a thread of one process does, or another process: the first call makes the tables. */
  open(now?: () => Date, where?: 'another process'): Promise<Store>
  /** Empties all tables, as they are after opening. */
  wipe(): Promise<void>
  /** Runs a statement beside the store. */
  run(statement: string): Promise<unknown>
  /** All rows of a table, as they are stored. */
  rowsOf(table: string): Promise<Readonly<Record<string, unknown>>[]>
}

/** Makes an empty database. What it and its stores hold is given back by what `onEnd` is given. */
export type MakeDatabase = (
  onEnd: (clean: () => Promise<unknown>) => unknown,
) => Promise<TestDatabase>

/** All but the secret of the installation. */
export const TABLES = wordsOf(`
  api_keys rules corrections changes jobs learning tombstones model_versions operator_rules
  history correspondents
`)

const DAY_MS = 24 * 60 * 60 * 1_000

/** Longest wait for word from another store. */
const NOTICE_MS = 1_000

/** Longer than from one look to the next on SQLite, and than a notice takes on PostgreSQL. */
const LOOKS_MS = 600

export function storeTests(name: string, makeDatabase: MakeDatabase, skip?: string): void {
  describe(`${name}: store`, { skip: skip ?? false }, () => {
    const realTime = () => new Date()
    let clock = realTime
    let database: TestDatabase
    let store: Store
    let another: Store

    const cleanings: (() => Promise<unknown>)[] = []

    before(async () => {
      database = await makeDatabase((clean) => cleanings.unshift(clean))
      store = await database.open(() => clock())
      another = await database.open(() => clock())
    })
    after(async () => {
      for (const clean of cleanings) await clean()
    })

    /** The store that all tests share, as if it had just been made. */
    const open = async (now = realTime): Promise<Store> => {
      await database.wipe()
      clock = now
      return store
    }

    /** The same, and another on the same database. */
    const openTwo = async (now = realTime) => [await open(now), another] as const

    /** A database of the test's own. */
    const separate = (t: TestContext) => makeDatabase((clean) => t.after(clean))

    describe('opening', () => {
      it('makes the tables once, and one secret, when four open an empty database at once', async (t) => {
        const own = await separate(t)
        const stores = await Promise.all([own.open(), own.open(), own.open(), own.open()])
        assert.equal(stores[0].secret.length, 32)
        for (const { secret } of stores) assert.deepEqual(secret, stores[0].secret)
      })

      it('keeps what was written for the next to open', async (t) => {
        const own = await separate(t)
        const first = await own.open()
        await first.recordCorrection(correction())
        await first.close()
        const second = await own.open(undefined, 'another process')
        assert.deepEqual(second.secret, first.secret)
        assert.deepEqual(first.place, { ...second.place, isNew: true })
        assert.equal(second.place.isNew, false)
        assert.equal((await second.userProfile('ann', 10)).spam.length, 1)
      })
    })

    describe('keys', () => {
      const hash = key('hash of a key')
      const newKey = {
        name: 'mail server',
        hash,
        scopes: ['classify', 'feedback'],
        entitlements: ['spam'],
        requestsPerMinuteMax: 600,
      }

      it('are there until they are revoked', async () => {
        const store = await open()
        const id = await store.addKey(newKey)
        const [{ createdAt, ...found }] = (await store.keys()) as [ApiKey]
        assert.deepEqual(found, { id, ...newKey })
        assert.ok(Date.now() - createdAt.getTime() < 60_000)
        assert.equal(await store.revokeKey(id), true)
        assert.equal(await store.revokeKey(id), false)
        assert.deepEqual(await store.keys(), [])
      })

      it('needs none any more when they are waived, until the next one', async () => {
        const store = await open()
        assert.equal(await store.waiveKeys(), true)
        const ids = [
          await store.addKey({ ...newKey, hash: key('1') }),
          await store.addKey({ ...newKey, hash: key('2'), namespace: 'other' }),
        ]
        assert.equal(await store.waiveKeys(), false)
        await store.revokeKey(ids[0]!)
        assert.equal(await store.waiveKeys(), false)
        assert.equal(await store.keysNeeded(), true)
        assert.equal((await store.keys())[0]?.namespace, 'other')
        await store.revokeKey(ids[1]!)
        assert.equal(await store.waiveKeys(), true)
        assert.equal(await store.keysNeeded(), false)
        await store.addKey(newKey)
        assert.equal(await store.keysNeeded(), true)
      })
    })

    describe('rules', () => {
      it('are there as they were given, newest first', async () => {
        const store = await open()
        const verified = rule({
          pattern: 'a@b',
          label: 'ham',
          authenticatedDomain: 'b',
          messageKey: key('m1'),
        })
        await store.addRule(verified)
        await store.addRule(
          rule({ kind: 'tabs', ruleType: 'List', label: 'updates', unverified: true }),
        )
        const [second, first] = (await store.userProfile('ann', 10)).rules
        const { id, createdAt, ...fields } = first!
        assert.deepEqual(fields, verified)
        assert.match(id, /^[0-9a-f-]{36}$/)
        assert.ok(createdAt instanceof Date)
        assert.equal(second!.unverified, true)
        assert.equal('authenticatedDomain' in second!, false)
        assert.equal('messageKey' in second!, false)
      })

      it('with another label take the place of the first', async () => {
        const store = await open()
        await store.addRule(rule({ label: 'spam' }))
        assert.equal((await store.addRule(rule({ label: 'ham' }))).created, true)
        assert.deepEqual(
          (await store.userProfile('ann', 10)).rules.map(({ label }) => label),
          ['ham'],
        )
      })

      it('from a message that was authenticated take the place of those that were not', async () => {
        const store = await open()
        const verified = rule({ unverified: false, authenticatedDomain: 'example.com' })
        const unverified = rule({ unverified: true })
        await store.addRule(unverified)
        assert.equal((await store.addRule(verified)).created, true)
        assert.equal((await store.addRule(unverified)).created, false)
        const [only, ...others] = (await store.userProfile('ann', 10)).rules
        assert.equal(only?.authenticatedDomain, 'example.com')
        assert.deepEqual(others, [])
      })

      it('are at most 2,000 of a kind', async () => {
        const store = await open()
        // No more at once than may wait for the store.
        for (let batch = 0; batch < 4; batch++) {
          const made = Array.from({ length: 500 }, (_, i) =>
            store.addRule(rule({ pattern: `shop-${500 * batch + i}@example.com` })),
          )
          await Promise.all(made)
        }
        await assert.rejects(store.addRule(rule()), { code: 'RULES_FULL' })
        assert.equal((await store.addRule(rule({ kind: 'tabs', label: 'updates' }))).created, true)
        const changed = rule({ pattern: 'shop-1@example.com', label: 'ham' })
        assert.equal((await store.addRule(changed)).created, true)
      })

      it('are removed by their name, and only of their kind', async () => {
        const store = await open()
        await store.addRule(rule())
        await store.addRule(rule({ kind: 'tabs', label: 'updates' }))
        assert.equal(await store.removeRules(rule()), 1)
        assert.equal(await store.removeRules(rule()), 0)
        assert.deepEqual(
          (await store.userProfile('ann', 10)).rules.map(({ kind }) => kind),
          ['tabs'],
        )
      })

      it('take patterns with NUL and lone surrogates, and find them again', async () => {
        const store = await open()
        const odd = rule({ ruleType: 'Thread', pattern: '<a\0b\ud800@\u{1f4e8}>' })
        await store.addRule(odd)
        assert.equal((await store.addRule(odd)).created, false)
        assert.equal(await store.removeRules(odd), 1)
      })
    })

    describe('users', () => {
      // Equal to somebody who sorts, folds case or normalises; different byte by byte.
      const alike = ['ann', 'Ann', 'ann ', 'ånn', 'a\u030ann', 'ａnn', 'ann\u{1f4e8}', 'ß', 'ss']

      it('are told apart byte by byte', async () => {
        const store = await open()
        for (const userId of alike) await store.addRule(rule({ userId }))
        for (const userId of alike) {
          const rules = (await store.userProfile(userId, 10)).rules
          assert.deepEqual(
            rules.map((found) => found.userId),
            [userId],
          )
        }
      })

      it('have a name of 256 characters of any kind', async () => {
        const store = await open()
        const userId = '\u{1f4e8}'.repeat(256)
        await store.recordCorrection(correction({ userId }))
        assert.equal((await store.userProfile(userId, 10)).spam.length, 1)
      })

      for (const userId of ['', 'a\0', '\ud800', 'x'.repeat(1_091)]) {
        it(`are not called ${JSON.stringify(userId.slice(0, 9))}`, async () => {
          const store = await open()
          await assert.rejects(store.recordCorrection(correction({ userId })), RangeError)
        })
      }
    })

    describe('corrections', () => {
      it('come back as they were given', async () => {
        const now = new Date('2026-11-21T12:00:00.123Z')
        const store = await open(() => now)
        const { feedbackId, ...recorded } = await store.recordCorrection(
          correction({ authenticatedDomain: 'example.com', rulePattern: 'shop@example.com' }),
        )
        assert.deepEqual(recorded, { status: 'recorded' })
        assert.deepEqual((await store.userProfile('ann', 10)).spam, [
          {
            feedbackId,
            kind: 'spam',
            label: 'spam',
            messageKey: key('m1'),
            senderKey: key('sender'),
            authenticatedDomain: 'example.com',
            embeddingModel: 'e1',
            memory: key('memory'),
            createdAt: now,
          },
        ])
        assert.deepEqual(await store.correctionsInOrder(0, 10), [
          {
            seq: 1,
            feedbackId,
            userId: 'ann',
            authority: 'user',
            kind: 'spam',
            label: 'spam',
            messageKey: key('m1'),
            domainKey: key('domain'),
            authenticatedDomain: 'example.com',
            featureVersion: 'f1',
            features: key('features'),
            createdAt: now,
          },
        ])
        assert.deepEqual((await store.userProfile('ann', 10)).automaticRules, [
          {
            feedbackId,
            label: 'spam',
            pattern: 'shop@example.com',
            senderKey: key('sender'),
            authenticatedDomain: 'example.com',
            createdAt: now,
          },
        ])
      })

      it('with another label end the first', async () => {
        const store = await open()
        const first = await store.recordCorrection(correction({ rulePattern: 'shop@example.com' }))
        const second = await store.recordCorrection(correction({ label: 'ham' }))
        assert.notEqual(second.feedbackId, first.feedbackId)
        assert.equal(await store.endCorrection(first.feedbackId), 'already_ended')
        const log = await store.correctionsInOrder(0, 10)
        assert.deepEqual(
          log.map(({ label, seq }) => [label, seq]),
          [['ham', 2]],
        )
        assert.deepEqual((await store.userProfile('ann', 10)).automaticRules, [])
      })

      it('of a message, of its class, of another user and of another message stand side by side', async () => {
        const store = await open()
        await store.recordCorrection(correction())
        await store.recordCorrection(correction({ kind: 'tabs', label: 'updates' }))
        await store.recordCorrection(correction({ userId: 'bob' }))
        await store.recordCorrection(correction({ messageKey: key('m2') }))
        assert.equal((await store.correctionsInOrder(0, 10)).length, 4)
      })

      it('given fifty times at once are recorded once', async () => {
        const stores = await openTwo()
        const answers = await Promise.all(
          Array.from({ length: 50 }, (_, i) => stores[i % 2]!.recordCorrection(correction())),
        )
        assert.equal(new Set(answers.map(({ feedbackId }) => feedbackId)).size, 1)
        assert.equal(answers.filter(({ status }) => status === 'recorded').length, 1)
      })

      it('are taken back once, and can then be given anew', async () => {
        const store = await open()
        const { feedbackId } = await store.recordCorrection(correction())
        assert.equal(await store.endCorrection(feedbackId), 'ended')
        assert.equal(await store.endCorrection(feedbackId), 'already_ended')
        assert.equal(await store.endCorrection(crypto.randomUUID()), 'unknown')
        assert.deepEqual(await store.correctionsInOrder(0, 10), [])
        assert.equal((await store.recordCorrection(correction())).status, 'recorded')
      })

      describe('that are withdrawn', () => {
        const updates = correction({ kind: 'tabs', label: 'updates' })
        const ofClass = withdrawal({ kind: 'tabs' })
        const classRule = rule({ kind: 'tabs', label: 'updates', messageKey: key('m1') })

        it('are ended, once', async () => {
          const store = await open()
          const { feedbackId } = await store.recordCorrection(updates)
          assert.deepEqual(await store.withdrawCorrection(ofClass), {
            status: 'reset',
            feedbackId,
          })
          const changes = await follow(store)
          const again = { status: 'already_recorded', feedbackId }
          assert.deepEqual(await store.withdrawCorrection(ofClass), again)
          assert.equal(await store.endCorrection(feedbackId), 'already_ended')
          assert.deepEqual(await store.correctionsInOrder(0, 10), [])
          assert.deepEqual(await changes(), [])
        })

        it('take the rule about classes with them that was made from the message, once, and tell of it', async () => {
          const store = await open()
          await store.addRule(classRule)
          const changes = await follow(store)
          const first = await store.withdrawCorrection(ofClass)
          assert.equal(first.status, 'reset')
          assert.deepEqual((await store.userProfile('ann', 10)).rules, [])
          assert.equal((await changes()).length, 1)
          assert.equal(await store.endCorrection(first.feedbackId), 'already_ended')
          assert.deepEqual(await store.withdrawCorrection(ofClass), {
            status: 'already_recorded',
            feedbackId: first.feedbackId,
          })
        })

        it('leave rules of another message, user and kind, and those made by pattern', async () => {
          const store = await open()
          const { messageKey: _, ...byPattern } = classRule
          const others = [
            { ...byPattern, pattern: 'by-pattern@example.com' },
            { ...classRule, pattern: 'other-message@example.com', messageKey: key('m2') },
            { ...classRule, userId: 'bob' },
            rule({ pattern: 'about-spam@example.com', messageKey: key('m1') }),
          ]
          for (const other of others) await store.addRule(other)
          assert.equal((await store.withdrawCorrection(ofClass)).status, 'already_recorded')
          assert.equal((await store.userProfile('ann', 10)).rules.length, 3)
          assert.equal((await store.userProfile('bob', 10)).rules.length, 1)
        })
      })

      it('come in order as log, after where the reader stands', async () => {
        const store = await open()
        for (const message of ['m1', 'm2', 'm3']) {
          await store.recordCorrection(correction({ messageKey: key(message) }))
        }
        const [first] = await store.correctionsInOrder(0, 1)
        const rest = await store.correctionsInOrder(first!.seq, 10)
        assert.deepEqual(
          rest.map(({ messageKey }) => messageKey),
          [key('m2'), key('m3')],
        )
      })

      it('drop the automatic rules of the other label for their sender', async () => {
        const store = await open()
        await store.recordCorrection(correction({ rulePattern: 'a@b' }))
        await store.recordCorrection(
          correction({ label: 'ham', messageKey: key('m2'), dropsRulesFor: 'a@b' }),
        )
        assert.deepEqual((await store.userProfile('ann', 10)).automaticRules, [])
        assert.equal((await store.correctionsInOrder(0, 10)).length, 2)
      })

      it('expire, active and ended ones', async () => {
        let now = new Date('2025-01-01T00:00:00Z')
        const store = await open(() => now)
        for (let i = 0; i < 501; i++) {
          await store.recordCorrection(correction({ messageKey: key(`m${i}`) }))
        }
        const last = correction({ messageKey: key('m501') })
        const { feedbackId } = await store.recordCorrection(last)
        await store.endCorrection(feedbackId)
        now = new Date('2026-01-01T00:00:00Z')
        await store.recordCorrection(correction({ messageKey: key('new') }))
        const before = new Date('2025-06-01T00:00:00Z')
        assert.equal(await store.expireCorrections(before), 500)
        assert.equal(await store.expireCorrections(before), 2)
        assert.equal(await store.expireCorrections(before), 0)
        const left = await store.correctionsInOrder(0, 1_000)
        assert.deepEqual(
          left.map(({ messageKey }) => messageKey),
          [key('new')],
        )
      })
    })

    describe('correctedFeatures', () => {
      it('gives what corrections that hold correct, of one feature version, oldest first', async () => {
        const store = await open()
        const ids: string[] = []
        for (const [message, label, featureVersion] of [
          ['m1', 'spam', 'f1'],
          ['m2', 'ham', 'f0'],
          ['m3', 'ham', 'f1'],
        ] as const) {
          const messageKey = key(message)
          const fields = { messageKey, label, featureVersion }
          ids.push((await store.recordCorrection(correction(fields))).feedbackId)
        }
        await store.recordCorrection(correction({ userId: 'ben', messageKey: key('m4') }))
        await store.withdrawCorrection(withdrawal({ messageKey: key('m1') }))
        const tabs = { kind: 'tabs', label: 'updates', messageKey: key('m5') } as const
        ids.push((await store.recordCorrection(correction(tabs))).feedbackId)
        const [features, memory] = [key('features'), key('memory')]
        assert.deepEqual(await store.correctedFeatures('ann', 'f1', 10), [
          { feedbackId: ids[2], kind: 'spam', label: 'ham', features, memory },
          { feedbackId: ids[3], kind: 'tabs', label: 'updates', features, memory },
        ])
        assert.equal((await store.correctedFeatures('ann', 'f1', 1)).length, 2)
      })
    })

    describe('deleteUser', () => {
      it('removes everything, and leaves a job and a tombstone without the user id', async () => {
        const store = await open()
        await store.addRule(rule())
        await store.addRule(rule({ userId: 'bob' }))
        await store.recordCorrection(correction())
        await store.recordCorrection(correction({ label: 'ham' }))
        await store.recordCorrection(correction({ userId: 'bob' }))
        const { jobId, deletedAt, ...counts } = await store.deleteUser('ann', 'all')
        assert.deepEqual(counts, {
          ...{ rules: 1, memory: 1, feedback: 2 },
          ...{ correspondents: 0, history: 0 },
        })
        const empty = { rules: [], automaticRules: [], spam: [], tabs: [] }
        assert.deepEqual(await store.userProfile('ann', 10), empty)
        assert.equal((await store.userProfile('bob', 10)).spam.length, 1)
        const userKey = userKeyOf(store.secret, 'ann')
        assert.equal((await store.jobById(jobId))?.finishedAt, undefined)
        const { deletions } = await store.learningState(1)
        assert.deepEqual(deletions, [{ id: jobId, isLearned: true }])
        assert.deepEqual(
          (await database.rowsOf('tombstones')).map((row) => ({
            ...row,
            user_key: new Uint8Array(row['user_key'] as Uint8Array),
            deleted_at: Number(row['deleted_at']),
          })),
          [
            {
              user_key: userKey,
              kind: 'all',
              job_id: jobId,
              deleted_at: deletedAt.getTime(),
            },
          ],
        )
      })

      it('of tabs leaves what is about spam', async () => {
        const store = await open()
        await store.addRule(rule())
        await store.addRule(rule({ kind: 'tabs', label: 'updates' }))
        await store.recordCorrection(correction())
        await store.recordCorrection(correction({ kind: 'tabs', label: 'updates' }))
        const deleted = await store.deleteUser('ann', 'tabs')
        assert.deepEqual([deleted.rules, deleted.memory, deleted.feedback], [1, 1, 1])
        const profile = await store.userProfile('ann', 10)
        assert.deepEqual(
          [profile.rules.length, profile.spam.length, profile.tabs.length],
          [1, 1, 0],
        )
      })

      it('again removes nothing and names the same job', async () => {
        const store = await open()
        await store.recordCorrection(correction())
        const first = await store.deleteUser('ann', 'all')
        const second = await store.deleteUser('ann', 'all')
        assert.deepEqual([second.rules, second.memory, second.feedback], [0, 0, 0])
        assert.equal(second.jobId, first.jobId)
      })

      for (const [what, keep] of Object.entries({
        'a rule': (to: Store) => to.addRule(rule()),
        'a rule about classes': (to: Store) => to.addRule(rule({ kind: 'tabs', label: 'updates' })),
        'an entry in the history': (to: Store) => to.addHistory([historyEntry()]),
        'a correspondent': (to: Store) =>
          to.addCorrespondents('ann', [{ kind: 'written', key: key('k') }]),
      })) {
        it(`of somebody with ${what} alone gives a job that waits until the files are overwritten`, async () => {
          const store = await open()
          await keep(store)
          const { jobId } = await store.deleteUser('ann', 'all')
          const { deletions } = await store.learningState(1)
          assert.deepEqual(deletions, [{ id: jobId, isLearned: false }])
          assert.equal((await store.deleteUser('ann', 'all')).jobId, jobId)
          await store.finishDeletions([jobId])
          assert.ok((await store.jobById(jobId))?.finishedAt)
        })
      }
    })

    describe('the learning job', () => {
      const run = { basis: 'b', promoted: 1, refused: 2, tookMs: 3 }

      it('is held by one at a time, and says how far it came, what came since and who waits to be forgotten', async () => {
        let now = Date.UTC(2026)
        const [store, other] = await openTwo(() => new Date(now))
        assert.deepEqual(await store.learningState(5), {
          ...{ last: undefined, isQueued: false, newCorrections: 0, deletions: [] },
        })
        for (const message of ['m1', 'm2', 'm3']) {
          await store.recordCorrection(correction({ messageKey: key(message) }))
        }
        const lease = (await store.takeLearning(1_000))!
        now += 999
        assert.equal(await other.takeLearning(1_000), undefined)
        assert.equal(await store.renewLearning(lease, 1_000), true)
        now += 1_000
        const next = (await other.takeLearning(1_000))!
        assert.equal(await store.renewLearning(lease, 1_000), false)
        const [, second] = await store.correctionsInOrder(0, 2)
        const learnedToSeq = second!.seq
        const { jobId } = await store.deleteUser('bob', 'all')
        const learned = {
          ...{ model: { ...model(), learnedToSeq }, progress: { ...run, learnedToSeq } },
          ...{ isEmpty: false, forgotten: [jobId] },
        }
        assert.equal(await store.saveLearned(lease, learned), undefined)
        assert.equal(await other.saveLearned(next, learned), 1)
        assert.deepEqual(await store.learningState(5), {
          last: { ...run, learnedToSeq, finishedAt: new Date(now) },
          ...{ isQueued: false, newCorrections: 1, deletions: [] },
        })
        assert.equal((await store.learningState(1)).newCorrections, 1)
        await store.queueLearning()
        assert.equal((await other.learningState(1)).isQueued, true)
        await other.renewLearning(next, 0)
        assert.equal(await store.takeLearning(1_000), next + 1)
      })

      it('is done without users who have left: what waits for them is overwritten alone', async () => {
        const store = await open()
        await store.recordCorrection(correction())
        const { jobId } = await store.deleteUser('ann', 'all')
        const lease = (await store.takeLearning(1_000))!
        const progress = { ...run, learnedToSeq: 0 }
        const learned = { model: model(), progress, isEmpty: true, forgotten: [jobId] }
        await store.saveLearned(lease, learned)
        const { deletions } = await store.learningState(1)
        assert.deepEqual(deletions, [{ id: jobId, isLearned: false }])
      })

      it('keeps a version of what is new, and not in use after a rollback until it is promoted', async () => {
        const store = await open()
        const lease = (await store.takeLearning(60_000))!
        const learn = async (deltas: string, forgotten: string[] = [], isEmpty = false) =>
          await store.saveLearned(lease, {
            model: { ...model(), deltas: key(deltas) },
            ...{ progress: { ...run, learnedToSeq: 1 }, isEmpty, forgotten },
          })
        const versions = async () =>
          (await store.models()).map(({ version, state }) => `${version} ${state}`)
        assert.equal(await store.promote(), undefined)
        assert.equal(await learn('', [], true), 0)
        assert.deepEqual([await learn('a'), await learn('a'), await learn('b')], [1, 1, 2])
        assert.equal(await store.rollback(), 1)
        assert.deepEqual([await learn('b'), await learn('c')], [2, 3])
        assert.deepEqual(await versions(), ['3 rejected', '2 rejected', '1 promoted'])
        assert.equal(await store.promote(), 3)
        assert.deepEqual(await versions(), ['3 promoted', '2 rejected', '1 retired'])
        assert.equal(await store.rollback(), 1)
        assert.equal(await learn('d', ['a job']), 4)
        assert.deepEqual(await versions(), ['4 rejected'])
      })
    })

    describe('models', () => {
      it('go to work when promoted, and not when rejected', async () => {
        const store = await open()
        assert.equal(await store.promotedModel(), undefined)
        assert.equal(await store.saveModel(model(), 'rejected'), 1)
        assert.equal(await store.promotedModel(), undefined)
        assert.equal(await store.saveModel(model(), 'promoted'), 2)
        assert.equal(await store.saveModel(model(), 'rejected'), 3)
        const { createdAt, ...promoted } = (await store.promotedModel())!
        assert.deepEqual(promoted, { ...model(), version: 2, state: 'promoted' })
      })

      it('go back to the one before, and past one that was gone back from', async () => {
        const store = await open()
        await store.saveModel(model(), 'promoted')
        await store.saveModel(model(), 'promoted')
        assert.equal(await store.rollback(), 1)
        await store.saveModel(model(), 'promoted')
        assert.equal(await store.rollback(), 1)
        assert.equal(await store.rollback(), undefined)
        assert.equal(await store.promotedModel(), undefined)
        assert.equal(await store.rollback(), undefined)
        const states = (await store.models()).map(({ version, state }) => [version, state])
        assert.deepEqual(states, [
          [3, 'rejected'],
          [2, 'rejected'],
          [1, 'rejected'],
        ])
      })

      it('leave by themselves, the oldest first, but for the one at work', async () => {
        const store = await open()
        await store.saveModel(model(), 'promoted')
        for (let i = 0; i < 22; i++) await store.saveModel(model(), 'rejected')
        const versions = (await store.models()).map(({ version }) => version)
        assert.equal(versions.length, 21)
        assert.equal(versions.at(-2), 4)
        assert.equal(versions.at(-1), 1)
      })
    })

    describe('changes', () => {
      it('tell of every write about a user, a model or a key, and of nothing else', async () => {
        const store = await open()
        const changes = await follow(store)
        const { feedbackId } = await store.recordCorrection(correction({ rulePattern: 'a@b' }))
        await store.addRule(rule())
        await store.removeRules(rule())
        await store.dropAutomaticRule('ann', 'a@b')
        await store.endCorrection(feedbackId)
        await store.deleteUser('ann', 'all')
        await store.saveModel(model(), 'promoted')
        await store.saveModel(model(), 'rejected')
        await store.rollback()
        await store.takeLearning(60_000)
        const seen = await changes()
        assert.deepEqual(
          seen.map(({ topic }) => topic),
          ['user', 'user', 'user', 'user', 'user', 'user', 'models', 'models'],
        )
        assert.deepEqual(seen[0]?.userKey, userKeyOf(store.secret, 'ann'))
      })

      it('hold on every thread of the process once they are acknowledged', async () => {
        const [here, there] = await openTwo()
        const changes = await follow(here)
        assert.equal(here.isCurrent(), true)
        for (const userId of ['ann', 'bob']) {
          await there.addRule(rule({ userId }))
          assert.equal(here.isCurrent(), false)
          assert.deepEqual((await changes()).at(-1)?.userKey, userKeyOf(here.secret, userId))
          assert.equal(here.isCurrent(), true)
        }
        assert.equal((await changes()).length, 2)
      })

      it('of another process are known within a second, once each, until one stops watching', async (t) => {
        const own = await separate(t)
        const [here, there] = [await own.open(), await own.open(undefined, 'another process')]
        const seen: Change[] = []
        const stop = here.watch((change) => seen.push(change))
        for (const userId of ['bob', 'cid']) await there.addRule(rule({ userId }))
        await eventually(() => seen.length === 2, 'They are not seen', NOTICE_MS)
        await here.addRule(rule({ userId: 'ann' }))
        await here.catchUp()
        await sleep(LOOKS_MS)
        assert.equal(seen.length, 3)
        stop()
        await there.addRule(rule({ userId: 'eve' }))
        await sleep(LOOKS_MS)
        assert.equal(seen.length, 3)
      })

      it('and what only those away need are gone after thirty days', async () => {
        let now = Date.UTC(2026, 0, 1)
        const store = await open(() => new Date(now))
        const { jobId } = await store.deleteUser('nobody', 'all')
        await store.recordCorrection(correction({ userId: 'bob' }))
        now += 30 * DAY_MS
        await store.prune()
        assert.equal((await database.rowsOf('changes')).length, 2)
        assert.equal((await database.rowsOf('tombstones')).length, 1)
        now += 1
        await store.prune()
        assert.deepEqual(await database.rowsOf('changes'), [])
        assert.deepEqual(await database.rowsOf('tombstones'), [])
        assert.equal(await store.jobById(jobId), undefined)
        assert.equal((await store.correctionsInOrder(0, 10)).length, 1)
      })
    })

    describe('a write that fails', () => {
      it('fails alone among those that share its commit', async () => {
        const store = await open()
        const results = await Promise.allSettled([
          store.recordCorrection(correction({ messageKey: key('m1') })),
          store.recordCorrection(
            correction({ messageKey: key('m2'), rulePattern: 'x'.repeat(999) }),
          ),
          store.recordCorrection(correction({ messageKey: key('m3') })),
          store.recordCorrection(correction({ messageKey: key('m5') })),
        ])
        assert.deepEqual(
          results.map(({ status }) => status),
          ['fulfilled', 'rejected', 'fulfilled', 'fulfilled'],
        )
        const log = await store.correctionsInOrder(0, 10)
        assert.deepEqual(
          log.map(({ messageKey }) => messageKey),
          [key('m1'), key('m3'), key('m5')],
        )
      })
    })

    describe("the operator's rules", () => {
      it('are one text, kept and told of', async (t) => {
        const store = await open()
        assert.equal(await store.operatorRules(), '')
        const told: string[] = []
        t.after(store.watch(({ topic }) => told.push(topic)))
        await store.setOperatorRules('block from *.top')
        await store.setOperatorRules('# none\n')
        assert.equal(await store.operatorRules(), '# none\n')
        await store.catchUp()
        assert.deepEqual(told, ['rules', 'rules'])
      })
    })
    historyTests(open)

    correspondentTests(open)
    userListTests(open)
  })
}

/** Follows the changes in `store` from now on; gives those so far. */
async function follow(store: Store): Promise<() => Promise<readonly Change[]>> {
  const seen: Change[] = []
  store.watch((change) => seen.push(change))
  await store.catchUp()
  seen.length = 0
  return async () => {
    await store.catchUp()
    return seen
  }
}
