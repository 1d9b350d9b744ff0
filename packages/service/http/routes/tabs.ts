/** Routes for the class of a message without the spam verdict (interface §4.3, §4.4). */
import { Type } from 'typebox'
import { decideClass } from '../../../mail/verdict/decide.ts'
import { type Caller, callerOf } from '../../access/caller.ts'
import { classify } from '../classification.ts'
import type { Classifier } from '../classifier.ts'
import { incomingMessage, type RequestedMessage } from '../message-stream.ts'
import { metadataFromHeaders } from '../metadata-headers.ts'
import { CLASS_VERDICT } from '../openapi/example-answers.ts'
import { PATH, STREAM_HEADERS, USER_ID } from '../openapi/examples.ts'
import { incomingFile, PATH_BODY_BYTES_MAX, pathFormOf } from '../path-form.ts'
import { TabsResult } from '../results.ts'
import { operation } from '../route.ts'
import {
  CLOSED,
  MessageHeaders,
  PATH_FIELD,
  RECIPIENT_FIELD,
  SENDER_EMAIL_FIELD,
  SENDER_IP_FIELD,
} from '../schemas.ts'

/** The body of interface §4.3, where the address has another name. */
const TabsPathBody = Type.Object(
  {
    path: PATH_FIELD,
    senderIp: SENDER_IP_FIELD,
    senderEmail: SENDER_EMAIL_FIELD,
    userId: RECIPIENT_FIELD,
  },
  { title: 'TabsPathBody', ...CLOSED },
)

function answer(classifier: Classifier, caller: Caller, incoming: RequestedMessage) {
  const options = { detail: false, spam: false }
  return classify(
    classifier,
    caller,
    incoming,
    options,
    ({ analysis, evidenceFor, users: [user], timing }): TabsResult => ({
      ...decideClass(analysis, evidenceFor(user)),
      elapsedMs: Math.ceil(timing().total),
    }),
  )
}

const STREAM_FORM = '/tabs/classify-stream'

const TERMS = { scope: 'classify', entitlement: 'classification', judgesMail: true } as const

const SUMMARY = 'Message class only'

const ANSWERS = {
  200: {
    description: 'The class',
    schema: TabsResult,
    example: { ...CLASS_VERDICT, elapsedMs: 4 },
  },
}

export const TABS = [
  operation({
    method: 'POST',
    path: STREAM_FORM,
    ...TERMS,
    queued: true,
    operationId: 'tabsClassifyStream',
    tag: 'Classify',
    summary: SUMMARY,
    description: 'The class and the probability of each, for those who filter spam elsewhere.',
    headers: MessageHeaders,
    body: 'message',
    example: { headers: STREAM_HEADERS },
    answers: ANSWERS,
    handler: (request, { classifier }, reply) => {
      const incoming = incomingMessage(request, reply, metadataFromHeaders(request.headers))
      return answer(classifier, callerOf(request), incoming)
    },
  }),
  operation({
    method: 'POST',
    path: '/tabs/classify',
    ...TERMS,
    ...pathFormOf(STREAM_FORM, ' The address is `senderIp` here.'),
    operationId: 'tabsClassifyPath',
    summary: `${SUMMARY} (path form; announced, not available by default)`,
    body: { schema: TabsPathBody, bytesMax: PATH_BODY_BYTES_MAX },
    example: {
      body: {
        path: PATH,
        senderIp: '192.0.2.25',
        senderEmail: 'orders@example.net',
        userId: USER_ID,
      },
    },
    answers: ANSWERS,
    handler: (request, { classifier, pathRoots }, reply) =>
      incomingFile(pathRoots, request, reply, (incoming) =>
        answer(classifier, callerOf(request), incoming),
      ),
  }),
]
