/**
 * Routes for corrections: a user says that a message is spam or not, or which class it has, or
 * withdraws a correction (interface §4.8 - §4.11).
 */

import { type Static, Type } from 'typebox'
import { TamisError } from '../../../errors/errors.ts'
import { type Caller, callerOf, correctorOf } from '../../access/caller.ts'
import type { Incoming } from '../../analyse-body.ts'
import { learnableMessage } from '../../correct.ts'
import { CLASS_FEEDBACK_STATUSES, SPAM_FEEDBACK_STATUSES } from '../../users/correction.ts'
import { incomingMessage } from '../message-stream.ts'
import {
  choiceFromHeader,
  flagFromHeader,
  metadataFromHeaders,
  requireUser,
} from '../metadata-headers.ts'
import { FEEDBACK_ID, PATH, STREAM_HEADERS, USER_ID } from '../openapi/examples.ts'
import { incomingFile, PATH_BODY_BYTES_MAX, pathFormOf } from '../path-form.ts'
import { operation, type Services } from '../route.ts'
import {
  CLASS_LABELS,
  CLOSED,
  FEEDBACK_ID_FIELD,
  FLAGS,
  headersOfUser,
  NameOf,
  PATH_FIELD,
  SENDER_EMAIL_FIELD,
  SENDER_IP_FIELD,
  USER_ID_FIELD,
} from '../schemas.ts'

/** The headers of interface §4.9. */
const FeedbackHeaders = Type.Object(
  {
    ...headersOfUser('Who corrects'),
    'X-Is-Spam': NameOf(FLAGS),
    'X-Skip-Rule-Creation': Type.Optional(
      NameOf(FLAGS, '`true`: no Sender rule is made from this correction; empty means none'),
    ),
  },
  { title: 'SpamFeedback' },
)

const WithdrawHeaders = Type.Object(headersOfUser('Who takes it back'), { title: 'UserDelivery' })

/** The headers of interface §4.11. */
const TabsFeedbackHeaders = Type.Object(
  { ...headersOfUser('Who corrects'), 'X-Classification': NameOf(CLASS_LABELS) },
  { title: 'TabsFeedback' },
)

/** The body of interface §4.8. */
const FeedbackPathBody = Type.Object(
  {
    path: PATH_FIELD,
    userId: USER_ID_FIELD,
    isSpam: Type.Boolean({ description: 'true: spam; false: not spam' }),
    ipAddress: SENDER_IP_FIELD,
    senderEmail: SENDER_EMAIL_FIELD,
  },
  { title: 'FeedbackPathBody', ...CLOSED },
)

const correctClassification = NameOf(
  CLASS_LABELS,
  'The right class; `automatic` returns to the model',
)

/** The body of interface §4.10. */
const TabsFeedbackPathBody = Type.Object(
  { path: PATH_FIELD, userId: USER_ID_FIELD, correctClassification },
  { title: 'TabsFeedbackPathBody', ...CLOSED },
)

/** The answer of interface §2.5. */
const SpamFeedbackResult = Type.Object(
  {
    status: NameOf(
      SPAM_FEEDBACK_STATUSES,
      '`success`: recorded, and counted for the model that all users share; `personalization_only`: recorded for this user alone, the global model deliberately did not learn from it; `already_recorded`: nothing has changed',
    ),
    userId: USER_ID_FIELD,
    feedbackId: FEEDBACK_ID_FIELD,
  },
  { title: 'SpamFeedbackResult', ...CLOSED },
)

/** An answer that is not in the interface. */
const WithdrawnFeedback = Type.Object(
  {
    status: NameOf(['removed', 'none'], '`none`: the user had said nothing about this message'),
    userId: USER_ID_FIELD,
  },
  { title: 'WithdrawnFeedback', ...CLOSED },
)

/** The answer of interface §2.6. */
const TabsFeedbackResult = Type.Object(
  {
    status: NameOf(
      CLASS_FEEDBACK_STATUSES,
      '`success`: recorded; `reset`: what was corrected about the message is taken back; `already_recorded`: nothing has changed',
    ),
    userId: USER_ID_FIELD,
    classification: correctClassification,
    feedbackId: FEEDBACK_ID_FIELD,
  },
  { title: 'TabsFeedbackResult', ...CLOSED },
)

const FeedbackParams = Type.Object({
  feedbackId: Type.String({ minLength: 1, maxLength: 64 }),
})

const RemovedFeedback = Type.Object(
  { status: Type.Literal('removed'), feedbackId: FEEDBACK_ID_FIELD },
  { title: 'RemovedFeedback', ...CLOSED },
)

const SPAM_FORM = '/feedback-stream'
const TABS_FORM = '/tabs/feedback-stream'

const SPAM_TERMS = { scope: 'feedback', entitlement: 'spam' } as const
const TABS_TERMS = { scope: 'feedback', entitlement: 'classification' } as const

const SPAM_SUMMARY = 'A user corrects a verdict: spam or not'
const TABS_SUMMARY = 'A user corrects a class'

const SPAM_ANSWERS = {
  200: {
    description: 'Recorded',
    schema: SpamFeedbackResult,
    example: { status: 'success', userId: USER_ID, feedbackId: FEEDBACK_ID },
  },
}

const TABS_ANSWERS = {
  200: {
    description: 'Recorded',
    schema: TabsFeedbackResult,
    example: {
      status: 'success',
      userId: USER_ID,
      classification: 'updates',
      feedbackId: '69c812ea-9b8a-4c18-9041-8b4cd8b23a6d',
    },
  },
}

export const FEEDBACK = [
  operation({
    method: 'POST',
    path: SPAM_FORM,
    ...SPAM_TERMS,
    operationId: 'feedbackStream',
    tag: 'Correct',
    summary: SPAM_SUMMARY,
    description:
      'The user’s own mail is judged by it at once: by a memory of this message and its like, and a rule for its sender unless `X-Skip-Rule-Creation` is `true`. Within limits, the models that all users share learn from it too.',
    headers: FeedbackHeaders,
    body: 'message',
    example: { headers: { ...STREAM_HEADERS, 'X-Is-Spam': 'false' } },
    answers: SPAM_ANSWERS,
    errors: ['STORE_UNAVAILABLE'],
    handler: (request, services, reply) => {
      const { headers } = request
      const metadata = requireUser(metadataFromHeaders(headers))
      const { userId } = metadata
      const isSpam = choiceFromHeader(headers, 'X-Is-Spam', FLAGS) === 'true'
      const skipRule = flagFromHeader(headers, 'X-Skip-Rule-Creation')
      const incoming = incomingMessage(request, reply, metadata)
      return correctSpam(services, callerOf(request), userId, incoming, { isSpam, skipRule })
    },
  }),
  operation({
    method: 'POST',
    path: TABS_FORM,
    ...TABS_TERMS,
    operationId: 'tabsFeedbackStream',
    tag: 'Correct',
    summary: TABS_SUMMARY,
    description:
      '`automatic` withdraws what the user said about this message: the correction, and a class rule that was made from it.',
    headers: TabsFeedbackHeaders,
    body: 'message',
    example: { headers: { ...STREAM_HEADERS, 'X-Classification': 'updates' } },
    answers: TABS_ANSWERS,
    errors: ['STORE_UNAVAILABLE'],
    handler: (request, services, reply) => {
      const { headers } = request
      const metadata = requireUser(metadataFromHeaders(headers))
      const label = choiceFromHeader(headers, 'X-Classification', CLASS_LABELS)
      const incoming = incomingMessage(request, reply, metadata)
      return correctClass(services, callerOf(request), metadata.userId, incoming, label)
    },
  }),
  operation({
    method: 'POST',
    path: '/feedback/withdraw-stream',
    ...SPAM_TERMS,
    operationId: 'withdrawFeedbackStream',
    tag: 'Correct',
    summary: 'A user withdraws a correction of this message, spam or not',
    description:
      'For callers who have the message and not the `feedbackId`. If the user has not corrected the message, nothing changes. Beyond the interface.',
    headers: WithdrawHeaders,
    body: 'message',
    example: { headers: STREAM_HEADERS },
    answers: {
      200: {
        description: 'Taken back',
        schema: WithdrawnFeedback,
        example: { status: 'removed', userId: USER_ID },
      },
    },
    errors: ['STORE_UNAVAILABLE'],
    handler: (request, services, reply) => {
      const metadata = requireUser(metadataFromHeaders(request.headers))
      const incoming = incomingMessage(request, reply, metadata)
      return withdrawSpam(services, callerOf(request), metadata.userId, incoming)
    },
  }),
  operation({
    method: 'DELETE',
    path: '/feedback/:feedbackId',
    ...SPAM_TERMS,
    operationId: 'removeFeedback',
    tag: 'Correct',
    summary: 'Takes one correction back, from rules, memory and global model',
    description: 'As if the correction had not been made.',
    params: FeedbackParams,
    example: { params: { feedbackId: FEEDBACK_ID } },
    answers: {
      200: {
        description: 'Taken back',
        schema: RemovedFeedback,
        example: { status: 'removed', feedbackId: FEEDBACK_ID },
      },
    },
    errors: ['NOT_FOUND', 'STORE_UNAVAILABLE'],
    handler: async (request, { corrections }) => {
      const { feedbackId } = request.params
      if (await corrections.takeBack(callerOf(request).tenant, feedbackId)) {
        return { status: 'removed', feedbackId }
      }
      throw new TamisError('NOT_FOUND', 'There is no such correction')
    },
  }),
  operation({
    method: 'POST',
    path: '/feedback',
    ...SPAM_TERMS,
    ...pathFormOf(SPAM_FORM),
    operationId: 'feedbackPath',
    summary: `${SPAM_SUMMARY} (path form; not available by default)`,
    body: { schema: FeedbackPathBody, bytesMax: PATH_BODY_BYTES_MAX },
    example: { body: { path: PATH, userId: USER_ID, isSpam: false } },
    answers: SPAM_ANSWERS,
    errors: ['STORE_UNAVAILABLE'],
    handler: (request, services, reply) =>
      incomingFile(services.pathRoots, request, reply, (incoming) => {
        const { userId, isSpam } = request.body
        const correction = { isSpam, skipRule: false }
        return correctSpam(services, callerOf(request), userId, incoming, correction)
      }),
  }),
  operation({
    method: 'POST',
    path: '/tabs/feedback',
    ...TABS_TERMS,
    ...pathFormOf(TABS_FORM),
    operationId: 'tabsFeedbackPath',
    summary: `${TABS_SUMMARY} (path form; not available by default)`,
    body: { schema: TabsFeedbackPathBody, bytesMax: PATH_BODY_BYTES_MAX },
    example: { body: { path: PATH, userId: USER_ID, correctClassification: 'updates' } },
    answers: TABS_ANSWERS,
    errors: ['STORE_UNAVAILABLE'],
    handler: (request, services, reply) =>
      incomingFile(services.pathRoots, request, reply, (incoming) => {
        const { userId, correctClassification: label } = request.body
        return correctClass(services, callerOf(request), userId, incoming, label)
      }),
  }),
]

export async function correctSpam(
  { classifier, corrections }: Services,
  caller: Caller,
  userId: string,
  incoming: Incoming,
  correction: { readonly isSpam: boolean; readonly skipRule: boolean },
): Promise<Static<typeof SpamFeedbackResult>> {
  const message = await learnableMessage(classifier, incoming)
  const recorded = await corrections.correctSpam(correctorOf(caller, userId), message, correction)
  classifier.metrics.corrected(caller.tenant, 'spam', recorded.status)
  return { ...recorded, userId }
}

async function withdrawSpam(
  { classifier, corrections }: Services,
  caller: Caller,
  userId: string,
  incoming: Incoming,
): Promise<Static<typeof WithdrawnFeedback>> {
  const message = await learnableMessage(classifier, incoming)
  const removed = await corrections.withdrawSpam(correctorOf(caller, userId), message)
  return { status: removed ? 'removed' : 'none', userId }
}

async function correctClass(
  { classifier, corrections }: Services,
  caller: Caller,
  userId: string,
  incoming: Incoming,
  label: (typeof CLASS_LABELS)[number],
): Promise<Static<typeof TabsFeedbackResult>> {
  const message = await learnableMessage(classifier, incoming)
  const corrector = correctorOf(caller, userId)
  const recorded =
    label === 'automatic'
      ? await corrections.withdrawClass(corrector, message)
      : await corrections.correctClass(corrector, message, label)
  classifier.metrics.corrected(caller.tenant, 'tabs', recorded.status)
  return { ...recorded, userId, classification: label }
}
