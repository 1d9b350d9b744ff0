/** Routes that show and delete the data of a user (interface §4.16, §4.17). */

import { Type } from 'typebox'
import { KINDS, type Kind } from '../../../mail/personalization/kinds.ts'
import { callerOf } from '../../access/caller.ts'
import { checkUserId } from '../metadata.ts'
import { CREATED_AT, FEEDBACK_ID, JOB_ID, USER_ID } from '../openapi/examples.ts'
import { operation } from '../route.ts'
import { CLOSED, FEEDBACK_ID_FIELD, NameOf, USER_ID_FIELD, UserQuery } from '../schemas.ts'

/** Room for a user id of 256 characters, in escapes of at most twelve bytes (`\\ud83d\\ude00`), and some more. */
const USER_BODY_BYTES_MAX = 16 * 1024

const UserBody = Type.Object({ userId: USER_ID_FIELD }, { title: 'UserBody', ...CLOSED })

const MemoryResult = Type.Object(
  {
    userId: USER_ID_FIELD,
    items: Type.Array(
      Type.Object(
        {
          feedbackId: FEEDBACK_ID_FIELD,
          kind: NameOf(KINDS),
          label: Type.String({ description: '`spam` or `ham`, or a class' }),
          embeddingModel: Type.String({ description: 'Made the vector that is compared' }),
          similarityKey: Type.String({
            description: 'Equal for corrections of one message; nothing can be read from it',
          }),
          createdAt: Type.String({ format: 'date-time' }),
        },
        CLOSED,
      ),
    ),
  },
  { title: 'MemoryResult', ...CLOSED },
)

const DeletedData = Type.Object(
  {
    status: Type.Literal('deleted'),
    userId: USER_ID_FIELD,
    deletedAt: Type.String({ format: 'date-time' }),
    deleted: Type.Object(
      {
        rules: Type.Integer({ description: 'Explicit rules' }),
        memory: Type.Integer({ description: 'Corrections that were remembered' }),
        feedback: Type.Integer({ description: 'Corrections in the log' }),
        history: Type.Optional(
          Type.Integer({ description: 'Entries in the history; absent if there were none' }),
        ),
      },
      CLOSED,
    ),
    jobId: Type.String({ description: 'Rebuilds the models without the user: `GET /jobs/{id}`' }),
  },
  { title: 'DeletedData', ...CLOSED },
)

const DELETION = {
  method: 'DELETE',
  scope: 'feedback',
  tag: 'Users',
  body: { schema: UserBody, bytesMax: USER_BODY_BYTES_MAX },
  example: { body: { userId: USER_ID } },
  answers: {
    200: {
      description: 'Deleted',
      schema: DeletedData,
      example: {
        status: 'deleted',
        userId: USER_ID,
        deletedAt: CREATED_AT,
        deleted: { rules: 2, memory: 2, feedback: 2 },
        jobId: JOB_ID,
      },
    },
  },
  errors: ['STORE_UNAVAILABLE'],
} as const

export const USERS = [
  operation({
    method: 'GET',
    path: '/personalization/memory',
    scope: 'feedback',
    operationId: 'memory',
    tag: 'Users',
    summary: 'The corrections of a user: times and labels, no text',
    description: 'Each correction that is remembered: when, what, under which id. No text.',
    query: UserQuery,
    example: { query: { userId: USER_ID } },
    answers: {
      200: {
        description: 'The memory',
        schema: MemoryResult,
        example: {
          userId: USER_ID,
          items: [
            {
              feedbackId: FEEDBACK_ID,
              kind: 'spam',
              label: 'ham',
              embeddingModel: 'tamis-static-2026.11.2',
              similarityKey: 'H7rANruquRhZVfq0Pm9_tzkF5J8MgTTOCiigtdHFEQo',
              createdAt: CREATED_AT,
            },
          ],
        },
      },
    },
    errors: ['STORE_UNAVAILABLE'],
    handler: async (request, { corrections }) => {
      const { tenant, entitlements } = callerOf(request)
      const userId = checkUserId(request.query.userId)
      const items = await corrections.memoryOf(tenant, userId)
      const isShown = ({ kind }: { kind: Kind }) => kind !== 'spam' || entitlements.has('spam')
      return { userId, items: items.filter(isShown) }
    },
  }),
  operation({
    ...DELETION,
    path: '/personalization/tabs/data',
    operationId: 'deleteTabsData',
    summary: "Deletes a user's data about classes",
    description:
      'Rules, memory and corrections about classes; what the user said about spam stays.',
    handler: (request, { corrections }) => {
      const userId = checkUserId(request.body.userId)
      return corrections.forget(callerOf(request).tenant, userId, 'tabs')
    },
  }),
  operation({
    ...DELETION,
    path: '/personalization/data',
    operationId: 'deleteData',
    summary: 'Forgets a user: rules, memory and corrections about spam and classes',
    description:
      'For requests to be forgotten: everything of the user goes at once, and the job rebuilds the shared models as if the user had never been there. Doing it again does no harm.',
    handler: (request, { corrections }) => {
      const userId = checkUserId(request.body.userId)
      return corrections.forget(callerOf(request).tenant, userId, 'all')
    },
  }),
]
