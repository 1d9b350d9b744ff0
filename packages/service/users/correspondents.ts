/**
 * The correspondents of users: a cache for judging, what is learned from mail without making a verdict
 * wait, and what users state, see and remove.
 *
 * The cache is bounded in bytes, and apart from that of rules and memories (users.ts): every message that
 * a user sends changes it. A change, made here or elsewhere, drops the user's entry. A user who
 * cannot be looked up has no correspondents.
 */
import type { Correspondence, Outgoing } from '../../mail/personalization/correspondence.ts'
import { BatchedWrites, type EntryCounter } from '../batched-writes.ts'
import type { Change } from '../store/changes.ts'
import type { Store } from '../store/store.ts'
import { StoreCache } from '../store-cache.ts'
import type { CorrespondentKeys, LearnedCorrespondent } from './correspondent.ts'
import { isOwn, NO_CORRESPONDENTS } from './correspondent-evidence.ts'
import { type MessageKeys, userKeyOf } from './message-keys.ts'

/** How long a sender is not counted again for the same user, in milliseconds: the store counts days. */
const HEARD_AGAIN_MS = 60 * 60 * 1_000

/** Senders heard lately that are remembered; all are forgotten when there are more. Some 2 MB. */
const HEARD_LATELY_MAX = 20_000

/** A user who was sent a message. */
export interface Hearer {
  readonly userId: string
  /** False if the store was not available. */
  readonly known: boolean
  /** Of mail of its sender, whose name nobody has forged. */
  readonly hasComplained: boolean
}

/** Whom a user writes to, and which messages the user has sent. */
export interface Stated {
  /** As comparedAddress gives them. */
  readonly addresses: readonly string[]
  /** In angle brackets. */
  readonly messageIds: readonly string[]
}

/** What an entry of the cache takes up beside its keys, in bytes, roughly. */
const ENTRY_BYTES = 500

export interface CorrespondentsSettings {
  readonly store: Pick<
    Store,
    | 'addCorrespondents'
    | 'catchUp'
    | 'correspondentKeys'
    | 'isCurrent'
    | 'learnCorrespondents'
    | 'removeCorrespondents'
    | 'secret'
    | 'watch'
  >
  readonly keys: MessageKeys
  readonly log: { warn(fields: object, message: string): void }
  /** Of the cache. */
  readonly bytesMax: number
  /** False: nobody is looked up, and nothing is learned from mail. */
  readonly enabled: boolean
}

export class Correspondents {
  readonly #store: CorrespondentsSettings['store']
  readonly #keys: MessageKeys
  readonly #enabled: boolean
  readonly #writes: BatchedWrites<LearnedCorrespondent>
  /** By the HMAC of the user id. */
  readonly #cache: StoreCache<CorrespondentKeys>
  /** When senders were heard last, by their keys. */
  readonly #heardLately = new Map<string, number>()
  readonly #stopWatching: () => void

  /** Follows the changes in `store` until `close`. */
  constructor({ store, keys, log, bytesMax, enabled }: CorrespondentsSettings) {
    this.#store = store
    this.#keys = keys
    this.#enabled = enabled
    this.#cache = new StoreCache(store, bytesMax, bytesOf, NO_CORRESPONDENTS)
    this.#writes = new BatchedWrites({
      write: async (batch) => {
        await store.learnCorrespondents(batch)
        return batch.length
      },
      warning: 'Some correspondents were not learned',
      log,
    })
    this.#stopWatching = store.watch((change) => this.#onChange(change))
  }

  /** Is told what became of what was learned. */
  set onCounted(onCounted: EntryCounter) {
    this.#writes.onCounted = onCounted
  }

  /** Writes what waits. The store must still be open. */
  async close(): Promise<void> {
    this.#stopWatching()
    await this.#writes.close()
  }

  /** What counts of the user's correspondents; never rejects. */
  async lookUp(userId: string): Promise<CorrespondentKeys> {
    if (!this.#enabled) return NO_CORRESPONDENTS
    const name = nameOf(userKeyOf(this.#store.secret, userId))
    return await this.#cache.lookUp(name, () => this.#store.correspondentKeys(userId))
  }

  /** The user was sent a message from an authenticated sender that is not spam. */
  hear(user: Hearer, { sender, isShared, unsafe }: Correspondence): void {
    if (sender === undefined || isShared || unsafe !== undefined || isOwn(user, sender)) return
    if (!this.#enabled || !user.known || user.hasComplained) return
    const key = this.#keys.correspondentKey('address', user.userId, sender)
    if (!this.#isHeardAgain(key)) return
    this.#writes.record([{ userId: user.userId, kind: 'received', key, at: new Date() }])
  }

  /** The user has sent a message. */
  learnSent(userId: string, { recipients, messageId }: Outgoing): void {
    if (!this.#enabled) return
    const at = new Date()
    const messageIds = messageId === undefined ? [] : [messageId]
    const stated = this.#stated(userId, { addresses: recipients, messageIds })
    this.#writes.record(stated.map((each) => ({ ...each, userId, at })))
  }

  /** Keeps what the user states. How many are new. @throws TamisError STORE_UNAVAILABLE */
  add(userId: string, stated: Stated): Promise<number> {
    return this.#store.addCorrespondents(userId, this.#stated(userId, stated))
  }

  /** Removes those with `addresses`, or all of the user's. How many there were. @throws TamisError STORE_UNAVAILABLE */
  remove(userId: string, addresses?: readonly string[]): Promise<number> {
    const keys = addresses?.map((address) =>
      this.#keys.correspondentKey('address', userId, address),
    )
    return this.#store.removeCorrespondents(userId, keys)
  }

  #stated(userId: string, { addresses, messageIds }: Stated) {
    const others = addresses.filter((address) => !isOwn({ userId }, address))
    return [
      ...others.map((address) => ({
        kind: 'written' as const,
        key: this.#keys.correspondentKey('address', userId, address),
      })),
      ...messageIds.map((messageId) => ({
        kind: 'sent' as const,
        key: this.#keys.correspondentKey('message', userId, messageId),
      })),
    ]
  }

  #isHeardAgain(key: Uint8Array): boolean {
    const name = nameOf(key)
    const now = performance.now()
    const heardAt = this.#heardLately.get(name)
    if (heardAt !== undefined && now - heardAt < HEARD_AGAIN_MS) return false
    if (this.#heardLately.size >= HEARD_LATELY_MAX) this.#heardLately.clear()
    this.#heardLately.set(name, now)
    return true
  }

  #onChange({ topic, userKey }: Change): void {
    if (topic === 'correspondents' && userKey !== undefined) this.#cache.drop(nameOf(userKey))
  }
}

function nameOf(key: Uint8Array): string {
  return Buffer.from(key).toString('base64')
}

function bytesOf({ written, sent, received }: CorrespondentKeys): number {
  return ENTRY_BYTES + written.length + sent.length + received.length
}
