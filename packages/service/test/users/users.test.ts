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
import { TamisError } from '../../../errors/errors.ts'
import { DIMENSIONS, encodeMemoryItem } from '../../../mail/personalization/memory-item.ts'
import type { Store } from '../../store/store.ts'
import type { NewCorrection, UserProfile } from '../../users/correction.ts'
import {
  hasComplained,
  isBlank,
  type PersonalLearner,
  partsCompared,
  type User,
  Users,
} from '../../users/users.ts'
import { openStoreHere } from '../helpers/store-here.ts'
import { correction, key, rule } from '../store/samples.ts'

const MIB = 1024 * 1024

/** SQLite is asked every half second for what other processes wrote. */
const HONOURED_MS = 3_000

const MEMORY = encodeMemoryItem(new Float32Array(DIMENSIONS).fill(1), Uint32Array.of(0x1ff, 0x2ff))

type UserStore = Pick<Store, 'userProfile' | 'correctedFeatures' | 'watch' | 'secret'>

/** Gives for deltas how many corrections they would be learned from. */
const LEARNER: PersonalLearner = {
  featureVersion: correction().featureVersion,
  personalDeltas: async (_userId, corrections) => ({
    modelsVersion: `from ${corrections.length}`,
    spam: undefined,
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

  it('know of nobody what another user has corrected', async (t) => {
    const users = await usersOf(t, store)
    const userId = newUser()
    await store.recordCorrection(spam(userId))
    // Kept from here on: nobody else may come upon it.
    assert.equal((await users.lookUp(userId)).spam.messages.length, 1)
    assert.deepEqual(whatIsKnown(await users.lookUp(newUser())), NOTHING)
  })

  it('ask the store once, until something of the user changes', async (t) => {
    const users = await usersOf(t, store)
    const userId = newUser()
    const [ann, bob] = [await users.lookUp(userId), await users.lookUp('bob')]
    assert.equal(await users.lookUp(userId), ann)
    await store.addRule(rule({ userId }))
    assert.notEqual(await users.lookUp(userId), ann)
    assert.equal(await users.lookUp('bob'), bob)
    users.forgetAll()
    assert.notEqual(await users.lookUp('bob'), bob)
  })

  it('ask the store once for all who ask at the same time', async (t) => {
    let asked = 0
    const users = await usersOf(t, {
      ...partsOf(store),
      userProfile: (...args) => {
        asked++
        return store.userProfile(...args)
      },
    })
    const lookUps = Array.from({ length: 50 }, () => users.lookUp('ann'))
    assert.equal(new Set(await Promise.all(lookUps)).size, 1)
    assert.equal(asked, 1)
  })

  it('do not keep what was read before a change', async (t) => {
    const [hasRead, mayAnswer] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
    const users = await usersOf(t, {
      ...partsOf(store),
      userProfile: async (...args) => {
        const profile = await store.userProfile(...args)
        hasRead.resolve()
        await mayAnswer.promise
        return profile
      },
    })
    const userId = newUser()
    const early = users.lookUp(userId)
    await hasRead.promise
    await store.recordCorrection(spam(userId))
    mayAnswer.resolve()
    assert.equal((await early).spam.messages.length, 0)
    assert.equal((await users.lookUp(userId)).spam.messages.length, 1)
  })
})

describe('the personal deltas of a user', () => {
  it('are learned from what the user has corrected, and anew after a change', async (t) => {
    const users = await usersOf(t, partsOf(store))
    const userId = newUser()
    assert.equal((await users.lookUp(userId)).deltas, undefined)
    await store.recordCorrection(spam(userId))
    assert.equal((await users.lookUp(userId)).deltas?.modelsVersion, 'from 1')
    await store.recordCorrection(classCorrection(userId))
    assert.equal((await users.lookUp(userId)).deltas?.modelsVersion, 'from 2')
  })

  it('do not keep a verdict waiting: rules and memory serve until they are learned', async (t) => {
    const learned = Promise.withResolvers<undefined>()
    const learner = { ...LEARNER, personalDeltas: () => learned.promise }
    const users = await usersOf(t, partsOf(store), MIB, learner)
    const userId = newUser()
    await store.recordCorrection(spam(userId))
    const { known, spam: memory, deltas } = await users.lookUp(userId)
    assert.equal(known, true)
    assert.equal(memory.messages.length, 1)
    assert.equal(deltas, undefined)
    learned.resolve(undefined)
  })

  it('are missing where they cannot be learned, and nothing else is', async (t) => {
    const errors: unknown[] = []
    const ended = new Error('ended')
    const learner: PersonalLearner = {
      ...LEARNER,
      personalDeltas: () => Promise.reject(ended),
      onError: (error) => errors.push(error),
    }
    const users = await usersOf(t, partsOf(store), MIB, learner)
    const userId = newUser()
    await store.recordCorrection(spam(userId))
    const { known, deltas } = await users.lookUp(userId)
    assert.deepEqual([known, deltas], [true, undefined])
    assert.deepEqual(errors, [ended])
  })

  it('are no failure where learning ends with the service', async (t) => {
    const errors: unknown[] = []
    const learned = Promise.withResolvers<undefined>()
    const learner: PersonalLearner = {
      ...LEARNER,
      personalDeltas: () => learned.promise,
      onError: (error) => errors.push(error),
    }
    const users = await usersOf(t, partsOf(store), MIB, learner)
    const userId = newUser()
    await store.recordCorrection(spam(userId))
    await users.lookUp(userId)
    users.close()
    learned.reject(new Error('ended'))
    await users.lookUp(userId)
    assert.deepEqual(errors, [])
  })
})

describe('Users, and what they ask of the store', () => {
  it('read 2,000 items of each memory', async (t) => {
    const limits: number[] = []
    const users = await usersOf(t, {
      ...partsOf(store),
      userProfile: (userId, limit) => {
        limits.push(limit)
        return store.userProfile(userId, limit)
      },
    })
    await users.lookUp('ann')
    assert.deepEqual(limits, [2_000])
  })

  it('follow its changes until they are closed', async () => {
    let followers = 0
    const users = await Users.open(
      {
        ...partsOf(store),
        watch: async () => {
          followers++
          return () => void followers--
        },
      },
      MIB,
      LEARNER,
    )
    assert.equal(followers, 1)
    users.close()
    assert.equal(followers, 0)
  })
})

describe('a blank user', () => {
  it('has corrected nothing: neither a rule nor a message, of either kind', async (t) => {
    const users = await usersOf(t, store)
    const blank = async (userId: string) => isBlank(await users.lookUp(userId))
    assert.equal(await blank(newUser()), true)

    const ann = newUser()
    await store.recordCorrection(spam(ann))
    assert.equal(await blank(ann), false)

    const bob = newUser()
    await store.recordCorrection(classCorrection(bob))
    assert.equal(await blank(bob), false)

    const cid = newUser()
    await store.recordCorrection(classCorrection(cid))
    await store.addRule(rule({ userId: cid }))
    assert.equal(await blank(cid), false)
  })
})

describe('what messages of users are compared with', () => {
  it('is nothing for blank users, and for others what one of them has', async (t) => {
    const users = await usersOf(t, store)
    const parts = async (...userIds: string[]) =>
      partsCompared(await Promise.all(userIds.map((id) => users.lookUp(id))))
    const [dan, ann, bob, cid] = [newUser(), newUser(), newUser(), newUser()]
    await store.addRule(rule({ userId: ann, ruleType: 'Sender' }))
    await store.addRule(rule({ userId: bob, ruleType: 'Template' }))
    await store.recordCorrection(classCorrection(cid))
    assert.equal(await parts(), undefined)
    assert.equal(await parts(dan, dan), undefined)
    assert.deepEqual(await parts(dan, ann), { template: false, memory: false })
    assert.deepEqual(await parts(bob, ann), { template: true, memory: false })
    assert.deepEqual(await parts(ann, cid), { template: false, memory: true })
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

describe('Users, when another process changes the database', { concurrency: true }, () => {
  let other: Store

  before(async () => {
    other = await openStoreHere({ dataDir })
  })

  after(() => other.close())

  type Change = (userId: string, feedbackId: string) => Promise<unknown>

  const changes: [sentence: string, change: Change][] = [
    ['a correction', (user) => other.recordCorrection(spam(user, { messageKey: key('m2') }))],
    ['a correction was taken back', (_, id) => other.endCorrection(id)],
    ['a rule was made', (user) => other.addRule(rule({ userId: user }))],
    ['an automatic rule was removed', (user) => other.dropAutomaticRule(user, 'shop@example.com')],
    ['the user was deleted', (user) => other.deleteUser(user, 'all')],
  ]
  for (const [sentence, change] of changes) {
    it(`read the user anew after ${sentence}, and nobody else`, async (t) => {
      const [userId, bystander] = [newUser(), newUser()]
      const { feedbackId } = await store.recordCorrection(spam(userId))
      const users = await usersOf(t, store)
      const before = await users.lookUp(userId)
      const unconcerned = await users.lookUp(bystander)
      await change(userId, feedbackId)
      await eventually(
        async () => (await users.lookUp(userId)) !== before,
        'It is not honoured',
        HONOURED_MS,
      )
      const after = await users.lookUp(userId)
      assert.notDeepEqual(whatIsKnown(after), whatIsKnown(before))
      assert.equal(await users.lookUp(bystander), unconcerned)
    })
  }
})

describe('Users, within their bytes', () => {
  it('keep those asked for last, as many as there is room for', async (t) => {
    const users = await usersOf(t, store, 20_000)
    const kept = await keptOf(users, Array.from({ length: 100 }, newUser))
    assert.ok(kept >= 10 && kept <= 20, `${kept} blank users of some 1,000 bytes in 20,000`)
  })

  it('let the longest unused leave first', async (t) => {
    const users = await usersOf(t, store, 5_500)
    const ann = await users.lookUp('ann')
    const bob = await users.lookUp('bob')
    for (const another of ['cid', 'dan', 'eve', 'fay', 'gus']) {
      await users.lookUp(another)
      assert.equal(await users.lookUp('ann'), ann)
    }
    assert.notEqual(await users.lookUp('bob'), bob)
  })

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

  it('count the personal deltas too', async (t) => {
    const userIds = [newUser(), newUser()]
    for (const userId of userIds) await store.recordCorrection(spam(userId))
    const table = { keys: new Uint32Array(1_000), rows: new Float32Array(1_000), width: 1 }
    const deltas = { modelsVersion: 'wide', spam: table, classes: undefined }
    const learner = { ...LEARNER, personalDeltas: () => Promise.resolve(deltas) }
    assert.equal(await keptOf(await usersOf(t, store, 16_000, learner), userIds), 1)
    assert.equal(await keptOf(await usersOf(t, store, 30_000, learner), userIds), 2)
  })

  it('keep three who take up just the bytes there are, and not with one byte less', async (t) => {
    const userIds = Array.from({ length: 3 }, newUser)
    for (const userId of userIds) {
      await store.recordCorrection(spam(userId, { authenticatedDomain: 'example.com' }))
      await store.recordCorrection(classCorrection(userId))
    }
    const { rules, spam: memory, tabs } = await (await usersOf(t, store)).lookUp(userIds[0]!)
    // One sender of whom the user complains, by a message that was authenticated: it stands in two sets.
    const bytes = 1_000 + rules.bytes + memory.bytes + tabs.bytes + 200
    const keptIn = async (bytesMax: number) => {
      const users = await usersOf(t, store, bytesMax)
      // Who was forgotten while being looked up takes up nothing.
      const forgotten = users.lookUp('ann')
      users.forgetAll()
      await forgotten
      return await keptOf(users, userIds)
    }
    assert.equal(await keptIn(3 * bytes), 3)
    assert.equal(await keptIn(3 * bytes - 1), 2)
  })

  it('keep one who takes up just the bytes there are', async (t) => {
    const userId = newUser()
    const { rules, spam: memory, tabs } = await (await usersOf(t, store)).lookUp(userId)
    const users = await usersOf(t, store, 1_000 + rules.bytes + memory.bytes + tabs.bytes)
    assert.equal(await keptOf(users, [userId]), 1)
  })

  it('know also a user for whom there is no room, and read them anew each time', async (t) => {
    const users = await usersOf(t, store, 100)
    const userId = newUser()
    await store.recordCorrection(spam(userId))
    const found = await users.lookUp(userId)
    assert.equal(found.spam.messages.length, 1)
    const again = await users.lookUp(userId)
    assert.notEqual(again, found)
    assert.equal(again.spam.messages.length, 1)
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

  it('look the user up again once it is back', async (t) => {
    let isAway = true
    const users = await usersOf(t, {
      ...partsOf(store),
      userProfile: async (...args) => {
        if (isAway) throw new TamisError('STORE_UNAVAILABLE', 'The store is not available')
        return await store.userProfile(...args)
      },
    })
    assert.equal((await users.lookUp('ann')).known, false)
    isAway = false
    assert.equal((await users.lookUp('ann')).known, true)
  })
})

describe('Users, when the store is slow', () => {
  it('answer after 250 ms, and at once for whom they have at hand', async (t) => {
    const users = await usersOf(t, {
      ...partsOf(store),
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

  it('answer though the store does not, each time, and know the user once it has answered', async (t) => {
    const mayAnswer = Promise.withResolvers<void>()
    const users = await usersOf(t, {
      ...partsOf(store),
      userProfile: (...args) => mayAnswer.promise.then(() => store.userProfile(...args)),
    })
    for (let i = 0; i < 2; i++) {
      assert.equal((await users.lookUp('ann')).known, false)
    }
    mayAnswer.resolve()
    assert.equal((await users.lookUp('ann')).known, true)
  })

  it('ask a store that does not answer for four users at a time, once for each, however many mails come', async (t) => {
    const asked: string[] = []
    const users = await usersOf(t, {
      ...partsOf(store),
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

  it('hold four profiles at most that are being read, and all are known in the end', async (t) => {
    const releases: (() => void)[] = []
    let reading = 0
    let readingMax = 0
    const users = await usersOf(t, {
      ...partsOf(store),
      userProfile: async (...args) => {
        readingMax = Math.max(readingMax, ++reading)
        await new Promise<void>((resolve) => releases.push(resolve))
        reading--
        return await store.userProfile(...args)
      },
    })
    const ids = Array.from({ length: 40 }, (_, i) => `reader-${i}`)
    const found = Promise.all(ids.map((userId) => users.lookUp(userId)))
    const releasing = setInterval(() => releases.shift()?.(), 0)
    t.after(() => clearInterval(releasing))
    await found
    for (const userId of ids) {
      await eventually(async () => (await users.lookUp(userId)).known)
      assert.notEqual(users.known(userId), undefined)
    }
    assert.equal(readingMax, 4)
  })

  it('read nothing for one who does not wait', async (t) => {
    const users = await usersOf(t, { ...partsOf(store), userProfile: () => assert.fail('read') })
    assert.equal(users.known('nobody'), undefined)
    assert.equal((await users.lookUp('nobody', 0)).known, false)
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
  const users = await Users.open(of, bytesMax, learner)
  t.after(() => users.close())
  return users
}

/** Its methods stand on the class, and a spread would lose them. */
function partsOf(whole: Store): UserStore {
  return {
    secret: whole.secret,
    watch: (onChange) => whole.watch(onChange),
    userProfile: (...args) => whole.userProfile(...args),
    correctedFeatures: (...args) => whole.correctedFeatures(...args),
  }
}
