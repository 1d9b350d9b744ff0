/** The verdict on a message: spam or not, and its class (interface §4.1, §4.2). */
import { callerOf } from '../../access/caller.ts'
import { verdictOf } from '../../judge.ts'
import { classify } from '../classification.ts'
import { incomingMessage } from '../message-stream.ts'
import { metadataFromHeaders } from '../metadata-headers.ts'
import { VERDICT } from '../openapi/example-answers.ts'
import { PATH, STREAM_HEADERS, USER_ID } from '../openapi/examples.ts'
import { incomingFile, PATH_BODY_BYTES_MAX, pathFormOf } from '../path-form.ts'
import { operation } from '../route.ts'
import { ClassifyPathBody, FullResult, MessageHeaders } from '../schemas.ts'

const STREAM_FORM = '/classify-stream'

const TERMS = { scope: 'classify', judgesMail: true } as const

const SUMMARY = 'Full classification: spam verdict and message class'

const ANSWERS = { 200: { description: 'The verdict', schema: FullResult, example: VERDICT } }

export const CLASSIFY = [
  operation({
    method: 'POST',
    path: STREAM_FORM,
    ...TERMS,
    queued: true,
    operationId: 'classifyStream',
    tag: 'Classify',
    summary: SUMMARY,
    description:
      'The operation for mail flow. Send the raw message; the headers are optional and make the verdict better. If the answer is not 200, deliver the message without classification.',
    headers: MessageHeaders,
    body: 'message',
    example: { headers: STREAM_HEADERS },
    answers: ANSWERS,
    handler: (request, { classifier }, reply) => {
      const incoming = incomingMessage(request, reply, metadataFromHeaders(request.headers))
      return classify(classifier, callerOf(request), incoming, { detail: false }, verdictOf)
    },
  }),
  operation({
    method: 'POST',
    path: '/classify',
    ...TERMS,
    ...pathFormOf(STREAM_FORM),
    operationId: 'classifyPath',
    summary: `${SUMMARY} (path form; announced, not available by default)`,
    body: { schema: ClassifyPathBody, bytesMax: PATH_BODY_BYTES_MAX },
    example: {
      body: {
        path: PATH,
        ipAddress: '192.0.2.25',
        senderEmail: 'orders@example.net',
        userId: USER_ID,
      },
    },
    answers: ANSWERS,
    handler: (request, { classifier, pathRoots }, reply) =>
      incomingFile(pathRoots, request, reply, (incoming) =>
        classify(classifier, callerOf(request), incoming, { detail: false }, verdictOf),
      ),
  }),
]
