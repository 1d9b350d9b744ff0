/**
 * Routes for corrections: a user says that a message is spam or not, or which class it has, or
 * withdraws a correction (interface §4.8 - §4.11).
 */

import { TamisError } from '../../../errors/errors.ts'
import { type Caller, callerOf, correctorOf } from '../../access/caller.ts'
import { usersOf } from '../../access/namespace.ts'
import { learnableMessage } from '../../correct.ts'
import { Type } from '../../json-schema.ts'
import type { Request } from '../../request.ts'
import {
  CLASS_FEEDBACK_STATUSES,
  type Opinion,
  SPAM_FEEDBACK_STATUSES,
  spamOrHam,
} from '../../users/correction.ts'
import { choiceFromHeader, flagFromHeader, requireUser } from '../metadata.ts'
import { bothForms } from '../path-form.ts'
import { type Operation, ok, operation, type Services } from '../route.ts'
import {
  CLASS_LABELS,
  CLASSES_DEFINED,
  Component,
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
    ...headersOfUser('The user who makes the correction'),
    'X-Is-Spam': NameOf(FLAGS),
    'X-Skip-Rule-Creation': Type.Optional(
      NameOf(FLAGS, '`true`: make no Sender rule from this correction; empty means none'),
    ),
  },
  { title: 'SpamFeedback' },
)

const RightClass = NameOf(
  CLASS_LABELS,
  `The right class; \`automatic\` returns to the model. ${CLASSES_DEFINED}`,
)

/** The headers of interface §4.11. */
const TabsFeedbackHeaders = Type.Object(
  {
    ...headersOfUser('The user who makes the correction'),
    'X-Classification': RightClass,
  },
  { title: 'TabsFeedback' },
)

/** The body of interface §4.8. */
const FeedbackPathBody = Component('FeedbackPathBody', {
  path: PATH_FIELD,
  userId: USER_ID_FIELD,
  isSpam: Type.Boolean({ description: 'true: spam; false: not spam' }),
  ipAddress: SENDER_IP_FIELD,
  senderEmail: SENDER_EMAIL_FIELD,
})

/** The body of interface §4.10. */
const TabsFeedbackPathBody = Component('TabsFeedbackPathBody', {
  path: PATH_FIELD,
  userId: USER_ID_FIELD,
  correctClassification: RightClass,
})

/** The answer of interface §2.5. */
const SpamFeedbackResult = Component('SpamFeedbackResult', {
  status: NameOf(
    SPAM_FEEDBACK_STATUSES,
    '`success`: recorded, and counted for the model that all users share; `personalization_only`: recorded for this user only, and the global model deliberately did not learn from it; `already_recorded`: nothing has changed',
  ),
  userId: USER_ID_FIELD,
  feedbackId: FEEDBACK_ID_FIELD,
})

/** An answer that is not in the interface. */
/** The answer of interface §2.6. */
const TabsFeedbackResult = Component('TabsFeedbackResult', {
  status: NameOf(
    CLASS_FEEDBACK_STATUSES,
    '`success`: recorded; `reset`: the correction of the message was withdrawn; `already_recorded`: nothing has changed',
  ),
  userId: USER_ID_FIELD,
  classification: RightClass,
  feedbackId: FEEDBACK_ID_FIELD,
})

const FeedbackParams = Type.Object({
  feedbackId: Type.String({
    minLength: 1,
    maxLength: 64,
    examples: ['2d94fd2c-e957-4b3b-94ff-3982fd104fb2'],
  }),
})

const RemovedFeedback = Component('RemovedFeedback', {
  status: Type.Literal('removed'),
  feedbackId: FEEDBACK_ID_FIELD,
})

const SPAM_TERMS = { scope: 'feedback', entitlement: 'spam' } as const

/** What a user says of a message, or takes back. */
type Wish = { readonly userId: string; readonly skipRule?: boolean } & (
  | Opinion
  | { readonly kind: 'tabs'; readonly label: 'automatic' }
)

export const FEEDBACK: Operation[] = [
  ...bothForms(
    {
      path: '/feedback-stream',
      ...SPAM_TERMS,
      operationId: 'feedbackStream',
      tag: 'Correct',
      summary: 'A user corrects a verdict: spam or not',
      description:
        'The user’s own mail follows it at once: the memory has this message and recognizes similar ones, and the sender gets a rule unless `X-Skip-Rule-Creation` is `true`. Within limits, the models that all users share learn from it too.',
      headers: FeedbackHeaders,
      answers: ok('Recorded', SpamFeedbackResult),
      wish: (headers, metadata): Wish => ({
        userId: requireUser(metadata).userId,
        ...spamOrHam(choiceFromHeader(headers, 'X-Is-Spam', FLAGS) === 'true'),
        skipRule: flagFromHeader(headers, 'X-Skip-Rule-Creation'),
      }),
    },
    {
      schema: FeedbackPathBody,
      wish: ({ userId, isSpam }) => ({ userId, ...spamOrHam(isSpam) }),
    },
    ({ incoming, caller, wish }, services) => correct(services, caller, incoming, wish),
  ),
  ...bothForms(
    {
      path: '/tabs/feedback-stream',
      scope: 'feedback',
      entitlement: 'classification',
      operationId: 'tabsFeedbackStream',
      tag: 'Correct',
      summary: 'A user corrects a class',
      description:
        '`automatic` withdraws the correction of this message and the class rule made from it.',
      headers: TabsFeedbackHeaders,
      answers: ok('Recorded', TabsFeedbackResult),
      wish: (headers, metadata): Wish => ({
        userId: requireUser(metadata).userId,
        kind: 'tabs',
        label: choiceFromHeader(headers, 'X-Classification', CLASS_LABELS),
      }),
    },
    {
      schema: TabsFeedbackPathBody,
      wish: ({ userId, correctClassification: label }): Wish => ({ userId, kind: 'tabs', label }),
    },
    ({ incoming, caller, wish }, services) => correct(services, caller, incoming, wish),
  ),
  operation({
    method: 'DELETE',
    path: '/feedback/:feedbackId',
    ...SPAM_TERMS,
    operationId: 'removeFeedback',
    tag: 'Correct',
    summary: 'Withdraws one correction from rules, memory and global model',
    description: 'The result is as if the correction had never been made.',
    params: FeedbackParams,
    answers: ok('Withdrawn', RemovedFeedback),
    handler: async (request, { store }) => {
      const { feedbackId } = request.params
      if ((await store.endCorrection(feedbackId, usersOf(callerOf(request)))) === 'unknown')
        throw new TamisError('NOT_FOUND', 'There is no such correction')
      return { status: 'removed', feedbackId }
    },
  }),
]

/** Records or withdraws a correction of `incoming`, and counts it. */
export async function correct(
  { classifier, corrections }: Pick<Services, 'classifier' | 'corrections'>,
  caller: Caller,
  incoming: Request,
  { userId, skipRule, ...opinion }: Wish,
) {
  const message = await learnableMessage(classifier, incoming)
  const corrector = correctorOf(caller, userId)
  const { kind, label } = opinion
  const recorded =
    label === 'automatic'
      ? await corrections.withdraw(kind, corrector, message)
      : await corrections.correct(corrector, message, opinion, skipRule)
  classifier.metrics.count('corrections', { kind, status: recorded.status })
  return { ...recorded, userId, ...(kind === 'tabs' && { classification: label }) }
}
