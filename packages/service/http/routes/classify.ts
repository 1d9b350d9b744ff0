/** The verdict on a message: spam or not, and its class (interface §4.1, §4.2). */
import { verdictOf } from '../../judge.ts'
import { classify } from '../classification.ts'
import { VERDICT } from '../openapi/example-answers.ts'
import { PATH, STREAM_HEADERS, USER_ID } from '../openapi/examples.ts'
import { bothForms } from '../path-form.ts'
import { ok } from '../route.ts'
import { ClassifyPathBody, FullResult, MessageHeaders } from '../schemas.ts'

export const CLASSIFY = bothForms(
  {
    path: '/classify-stream',
    scope: 'classify',
    judgesMail: true,
    queued: true,
    operationId: 'classifyStream',
    tag: 'Classify',
    summary: 'Full classification: spam verdict and message class',
    description:
      'Use this operation for mail flow. Send the raw message; the headers are optional and improve the verdict. If the answer is not 200, deliver the message without classification.',
    headers: MessageHeaders,
    example: { headers: STREAM_HEADERS },
    answers: ok('The verdict', FullResult, VERDICT),
  },
  {
    path: '/classify',
    operationId: 'classifyPath',
    available: 'announced, not available by default',
    schema: ClassifyPathBody,
    example: {
      path: PATH,
      ipAddress: '192.0.2.25',
      senderEmail: 'orders@example.net',
      userId: USER_ID,
    },
  },
  ({ incoming, caller }, { classifier }) =>
    classify(classifier, caller, incoming, { detail: false }, verdictOf),
)
