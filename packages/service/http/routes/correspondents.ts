/** Routes for a user's correspondents: told from an address book or by a mail server, listed, and removed. */

import { TamisError } from '../../../errors/errors.ts'
import { readMessageId } from '../../../mail/personalization/patterns.ts'
import { comparedAddress } from '../../../mail/personalization/sender-address.ts'
import { callerOf } from '../../access/caller.ts'
import { storedUser } from '../../access/namespace.ts'
import { type Static, Type } from '../../json-schema.ts'
import { CORRESPONDENT_KINDS } from '../../users/correspondent.ts'
import { checkUserId } from '../metadata.ts'
import { ok, operation } from '../route.ts'
import {
  Component,
  Integer,
  ListOf,
  NameOf,
  Text,
  Time,
  USER_ID_FIELD,
  UserQuery,
} from '../schemas.ts'

/** Addresses in one request: most address books, some 30 kB. */
const ADDRESSES_MAX = 1_000

/** Message-IDs in one request: a mail server tells of one message at a time. */
const MESSAGE_IDS_MAX = 100

/** The longest address and Message-ID in characters; what is longer no message has (patterns.ts, sender-address.ts). */
const ADDRESS_LENGTH_MAX = 320
const MESSAGE_ID_LENGTH_MAX = 512

/** Room for a thousand addresses of the greatest length in ASCII, and for all that are common in escapes of six bytes. */
const BODY_BYTES_MAX = 512 * 1024

const Addresses = (description: string) =>
  Type.Array(Type.String({ minLength: 1, maxLength: ADDRESS_LENGTH_MAX }), {
    maxItems: ADDRESSES_MAX,
    description,
    examples: [['ann@example.com']],
  })

const CorrespondentsBody = Component('CorrespondentsBody', {
  userId: USER_ID_FIELD,
  addresses: Addresses(
    'Email addresses that the user writes to, without names; case does not matter',
  ),
  messageIds: Type.Optional(
    Type.Array(Type.String({ minLength: 1, maxLength: MESSAGE_ID_LENGTH_MAX }), {
      maxItems: MESSAGE_IDS_MAX,
      description: 'Message-IDs of messages that the user has sent',
      examples: [['<1@example.org>']],
    }),
  ),
})

const RecordedCorrespondents = Component('RecordedCorrespondents', {
  status: Type.Literal('recorded'),
  userId: USER_ID_FIELD,
  added: Integer('Those of them that are new'),
})

const CorrespondentsResult = Component('CorrespondentsResult', {
  userId: USER_ID_FIELD,
  correspondents: ListOf('In the order of kinds and keys', {
    kind: NameOf(
      CORRESPONDENT_KINDS,
      '`written`: an address that the user has written to; `sent`: the Message-ID of a message that the user has sent; `received`: a sender whose mail the user receives, which counts from the third day over two weeks on',
    ),
    key: Text('Equal for the same address or Message-ID of this user; nothing can be read from it'),
    times: Integer('How often it was learned; of received mail, on how many days'),
    firstAt: Time(),
    lastAt: Time(),
  }),
})

type CorrespondentsResult = Static<typeof CorrespondentsResult>

const RemoveCorrespondentsBody = Component('RemoveCorrespondentsBody', {
  userId: USER_ID_FIELD,
  addresses: Type.Optional(Addresses('Only these; all correspondents if absent')),
})

const RemovedCorrespondents = Component('RemovedCorrespondents', {
  status: Type.Literal('removed'),
  userId: USER_ID_FIELD,
  removed: Integer('How many there were'),
})

export const CORRESPONDENTS = [
  operation({
    method: 'POST',
    path: '/personalization/correspondents',
    scope: 'feedback',
    entitlement: 'spam',
    operationId: 'addCorrespondents',
    tag: 'Users',
    summary: 'Tells with whom a user writes: an address book, or whom a message was sent to',
    description:
      'Mail from these addresses, and replies to these messages, is less likely to be called spam for this user (docs/correspondents.md). Only keyed hashes are kept; a user has at most 5,000 correspondents of each kind, and the oldest leave. The address of the user is left out, if it is the id. This is an extension of the interface.',
    body: { schema: CorrespondentsBody, bytesMax: BODY_BYTES_MAX },
    answers: ok('Recorded', RecordedCorrespondents),
    handler: async (request, { correspondents }) => {
      const { addresses, messageIds = [] } = request.body
      const userId = checkUserId(request.body.userId)
      const added = await correspondents.add(storedUser(callerOf(request), userId), {
        addresses: checkAddresses(addresses),
        messageIds: messageIds.map(checkMessageId),
      })
      return { status: 'recorded', userId, added }
    },
  }),
  operation({
    method: 'GET',
    path: '/personalization/correspondents',
    scope: 'feedback',
    entitlement: 'spam',
    operationId: 'correspondents',
    tag: 'Users',
    summary: 'The correspondents of a user: kinds, times and keyed hashes, no address',
    description: 'All that is stored of the correspondents of a user.',
    query: UserQuery,
    answers: ok('The correspondents', CorrespondentsResult),
    handler: async (request, { store }): Promise<CorrespondentsResult> => {
      const userId = checkUserId(request.query.userId)
      const found = await store.correspondentsOf(storedUser(callerOf(request), userId))
      const correspondents = found.map(({ kind, key, times, firstAt, lastAt }) => ({
        kind,
        key: Buffer.from(key).toString('base64url'),
        times,
        firstAt: firstAt.toISOString(),
        lastAt: lastAt.toISOString(),
      }))
      return { userId, correspondents }
    },
  }),
  operation({
    method: 'DELETE',
    path: '/personalization/correspondents',
    scope: 'feedback',
    operationId: 'removeCorrespondents',
    tag: 'Users',
    summary: 'Removes correspondents of a user: all, or those with some addresses',
    description:
      'Rules, memory and corrections stay; `DELETE /personalization/data` removes correspondents with everything else. It is safe to repeat the request.',
    body: { schema: RemoveCorrespondentsBody, bytesMax: BODY_BYTES_MAX },
    answers: ok('Removed', RemovedCorrespondents),
    handler: async (request, { correspondents }) => {
      const { addresses } = request.body
      const userId = checkUserId(request.body.userId)
      const removed = await correspondents.remove(
        storedUser(callerOf(request), userId),
        addresses && checkAddresses(addresses),
      )
      return { status: 'removed', userId, removed }
    },
  }),
]

/** @throws TamisError FIELD_INVALID, naming the item. */
function checkAddresses(addresses: readonly string[]): string[] {
  return addresses.map(
    (address, at) =>
      comparedAddress(address.trim()) ??
      refuse('addresses', at, 'an email address, without a name'),
  )
}

/** @throws TamisError FIELD_INVALID, naming the item. */
function checkMessageId(messageId: string, at: number): string {
  const bracketed = messageId.startsWith('<') ? messageId : `<${messageId}>`
  if (readMessageId(bracketed) === bracketed) return bracketed
  return refuse('messageIds', at, 'a Message-ID (<1@example.com>)')
}

/** It says what is allowed and not what was sent: that is somebody's address. */
function refuse(field: string, at: number, rule: string): never {
  throw new TamisError('FIELD_INVALID', `${field}[${at}] must be ${rule}`, {
    details: { field: `${field}/${at}` },
  })
}
