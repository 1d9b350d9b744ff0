/** Routes that list users, show and delete the data of one (interface §4.16, §4.17), and say how far the job after a deletion is. */

import type { FastifyRequest } from 'fastify'
import { TamisError } from '../../../errors/errors.ts'
import { KINDS, type Kind } from '../../../mail/personalization/kinds.ts'
import { type Caller, callerOf } from '../../access/caller.ts'
import { shownUser, storedUser, usersOf } from '../../access/namespace.ts'
import { type Static, Type } from '../../json-schema.ts'
import type { DeletionKind, MemoryItem } from '../../users/correction.ts'
import { checkUserId, checkUserIdStart } from '../metadata.ts'
import { Limit, shownOf } from '../page-of.ts'
import { ok, operation, type Services } from '../route.ts'
import {
  Closed,
  CORRECTED_SENDER_FIELDS,
  Component,
  Described,
  FEEDBACK_ID_FIELD,
  Integer,
  ListOf,
  NameOf,
  SMALL_BODY_BYTES_MAX,
  Text,
  Time,
  USER_ID_FIELD,
  UserQuery,
} from '../schemas.ts'

/** Users in one answer: what a person scrolls through. */
const USERS_MAX = 200

const USERS_DEFAULT = 50

const UsersQuery = Closed({
  search: Type.Optional(
    Type.String({
      maxLength: 1_024,
      description:
        'Only users whose id begins with this; case matters. At most 256 visible characters; empty means all',
      examples: ['user-47'],
    }),
  ),
  limit: Limit(USERS_MAX, USERS_DEFAULT, 'users'),
  cursor: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: 1_024,
      description: '`cursor` of an answer, for the users after it; `search` stays the same',
    }),
  ),
})

const UsersResult = Described('UsersResult', 'Users with stored data', {
  users: ListOf('In the order of their ids, by code points', {
    userId: USER_ID_FIELD,
    rules: Integer('Explicit rules'),
    corrections: Integer('Corrections in force. 0 if all were withdrawn: they stay in the log'),
    lastCorrection: Type.Optional(Time('Absent if none is in force')),
    correspondents: Integer('Correspondents of all kinds'),
  }),
  cursor: Type.Optional(Text('If there are more')),
})

type UsersResult = Static<typeof UsersResult>

const UserBody = Component('UserBody', { userId: USER_ID_FIELD })

const MemoryResult = Component('MemoryResult', {
  userId: USER_ID_FIELD,
  items: Type.Array(
    Closed({
      feedbackId: FEEDBACK_ID_FIELD,
      kind: NameOf(KINDS),
      label: Text('`spam` or `ham`, or a class'),
      embeddingModel: Text('The model that made the vector'),
      similarityKey: Text('Equal for corrections of one message; nothing can be read from it'),
      ...CORRECTED_SENDER_FIELDS,
      createdAt: Time(),
    }),
  ),
})

const DeletedData = Component('DeletedData', {
  status: Type.Literal('deleted'),
  userId: USER_ID_FIELD,
  deletedAt: Time(),
  deleted: Closed({
    rules: Integer('Explicit rules'),
    memory: Integer('Corrections in the memory'),
    feedback: Integer('Corrections in the log'),
    history: Type.Optional(Integer('Entries in the history; absent if there were none')),
    correspondents: Type.Optional(Integer('Correspondents; absent if there were none')),
  }),
  jobId: Text('Rebuilds the models without the user: `GET /jobs/{id}`'),
})

const DELETION = {
  method: 'DELETE',
  scope: 'feedback',
  tag: 'Users',
  body: { schema: UserBody, bytesMax: SMALL_BODY_BYTES_MAX },
  answers: ok('Deleted', DeletedData),
} as const

export const USERS = [
  operation({
    method: 'GET',
    path: '/users',
    scope: 'feedback',
    operationId: 'users',
    tag: 'Users',
    summary: 'The users with stored data, with search',
    description:
      'Users of the key’s namespace with rules, corrections or correspondents. A user whose corrections are all withdrawn stays in the list until these expire.',
    query: UsersQuery,
    answers: ok('The users', UsersResult),
    handler: async (request, { store }): Promise<UsersResult> => {
      const { search = '', limit = USERS_DEFAULT, cursor } = request.query
      const startsWith = checkUserIdStart(search, 'search')
      const caller = callerOf(request)
      const found = await store.usersOf({
        users: usersOf(caller, startsWith),
        ...(cursor !== undefined && {
          after: storedUser(caller, checkUserIdStart(cursor, 'cursor')),
        }),
        limit: limit + 1,
        kinds: kindsFor(caller),
      })
      const { shown, last } = shownOf(found, limit)
      const users = shown.map(({ userId, lastCorrection, ...counts }) => ({
        userId: shownUser(userId),
        ...counts,
        ...(lastCorrection && { lastCorrection: lastCorrection.toISOString() }),
      }))
      return { users, ...(last && { cursor: shownUser(last.userId) }) }
    },
  }),
  operation({
    method: 'GET',
    path: '/personalization/memory',
    scope: 'feedback',
    operationId: 'memory',
    tag: 'Users',
    summary: "The corrections of a user: times, labels and senders' domains",
    description:
      'Each correction in the memory, newest first: time, label, domain of the sender and id. A Sender rule made from a correction has the id of the correction. The answer has no text of a message.',
    query: UserQuery,
    answers: ok('The memory', MemoryResult),
    handler: async (request, { corrections }) => {
      const caller = callerOf(request)
      const userId = checkUserId(request.query.userId)
      const kinds = kindsFor(caller)
      const held = await corrections.memoryOf(storedUser(caller, userId))
      const items = held.filter(({ kind }) => kinds.includes(kind))
      return { userId, items: items.map(shownItem) }
    },
  }),
  operation({
    ...DELETION,
    path: '/personalization/tabs/data',
    operationId: 'deleteTabsData',
    summary: "Deletes a user's data about classes",
    description: 'Deletes rules, memory and corrections about classes. Those about spam stay.',
    handler: (request, services) => forget(request, services, 'tabs'),
  }),
  operation({
    ...DELETION,
    path: '/personalization/data',
    operationId: 'deleteData',
    summary:
      'Forgets a user: rules, memory, correspondents, and corrections about spam and classes',
    description:
      'Deletes all data of the user at once. The job then rebuilds the shared models as if the user had never existed. It is safe to repeat the request.',
    handler: (request, services) => forget(request, services, 'all'),
  }),
]

async function forget(
  request: FastifyRequest<{ Body: Static<typeof UserBody> }>,
  { store }: Services,
  kind: DeletionKind,
): Promise<Static<typeof DeletedData>> {
  const userId = checkUserId(request.body.userId)
  const { jobId, deletedAt, history, correspondents, ...counts } = await store.deleteUser(
    storedUser(callerOf(request), userId),
    kind,
  )
  return {
    status: 'deleted',
    userId,
    deletedAt: deletedAt.toISOString(),
    deleted: {
      ...counts,
      ...(history > 0 && { history }),
      ...(correspondents > 0 && { correspondents }),
    },
    jobId,
  }
}

function shownItem({
  feedbackId,
  kind,
  label,
  embeddingModel,
  messageKey,
  authenticatedDomain,
  claimedDomain,
  createdAt,
}: MemoryItem) {
  return {
    ...{ feedbackId, kind, label, embeddingModel },
    similarityKey: Buffer.from(messageKey).toString('base64url'),
    ...(authenticatedDomain !== undefined && { authenticatedDomain }),
    ...(claimedDomain !== undefined && { claimedDomain }),
    createdAt: createdAt.toISOString(),
  }
}

/** What the caller may see: without spam detection nothing about spam. */
function kindsFor({ entitlements }: Caller): readonly Kind[] {
  return KINDS.filter((kind) => kind !== 'spam' || entitlements.has('spam'))
}

const JobParams = Type.Object({
  jobId: Type.String({
    minLength: 1,
    maxLength: 64,
    examples: ['60a2572b-44b0-491d-8871-f85196c17e50'],
  }),
})

const JobResult = Component('JobResult', {
  jobId: Type.String(),
  kind: Text('`rebuild`: the models, without a user who left'),
  state: NameOf(['queued', 'done']),
  createdAt: Time(),
  finishedAt: Type.Optional(Time()),
})

export const JOBS = [
  operation({
    method: 'GET',
    path: '/jobs/:jobId',
    scope: 'feedback',
    operationId: 'job',
    tag: 'Users',
    summary: 'State of a background job',
    description: 'State of the rebuild after a deletion.',
    params: JobParams,
    answers: ok('The job', JobResult),
    handler: async (request, { store }) => {
      const job = await store.jobById(request.params.jobId)
      if (job === undefined || job.namespace !== callerOf(request).namespace)
        throw new TamisError('NOT_FOUND', 'There is no such job')
      return {
        jobId: job.id,
        kind: 'rebuild',
        state: job.finishedAt === undefined ? 'queued' : 'done',
        createdAt: job.createdAt.toISOString(),
        ...(job.finishedAt === undefined ? {} : { finishedAt: job.finishedAt.toISOString() }),
      }
    },
  }),
]
