/** What a user's correspondents say of a message. */
import {
  type Correspondent,
  correspondentOf,
  type Tie,
} from '../../mail/personalization/correspondents.ts'
import type { SenderAuthentication } from '../../mail/personalization/rules.ts'
import { comparedAddress } from '../../mail/personalization/sender-address.ts'
import type { Analysis } from '../../mail/verdict/analysis.ts'
import type { CorrespondentKeys } from './correspondent.ts'
import { CORRESPONDENT_KEY_BYTES, type MessageKeys } from './message-keys.ts'
import { hasComplained, type User } from './users.ts'

const NO_KEYS = new Uint8Array()

export const NO_CORRESPONDENTS: CorrespondentKeys = {
  written: NO_KEYS,
  sent: NO_KEYS,
  received: NO_KEYS,
}

/** A user whose correspondents are known. */
export interface Acquainted extends Pick<User, 'complaints' | 'known'> {
  readonly userId: string
  readonly correspondents: CorrespondentKeys
}

/** What the user's correspondents say of a message that is analysed so far; undefined for a stranger's. */
export function correspondentFor(
  user: Acquainted,
  { correspondence }: Pick<Analysis, 'correspondence'>,
  { result }: Pick<SenderAuthentication, 'result'>,
  keys: MessageKeys,
): Correspondent | undefined {
  const { sender } = correspondence
  // From anyone may be written: what the user writes to himself says nothing for what others write in his name.
  if (sender === undefined || isOwn(user, sender)) return undefined
  const { written, sent, received } = user.correspondents
  if (!user.known || written.length + sent.length + received.length === 0) return undefined
  if (hasComplained(user, keys.keyOf('sender', sender), result)) return undefined
  const ties = new Set<Tie>()
  const senderKey = keys.correspondentKey('address', user.userId, sender)
  if (hasKey(written, senderKey)) ties.add('written_to')
  if (hasKey(received, senderKey)) ties.add('received')
  if (sent.length > 0 && correspondence.repliesTo.some(isSent)) ties.add('reply')
  return correspondentOf(ties, correspondence, result)

  function isSent(messageId: string): boolean {
    return hasKey(sent, keys.correspondentKey('message', user.userId, messageId))
  }
}

/** Whether `address` is the user's own, as far as the id says: many operators have addresses for ids. */
export function isOwn({ userId }: Pick<Acquainted, 'userId'>, address: string): boolean {
  return comparedAddress(userId) === address
}

/** Whether `key` is among the ascending `keys`, by bisection. */
function hasKey(keys: Uint8Array, key: Uint8Array): boolean {
  let from = 0
  let to = keys.length / CORRESPONDENT_KEY_BYTES
  while (from < to) {
    const middle = (from + to) >>> 1
    const start = middle * CORRESPONDENT_KEY_BYTES
    const order = Buffer.compare(keys.subarray(start, start + CORRESPONDENT_KEY_BYTES), key)
    if (order === 0) return true
    if (order < 0) from = middle + 1
    else to = middle
  }
  return false
}
