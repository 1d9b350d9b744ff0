/**
 * The cache of users, on a real SQLite store. What it has kept is seen by identity: who is looked
 * up twice and was not read anew is the same object. Where a store is to be slow or away, one call
 * of the real one is held up.
 */
import assert from 'node:assert/strict'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, it, type TestContext } from 'node:test'
import { eventually } from '../../../../test/eventually.ts'
import { DIMENSIONS, encodeMemoryItem } from '../../../mail/personalization/memory-item.ts'
import type { Store } from '../../store/store.ts'
import type { NewCorrection, UserProfile } from '../../users/correction.ts'
import { hasComplained, type PersonalLearner, type User, Users } from '../../users/users.ts'
import { openStoreHere } from '../helpers/store-here.ts'
import { correction, key, rule } from '../store/samples.ts'

const MIB = 1024 * 1024

/** SQLite is asked every half second for what other processes wrote. */
const HONOURED_MS = 3_000

const MEMORY = encodeMemoryItem(new Float32Array(DIMENSIONS).fill(1), Uint32Array.of(0x1ff, 0x2ff))

type UserStore = ConstructorParameters<typeof Users>[0]

/** Gives for deltas how many corrections they would be learned from. */
const LEARNER: PersonalLearner = {
  featureVersion: correction().featureVersion,
  personalDeltas: async (_userId, corrections) => ({
    spam: { keys: new Uint32Array(corrections.length), rows: new Float32Array(), width: 1 },
    classes: undefined,
  }),
  onError: () => {},
}

let dataDir: string
let store: Store
let userCount = 0

before(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'tamis-users-'))
  store = await openStoreHere({ dataDir })
})

after(async () => {
  await store.close()
  await rm(dataDir, { recursive: true, force: true })
})

/** A user of whom the store knows nothing. */
function newUser(): string {
  return `user-${++userCount}`
}

/** Of a message as spam; it leaves a memory item and a rule. */
function spam(userId: string, fields: Partial<NewCorrection> = {}): NewCorrection {
  return correction({ userId, memory: MEMORY, rulePattern: 'shop@example.com', ...fields })
}

/** Of a message as one of a class; it leaves a memory item and no rule. */
function classCorrection(userId: string): NewCorrection {
  return correction({ userId, kind: 'tabs', label: 'updates', memory: MEMORY })
}

describe('Users', () => {
  it('know rules and memory of a user after a correction', async (t) => {
    const users = await usersOf(t, store)
    const userId = newUser()
    const { feedbackId } = await store.recordCorrection(spam(userId))
    const { feedbackId: classFeedbackId } = await store.recordCorrection(classCorrection(userId))
    await store.addRule(rule({ userId, pattern: 'bo@example.com' }))
    assert.deepEqual(whatIsKnown(await users.lookUp(userId)), {
      known: true,
      rules: [
        ['bo@example.com', 'spam'],
        ['shop@example.com', 'spam'],
      ],
      spam: [[feedbackId, 'spam']],
      tabs: [[classFeedbackId, 'updates']],
    })
  })

  it('ask the store once for all who ask at the same time', async (t) => {
    let asked = 0
    const users = await usersOf(t, {
      ...store,
      userProfile: (...args) => {
        asked++
        return store.userProfile(...args)
      },
    })
    const lookUps = Array.from({ length: 50 }, () => users.lookUp('ann'))
    assert.equal(new Set(await Promise.all(lookUps)).size, 1)
    assert.equal(asked, 1)
  })
})

describe('the personal deltas of a user', () => {
  it('are learned from what the user has corrected, and anew after a change', async (t) => {
    const users = await usersOf(t, store)
    const userId = newUser()
    assert.equal((await users.lookUp(userId)).deltas, undefined)
    await store.recordCorrection(spam(userId))
    assert.equal((await users.lookUp(userId)).deltas?.spam?.keys.length, 1)
    await store.recordCorrection(classCorrection(userId))
    assert.equal((await users.lookUp(userId)).deltas?.spam?.keys.length, 2)
  })

  it('do not keep a verdict waiting: rules and memory serve until they are learned', async (t) => {
    const learned = Promise.withResolvers<undefined>()
    const learner = { ...LEARNER, personalDeltas: () => learned.promise }
    const users = await usersOf(t, store, MIB, learner)
    const userId = newUser()
    await store.recordCorrection(spam(userId))
    const { known, spam: memory, deltas } = await users.lookUp(userId)
    assert.equal(known, true)
    assert.equal(memory.messages.length, 1)
    assert.equal(deltas, undefined)
    learned.resolve(undefined)
  })
})

describe('a complaint of a user', () => {
  it('is of a sender whose last correction says spam', async (t) => {
    const users = await usersOf(t, store)
    const ann = newUser()
    const shop = key('shop')
    const complains = async () => hasComplained(await users.lookUp(ann), shop, 'unknown')
    assert.equal(await complains(), false)
    await store.recordCorrection(spam(ann, { senderKey: shop, messageKey: key('m1') }))
    assert.equal(await complains(), true)
    assert.equal(hasComplained(await users.lookUp(ann), key('another'), 'unknown'), false)
    await store.recordCorrection(
      spam(ann, { senderKey: shop, messageKey: key('m2'), label: 'ham' }),
    )
    assert.equal(await complains(), false)
  })

  it('counts for authenticated messages where an authenticated one was corrected', async (t) => {
    const users = await usersOf(t, store)
    const [forged, own] = [key('forged'), key('own')]
    const ann = newUser()
    await store.recordCorrection(spam(ann, { senderKey: forged, messageKey: key('m1') }))
    await store.recordCorrection(
      spam(ann, {
        senderKey: own,
        messageKey: key('m2'),
        authenticatedDomain: 'example.com',
      }),
    )
    const user = await users.lookUp(ann)
    const found = [forged, own].map((sender) => [
      hasComplained(user, sender, 'pass'),
      hasComplained(user, sender, 'fail'),
      hasComplained(user, sender, 'unknown'),
    ])
    assert.deepEqual(found, [
      [false, true, true],
      [true, true, true],
    ])
  })
})

describe('Users, when another process changes the database', () => {
  let other: Store

  before(async () => {
    other = await openStoreHere({ dataDir })
  })

  after(() => other.close())

  it('read the user anew, and nobody else', async (t) => {
    const [userId, bystander] = [newUser(), newUser()]
    await store.recordCorrection(spam(userId))
    const users = await usersOf(t, store)
    const before = await users.lookUp(userId)
    const unconcerned = await users.lookUp(bystander)
    await other.deleteUser(userId, 'all')
    await eventually(
      async () => (await users.lookUp(userId)) !== before,
      'It is not honoured',
      HONOURED_MS,
    )
    assert.deepEqual(whatIsKnown(await users.lookUp(userId)), NOTHING)
    assert.equal(await users.lookUp(bystander), unconcerned)
  })
})

describe('Users, within their bytes', () => {
  it('count what a user has corrected: of ten users with forty messages each not all have room', async (t) => {
    const userIds = Array.from({ length: 10 }, newUser)
    const corrections = userIds.flatMap((userId) =>
      Array.from({ length: 40 }, (_, i) =>
        correction({ userId, memory: MEMORY, messageKey: key(`m${i}`) }),
      ),
    )
    await Promise.all(corrections.map((each) => store.recordCorrection(each)))
    const users = await usersOf(t, store, 150_000)
    const kept = await keptOf(users, userIds)
    const bytesAtLeast = 40 * MEMORY.length
    assert.ok(kept >= 3 && kept * bytesAtLeast <= 150_000, `${kept} of over ${bytesAtLeast} bytes`)
  })

  /** How many of the last are still at hand after all of `userIds` were looked up in turn. */
  async function keptOf(users: Users, userIds: readonly string[]): Promise<number> {
    const found: User[] = []
    for (const userId of userIds) found.push(await users.lookUp(userId))
    // The last first: the first that is missing has left after all before it.
    const backwards = [...userIds.entries()].toReversed()
    for (const [i, userId] of backwards) {
      const again = await users.lookUp(userId)
      if (again !== found[i]) return userIds.length - 1 - i
    }
    return userIds.length
  }
})

describe('Users, when the store is away', () => {
  it('count whom they cannot look up as unknown, and still know the others', async (t) => {
    const closed = await openStoreHere({ dataDir })
    const [userId, another] = [newUser(), newUser()]
    await store.recordCorrection(spam(userId))
    await store.recordCorrection(spam(another))
    const users = await usersOf(t, closed)
    await users.lookUp(userId)
    await closed.close()
    assert.deepEqual(whatIsKnown(await users.lookUp(another)), {
      ...NOTHING,
      known: false,
    })
    const { known, spam: memory } = await users.lookUp(userId)
    assert.deepEqual([known, memory.messages.length], [true, 1])
  })
})

describe('Users, when the store is slow', () => {
  it('answer after 250 ms, and at once for whom they have at hand', async (t) => {
    const users = await usersOf(t, {
      ...store,
      userProfile: (userId, limit) =>
        userId === 'ann' ? store.userProfile(userId, limit) : new Promise(() => {}),
    })
    await users.lookUp('ann')
    const waits: unknown[] = []
    t.mock.method(globalThis, 'setTimeout', (_: unknown, ms: number) => {
      waits.push(ms)
      return { unref: () => {} }
    })
    await users.lookUp('ann')
    assert.deepEqual(waits, [])
    void users.lookUp('bob')
    assert.deepEqual(waits, [250])
  })

  it('ask a store that does not answer for four users at a time, once for each, however many mails come', async (t) => {
    const asked: string[] = []
    const users = await usersOf(t, {
      ...store,
      userProfile: (userId) => {
        asked.push(userId)
        return new Promise<UserProfile>(() => {})
      },
    })
    const lookUps = Array.from({ length: 1_000 }, (_, i) => users.lookUp(`${i % 20}`))
    const found = await Promise.all(lookUps)
    assert.ok(found.every(({ known }) => !known))
    assert.deepEqual(asked, ['0', '1', '2', '3'])
  })
})

const NOTHING = { known: true, rules: [], spam: [], tabs: [] }

function whatIsKnown({ known, rules, spam: memory, tabs }: User) {
  return {
    known,
    rules: [...rules.spam.byPattern.values()].flat().map(({ pattern, label }) => [pattern, label]),
    spam: memory.messages.map(({ feedbackId, label }) => [feedbackId, label]),
    tabs: tabs.messages.map(({ feedbackId, label }) => [feedbackId, label]),
  }
}

async function usersOf(
  t: TestContext,
  of: UserStore,
  bytesMax = MIB,
  learner = LEARNER,
): Promise<Users> {
  const users = new Users(of, bytesMax, learner)
  t.after(() => users.close())
  return users
}
