/**
 * Corrections: a user says that a message is spam or not, or of which class it is; and takes it
 * back (interface §4.8 - §4.11).
 */
import type { FastifyInstance } from 'fastify'
import { TamisError } from '../../../mail/errors.ts'
import { CLASSES } from '../../../mail/models/prediction.ts'
import { type Caller, callerOf, correctorOf } from '../../access/caller.ts'
import { terms } from '../../access/route-terms.ts'
import type { PathRoots } from '../../admission/path-roots.ts'
import type { Incoming } from '../../analyse-body.ts'
import { taughtMessage } from '../../teach.ts'
import type { Corrections } from '../../users/corrections.ts'
import type { Classifier } from '../classification.ts'
import { acceptJson } from '../json-body.ts'
import { acceptMessages, CONSUMES, incomingMessage } from '../message-stream.ts'
import {
  choiceFromHeader,
  flagFromHeader,
  metadataFromHeaders,
  requireUser,
} from '../metadata-headers.ts'
import { incomingFile, PATH_BODY_BYTES_MAX, refuseWhileDisabled } from '../path-form.ts'
import {
  ErrorResult,
  FeedbackHeaders,
  FeedbackParams,
  FeedbackPathBody,
  MessageStream,
  RemovedFeedback,
  SpamFeedbackResult,
  TabsFeedbackHeaders,
  TabsFeedbackPathBody,
  TabsFeedbackResult,
  WithdrawHeaders,
  WithdrawnFeedback,
} from '../schemas.ts'

export interface FeedbackDependencies {
  readonly classifier: Classifier
  readonly corrections: Corrections
  readonly pathRoots: PathRoots
}

const ERRORS = { '4xx': ErrorResult, '5xx': ErrorResult } as const

/** `automatic` takes back what the user has taught about the message. */
const CLASS_LABELS = [...CLASSES, 'automatic'] as const

export function feedbackRoutes(app: FastifyInstance, dependencies: FeedbackDependencies): void {
  app.register(async (scope) => feedbackStreams(scope, dependencies))
  app.register(async (scope) => feedbackPaths(scope, dependencies))
  app.register(async (scope) => undoRoute(scope, dependencies))
}

function feedbackStreams(app: FastifyInstance, dependencies: FeedbackDependencies): void {
  acceptMessages(app)
  app.post('/feedback-stream', {
    config: terms({ scope: 'feedback', entitlement: 'spam' }),
    schema: {
      summary: 'A user corrects a verdict: spam or not',
      consumes: CONSUMES,
      headers: FeedbackHeaders,
      body: MessageStream,
      response: { 200: SpamFeedbackResult, ...ERRORS },
    },
    handler: (request, reply) => {
      const { headers } = request
      const metadata = requireUser(metadataFromHeaders(headers))
      const { userId } = metadata
      const isSpam = choiceFromHeader(headers, 'X-Is-Spam', ['true', 'false']) === 'true'
      const skipRule = flagFromHeader(headers, 'X-Skip-Rule-Creation')
      const incoming = incomingMessage(request, reply, metadata)
      return correctSpam(dependencies, callerOf(request), userId, incoming, { isSpam, skipRule })
    },
  })
  app.post('/feedback/withdraw-stream', {
    config: terms({ scope: 'feedback', entitlement: 'spam' }),
    schema: {
      summary: 'A user takes back what they called this message, spam or not',
      consumes: CONSUMES,
      headers: WithdrawHeaders,
      body: MessageStream,
      response: { 200: WithdrawnFeedback, ...ERRORS },
    },
    handler: (request, reply) => {
      const metadata = requireUser(metadataFromHeaders(request.headers))
      const incoming = incomingMessage(request, reply, metadata)
      return withdrawSpam(dependencies, callerOf(request), metadata.userId, incoming)
    },
  })
  app.post('/tabs/feedback-stream', {
    config: terms({ scope: 'feedback', entitlement: 'classification' }),
    schema: {
      summary: 'A user corrects a class',
      consumes: CONSUMES,
      headers: TabsFeedbackHeaders,
      body: MessageStream,
      response: { 200: TabsFeedbackResult, ...ERRORS },
    },
    handler: (request, reply) => {
      const { headers } = request
      const metadata = requireUser(metadataFromHeaders(headers))
      const { userId } = metadata
      const label = choiceFromHeader(headers, 'X-Classification', CLASS_LABELS)
      const incoming = incomingMessage(request, reply, metadata)
      return correctClass(dependencies, callerOf(request), userId, incoming, label)
    },
  })
}

function feedbackPaths(app: FastifyInstance, dependencies: FeedbackDependencies): void {
  const { pathRoots } = dependencies
  acceptJson(app, PATH_BODY_BYTES_MAX)
  app.post<{ Body: FeedbackPathBody }>('/feedback', {
    config: terms({ scope: 'feedback', entitlement: 'spam' }),
    onRequest: async () => refuseWhileDisabled(pathRoots, '/feedback-stream'),
    schema: {
      summary: 'A user corrects a verdict: spam or not (path form; not available by default)',
      body: FeedbackPathBody,
      response: { 200: SpamFeedbackResult, ...ERRORS },
    },
    handler: (request, reply) =>
      incomingFile(pathRoots, request, reply, (incoming) => {
        const { userId, isSpam } = request.body
        const correction = { isSpam, skipRule: false }
        return correctSpam(dependencies, callerOf(request), userId, incoming, correction)
      }),
  })
  app.post<{ Body: TabsFeedbackPathBody }>('/tabs/feedback', {
    config: terms({ scope: 'feedback', entitlement: 'classification' }),
    onRequest: async () => refuseWhileDisabled(pathRoots, '/tabs/feedback-stream'),
    schema: {
      summary: 'A user corrects a class (path form; not available by default)',
      body: TabsFeedbackPathBody,
      response: { 200: TabsFeedbackResult, ...ERRORS },
    },
    handler: (request, reply) =>
      incomingFile(pathRoots, request, reply, (incoming) => {
        const { userId, correctClassification } = request.body
        return correctClass(
          dependencies,
          callerOf(request),
          userId,
          incoming,
          correctClassification,
        )
      }),
  })
}

function undoRoute(app: FastifyInstance, { corrections }: FeedbackDependencies): void {
  app.delete<{ Params: FeedbackParams }>('/feedback/:feedbackId', {
    config: terms({ scope: 'feedback', entitlement: 'spam' }),
    schema: {
      summary: 'Takes one correction back, from rules, memory and global model',
      params: FeedbackParams,
      response: { 200: RemovedFeedback, ...ERRORS },
    },
    handler: async (request) => {
      const { feedbackId } = request.params
      if (await corrections.takeBack(callerOf(request).tenant, feedbackId)) {
        return { status: 'removed', feedbackId }
      }
      throw new TamisError('NOT_FOUND', 'There is no such correction')
    },
  })
}

export async function correctSpam(
  { classifier, corrections }: FeedbackDependencies,
  caller: Caller,
  userId: string,
  incoming: Incoming,
  correction: { readonly isSpam: boolean; readonly skipRule: boolean },
): Promise<SpamFeedbackResult> {
  const message = await taughtMessage(classifier, incoming)
  const recorded = await corrections.correctSpam(correctorOf(caller, userId), message, correction)
  classifier.metrics.corrected(caller.tenant, 'spam', recorded.status)
  return { ...recorded, userId }
}

async function withdrawSpam(
  { classifier, corrections }: FeedbackDependencies,
  caller: Caller,
  userId: string,
  incoming: Incoming,
): Promise<WithdrawnFeedback> {
  const message = await taughtMessage(classifier, incoming)
  const removed = await corrections.withdrawSpam(correctorOf(caller, userId), message)
  return { status: removed ? 'removed' : 'none', userId }
}

async function correctClass(
  { classifier, corrections }: FeedbackDependencies,
  caller: Caller,
  userId: string,
  incoming: Incoming,
  label: (typeof CLASS_LABELS)[number],
): Promise<TabsFeedbackResult> {
  const message = await taughtMessage(classifier, incoming)
  const corrector = correctorOf(caller, userId)
  const recorded =
    label === 'automatic'
      ? await corrections.withdrawClass(corrector, message)
      : await corrections.correctClass(corrector, message, label)
  classifier.metrics.corrected(caller.tenant, 'tabs', recorded.status)
  return { ...recorded, userId, classification: label }
}
