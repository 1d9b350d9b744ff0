/**
 * The correspondents of users: what they say of a message, what is learned from mail without making a verdict
 * wait, and what users state and remove.
 */
import type { Correspondence, Outgoing } from '../../mail/personalization/correspondence.ts'
import {
  type Correspondent,
  correspondentOf,
  type Tie,
} from '../../mail/personalization/correspondents.ts'
import type { SenderAuthentication } from '../../mail/personalization/rules.ts'
import { comparedAddress } from '../../mail/personalization/sender-address.ts'
import { BatchedWrites, type EntryCounter } from '../batched-writes.ts'
import type { Store } from '../store/store.ts'
import type { CorrespondentKind, LearnedCorrespondent } from './correspondent.ts'
import type { MessageKeys } from './message-keys.ts'
import { hasComplained, type User } from './users.ts'

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

const TIES: Readonly<Record<CorrespondentKind, Tie>> = {
  written: 'written_to',
  sent: 'reply',
  received: 'received',
}

/** A user as far as correspondents are concerned. */
export interface Acquainted extends Pick<User, 'complaints' | 'known'> {
  readonly userId: string
}

export interface CorrespondentsSettings {
  readonly store: Pick<
    Store,
    'addCorrespondents' | 'correspondentKinds' | 'learnCorrespondents' | 'removeCorrespondents'
  >
  readonly keys: MessageKeys
  readonly log: { warn(fields: object, message: string): void }
  /** False: nobody is looked up, and nothing is learned from mail. */
  readonly enabled: boolean
}

export class Correspondents {
  readonly #store: CorrespondentsSettings['store']
  readonly #keys: MessageKeys
  readonly #enabled: boolean
  readonly #writes: BatchedWrites<LearnedCorrespondent>
  /** When senders were heard last, by their keys. */
  readonly #heardLately = new Map<string, number>()

  constructor({ store, keys, log, enabled }: CorrespondentsSettings) {
    this.#store = store
    this.#keys = keys
    this.#enabled = enabled
    this.#writes = new BatchedWrites({
      write: async (batch) => {
        await store.learnCorrespondents(batch)
        return batch.length
      },
      warning: 'Some correspondents were not learned',
      log,
    })
  }

  /** Is told what became of what was learned. */
  set onCounted(onCounted: EntryCounter) {
    this.#writes.onCounted = onCounted
  }

  /** Writes what waits. The store must still be open. */
  async close(): Promise<void> {
    await this.#writes.close()
  }

  /** What the user's correspondents say of a message; undefined for a stranger's. @throws TamisError STORE_UNAVAILABLE */
  async lookUp(
    user: Acquainted,
    correspondence: Correspondence,
    { result }: Pick<SenderAuthentication, 'result'>,
  ): Promise<Correspondent | undefined> {
    const { sender, repliesTo } = correspondence
    // From anyone may be written: what the user writes to himself says nothing for what others write in his name.
    if (!this.#enabled || sender === undefined || !user.known || isOwn(user, sender)) return
    if (hasComplained(user, this.#keys.keyOf('sender', sender), result)) return
    const keys = [
      this.#keys.correspondentKey('address', user.userId, sender),
      ...repliesTo.map((id) => this.#keys.correspondentKey('message', user.userId, id)),
    ]
    const kinds = await this.#store.correspondentKinds(keys)
    return correspondentOf(new Set(kinds.map((kind) => TIES[kind])), correspondence, result)
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
    const name = Buffer.from(key).toString('base64')
    const now = performance.now()
    const heardAt = this.#heardLately.get(name)
    if (heardAt !== undefined && now - heardAt < HEARD_AGAIN_MS) return false
    if (this.#heardLately.size >= HEARD_LATELY_MAX) this.#heardLately.clear()
    this.#heardLately.set(name, now)
    return true
  }
}

/** Whether `address` is the user's own, as far as the id says: many operators have addresses for ids. */
function isOwn({ userId }: Pick<Acquainted, 'userId'>, address: string): boolean {
  return comparedAddress(userId) === address
}
