/**
 * A cache of users' rules, memories and personal deltas, ready to be compared with messages.
 *
 * It is bounded in bytes. A change, made here or elsewhere, drops the user's entry. A user who
 * cannot be looked up counts as unknown, and the verdict says so where somebody looks (the diagnostic).
 */

import { type Memory, packMemory } from '../../mail/personalization/memory.ts'
import {
  PERSONAL_EXAMPLES_MAX,
  type PersonalDeltas,
  personalBytes,
} from '../../mail/personalization/personal-deltas.ts'
import { indexRules, type RuleIndex } from '../../mail/personalization/rule-index.ts'
import { type SenderAuthentication, undisputedRules } from '../../mail/personalization/rules.ts'
import { AdmissionQueue } from '../admission/queue.ts'
import type { LearnedModels } from '../learned-models/learned-models.ts'
import type { Change } from '../store/changes.ts'
import type { Store } from '../store/store.ts'
import { LOOKUP_MS_MAX, type Reading, StoreCache } from '../store-cache.ts'
import type { CorrectedFeatures, MemoryItem, UserProfile } from './correction.ts'
import { userKeyOf } from './message-keys.ts'

/** Size in bytes of the cache of rules and memories, on all threads together: some 20 users with full memories, or thousands with a few corrections each. */
export const USER_CACHE_BYTES = 64 * 1024 * 1024

/** Items of a memory, of each kind; the oldest leave (docs/decisions). */
export const MEMORY_ITEMS_MAX = 2_000

/** Profiles that are read at a time. A full one has 3 MB, in rows and as it is kept. */
const READINGS_MAX = 4

/** Profiles whose deltas are being learned, or wait for that; others serve without deltas meanwhile. */
const LEARNINGS_MAX = 4
const LEARNINGS_WAITING_MAX = 12

/** Lookups that wait for a reading. Each gives up after the time that it may take anyway. */
const READINGS_WAITING_MAX = 1_000

/** Time for a learning to begin, in milliseconds: the learning thread may have one message's time in ten. */
const LEARNING_WAIT_MS_MAX = 10_000

/** What an entry takes up beside rules and memories, in bytes, roughly. */
const ENTRY_BYTES = 1_000

/** What a complaint takes up in a set, in bytes, roughly. */
const COMPLAINT_BYTES = 100

/** The data of one user. */
export interface User {
  /** The rules that the user has stated, and those made from corrections. */
  readonly rules: RuleIndex
  readonly spam: Memory
  readonly tabs: Memory
  /** What the corrections add to the models; undefined for none, and until they are learned. */
  readonly deltas: PersonalDeltas | undefined
  readonly complaints: Complaints
  /** False if the store was not available. */
  readonly known: boolean
}

/** The senders, by their keys in base64, of whom the user's last correction says spam. */
export interface Complaints {
  /** Of all corrections. */
  readonly any: ReadonlySet<string>
  /** Of the corrections of authenticated messages alone. */
  readonly proved: ReadonlySet<string>
}

type UserStore = Pick<
  Store,
  'userProfile' | 'correctedFeatures' | 'watch' | 'isCurrent' | 'catchUp' | 'secret'
>

/** Learns a user's own deltas, where anything is learned. */
export type PersonalLearner = Pick<LearnedModels, 'featureVersion' | 'personalDeltas' | 'onError'>

const UNKNOWN: User = { ...userFrom(emptyProfile()), known: false }

export class Users {
  readonly #store: UserStore
  readonly #learner: PersonalLearner
  /** By the HMAC of the user id. */
  readonly #cache: StoreCache<User>
  readonly #readings = new AdmissionQueue({
    concurrency: READINGS_MAX,
    depthMax: READINGS_WAITING_MAX,
    timeoutMs: LOOKUP_MS_MAX,
  })
  readonly #learnings = new AdmissionQueue({
    concurrency: LEARNINGS_MAX,
    depthMax: LEARNINGS_WAITING_MAX,
    timeoutMs: LEARNING_WAIT_MS_MAX,
  })
  #isClosed = false
  readonly #stopWatching: () => void

  /** Follows the changes in `store` until `close`. */
  constructor(store: UserStore, bytesMax: number, learner: PersonalLearner) {
    this.#store = store
    this.#cache = new StoreCache(store, bytesMax, bytesOf, UNKNOWN)
    this.#learner = learner
    this.#stopWatching = store.watch((change) => this.#onChange(change))
  }

  /** What is being learned for users may fail from now on. */
  close(): void {
    this.#isClosed = true
    this.#stopWatching()
  }

  /** The data of the user, where the store need not be asked for it. */
  known(userId: string): User | undefined {
    return this.#cache.known(this.#nameOf(userId))
  }

  /**
   * The data of the user; never rejects. Until the deltas are learned they may be missing. It may have megabytes: who asks
   * for many users keeps none while the next is looked up.
   *
   * @param waitMsMax see StoreCache.lookUp.
   */
  lookUp(userId: string, waitMsMax?: number): Promise<User> {
    return this.#cache.lookUp(this.#nameOf(userId), this.#reading(userId), waitMsMax)
  }

  /** The data of the user with the deltas, however long it takes; rejects as the store does. */
  read(userId: string): Promise<User> {
    return this.#cache.read(this.#nameOf(userId), this.#reading(userId))
  }

  /** The corrections that the user's deltas are learned from, oldest first; rejects as the store does. */
  corrected(userId: string): Promise<CorrectedFeatures[]> {
    const { featureVersion } = this.#learner
    return this.#store.correctedFeatures(userId, featureVersion, PERSONAL_EXAMPLES_MAX)
  }

  /** Drops the data of all users, so that it is read again. */
  forgetAll(): void {
    this.#cache.dropAll()
  }

  #reading(userId: string): Reading<User> {
    return async (soFar) => {
      const user = await this.#readings.run(async () =>
        userFrom(await this.#store.userProfile(userId, MEMORY_ITEMS_MAX)),
      )
      soFar(user)
      return hasMemories(user)
        ? await this.#learnings.run(() => this.#withDeltas(user, userId))
        : user
    }
  }

  /** A user who has corrected nothing has no deltas. Without them rules and memory serve all the same. */
  async #withDeltas(user: User, userId: string): Promise<User> {
    try {
      const corrections = await this.corrected(userId)
      return { ...user, deltas: await this.#learner.personalDeltas(userId, corrections) }
    } catch (error) {
      if (!this.#isClosed) this.#learner.onError(error)
      return user
    }
  }

  #onChange({ topic, userKey }: Change): void {
    if (topic !== 'user') return
    if (userKey === undefined) this.forgetAll()
    else this.#cache.drop(Buffer.from(userKey).toString('base64'))
  }

  #nameOf(userId: string): string {
    return Buffer.from(userKeyOf(this.#store.secret, userId)).toString('base64')
  }
}

/** True for a user who has corrected nothing: the message need not be compared. */
export function isBlank(user: User): boolean {
  return user.rules.count === 0 && !hasMemories(user)
}

/** Whether the user has corrected messages that others are compared with. */
export function hasMemories({ spam, tabs }: User): boolean {
  return spam.messages.length + tabs.messages.length > 0
}

/**
 * Whether the user has called the sender's mail spam, and not said otherwise since. Whoever forges a name is
 * no reason to complain of its owner: for authenticated messages only corrections of such count.
 */
export function hasComplained(
  { complaints }: Pick<User, 'complaints'>,
  senderKey: Uint8Array,
  authentication: SenderAuthentication['result'],
): boolean {
  const counted = authentication === 'pass' ? complaints.proved : complaints.any
  return counted.has(Buffer.from(senderKey).toString('base64'))
}

/** @param corrections about spam, newest first. */
function complainedOf(
  corrections: readonly Pick<MemoryItem, 'senderKey' | 'label'>[],
): Set<string> {
  const last = new Map<string, string>()
  for (const { senderKey, label } of corrections) {
    const sender = Buffer.from(senderKey).toString('base64')
    if (!last.has(sender)) last.set(sender, label)
  }
  return new Set([...last].filter(([, label]) => label === 'spam').map(([sender]) => sender))
}

function userFrom(profile: UserProfile): User {
  return {
    rules: indexRules(profile.rules, undisputedRules(profile.automaticRules, profile.spam)),
    spam: packMemory(profile.spam),
    tabs: packMemory(profile.tabs),
    complaints: {
      any: complainedOf(profile.spam),
      proved: complainedOf(
        profile.spam.filter(({ authenticatedDomain }) => authenticatedDomain !== undefined),
      ),
    },
    deltas: undefined,
    known: true,
  }
}

function emptyProfile(): UserProfile {
  return { rules: [], automaticRules: [], spam: [], tabs: [] }
}

function bytesOf({ rules, spam, tabs, complaints, deltas }: User): number {
  const learned = deltas === undefined ? 0 : personalBytes(deltas)
  const complained = (complaints.any.size + complaints.proved.size) * COMPLAINT_BYTES
  return ENTRY_BYTES + rules.bytes + spam.bytes + tabs.bytes + complained + learned
}
