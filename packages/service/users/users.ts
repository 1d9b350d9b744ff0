/**
 * A cache of users' rules, memories and personal deltas, ready to be compared with messages.
 *
 * The store is the truth and this a cache of it, bounded in bytes, the longest unused leaving
 * first. A change, made here or by another process, drops the user's entry. Classification never
 * waits long for the store, and never fails with it: a user who cannot be looked up counts as
 * unknown, and the verdict says so where somebody looks (the diagnostic).
 */

import { type Memory, packMemory } from '../../mail/personalization/memory.ts'
import {
  PERSONAL_EXAMPLES_MAX,
  type PersonalDeltas,
  personalBytes,
} from '../../mail/personalization/personal-deltas.ts'
import { indexRules, type RuleIndex } from '../../mail/personalization/rule-index.ts'
import { undisputedRules } from '../../mail/personalization/rules.ts'
import type { LearnedModels } from '../learned-models/learned-models.ts'
import type { Change } from '../store/change.ts'
import type { Store } from '../store/store.ts'
import { userKeyOf } from './user-key.ts'
import type { UserProfile } from './user-profile.ts'

/** Items of a memory, of each kind; the oldest leave (docs/decisions). */
export const MEMORY_ITEMS_MAX = 2_000

/** How long a classification waits for the data of its recipient, in milliseconds. */
const LOOKUP_MS_MAX = 250

/** What an entry takes up beside rules and memories, in bytes, roughly. */
const ENTRY_BYTES = 1_000

/** The data of one user. */
export interface User {
  /** The rules that the user has stated, and those made from corrections. */
  readonly rules: RuleIndex
  readonly spam: Memory
  readonly tabs: Memory
  /** What the corrections add to the models; undefined for none, and until they are learned. */
  readonly deltas: PersonalDeltas | undefined
  /** False if the store was not available. */
  readonly known: boolean
}

type UserStore = Pick<Store, 'userProfile' | 'correctedFeatures' | 'watch' | 'secret'>

/** Learns a user's own deltas, where anything is learned. */
export type PersonalLearner = Pick<LearnedModels, 'featureVersion' | 'personalDeltas' | 'onError'>

interface Entry {
  readonly loading: Promise<User>
  /** Rules and memory, once they are loaded. */
  profile?: User
  /** The same with the deltas, once those are learned. */
  user?: User
  /** The size in bytes; 0 until it is loaded. */
  bytes: number
}

const UNKNOWN: User = { ...userFrom(emptyProfile()), known: false }

export class Users {
  readonly #store: UserStore
  readonly #learner: PersonalLearner
  readonly #bytesMax: number
  /** The entries by the HMAC of tenant and user id; the longest unused first. */
  readonly #entries = new Map<string, Entry>()
  #bytes = 0
  #isClosed = false
  #stopWatching: () => void = () => {}

  private constructor(store: UserStore, bytesMax: number, learner: PersonalLearner) {
    this.#store = store
    this.#bytesMax = bytesMax
    this.#learner = learner
  }

  /** Follows the changes in `store` until `close`. */
  static async open(store: UserStore, bytesMax: number, learner: PersonalLearner): Promise<Users> {
    const users = new Users(store, bytesMax, learner)
    users.#stopWatching = await store.watch((change) => users.#onChange(change))
    return users
  }

  /** What is being learned for users may fail from now on. */
  close(): void {
    this.#isClosed = true
    this.#stopWatching()
  }

  /** The data of the user; never rejects. */
  async lookUp(tenant: string, userId: string): Promise<User> {
    const name = this.#nameOf(tenant, userId)
    const entry = this.#entries.get(name) ?? this.#load(name, tenant, userId)
    // The entry that was used last stands last.
    this.#entries.delete(name)
    this.#entries.set(name, entry)
    if (entry.user !== undefined) return entry.user
    return await Promise.race([
      entry.loading.catch(() => UNKNOWN),
      after(LOOKUP_MS_MAX).then(() => entry.profile ?? UNKNOWN),
    ])
  }

  /** Drops the data of all users, so that it is read again. */
  forgetAll(): void {
    for (const name of [...this.#entries.keys()]) this.#drop(name)
  }

  #load(name: string, tenant: string, userId: string): Entry {
    const profile = this.#store.userProfile(tenant, userId, MEMORY_ITEMS_MAX).then(userFrom)
    const loading = profile.then((user) => this.#withDeltas(user, tenant, userId))
    const entry: Entry = { loading, bytes: 0 }
    profile.then(
      (user) => {
        entry.profile = user
      },
      () => {},
    )
    loading.then(
      (user) => this.#keep(name, entry, user),
      () => this.#dropIf(name, entry),
    )
    return entry
  }

  /** A user who has corrected nothing has no deltas. Without them rules and memory serve all the same. */
  async #withDeltas(user: User, tenant: string, userId: string): Promise<User> {
    if (user.spam.messages.length + user.tabs.messages.length === 0) return user
    try {
      const corrections = await this.#store.correctedFeatures(
        tenant,
        userId,
        this.#learner.featureVersion,
        PERSONAL_EXAMPLES_MAX,
      )
      return { ...user, deltas: await this.#learner.personalDeltas(tenant, userId, corrections) }
    } catch (error) {
      if (!this.#isClosed) this.#learner.onError(error)
      return user
    }
  }

  /** Counts a loaded entry, unless it was dropped meanwhile, and makes room. */
  #keep(name: string, entry: Entry, user: User): void {
    if (this.#entries.get(name) !== entry) return
    const bytes = bytesOf(user)
    // One larger than the whole cache would only drive the others out.
    if (bytes > this.#bytesMax) {
      this.#drop(name)
      return
    }
    entry.user = user
    entry.bytes = bytes
    this.#bytes += entry.bytes
    for (const [oldest] of this.#entries) {
      if (this.#bytes <= this.#bytesMax) break
      this.#drop(oldest)
    }
  }

  #drop(name: string): void {
    this.#bytes -= this.#entries.get(name)?.bytes ?? 0
    this.#entries.delete(name)
  }

  #dropIf(name: string, entry: Entry): void {
    if (this.#entries.get(name) === entry) this.#drop(name)
  }

  #onChange({ topic, userKey }: Change): void {
    if (topic !== 'user') return
    if (userKey === undefined) this.forgetAll()
    else this.#drop(Buffer.from(userKey).toString('base64'))
  }

  #nameOf(tenant: string, userId: string): string {
    return Buffer.from(userKeyOf(this.#store.secret, tenant, userId)).toString('base64')
  }
}

/** True for a user who has corrected nothing: the message need not be compared. */
export function isBlank({ rules, spam, tabs }: User): boolean {
  return rules.count + spam.messages.length + tabs.messages.length === 0
}

function userFrom(profile: UserProfile): User {
  return {
    rules: indexRules(profile.rules, undisputedRules(profile.automaticRules, profile.spam)),
    spam: packMemory(profile.spam),
    tabs: packMemory(profile.tabs),
    deltas: undefined,
    known: true,
  }
}

function emptyProfile(): UserProfile {
  return { rules: [], automaticRules: [], spam: [], tabs: [] }
}

function bytesOf({ rules, spam, tabs, deltas }: User): number {
  const learned = deltas === undefined ? 0 : personalBytes(deltas)
  return ENTRY_BYTES + rules.bytes + spam.bytes + tabs.bytes + learned
}

function after(ms: number): Promise<void> {
  return new Promise((resolve) => {
    setTimeout(resolve, ms).unref()
  })
}
