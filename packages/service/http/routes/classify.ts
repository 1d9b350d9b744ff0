/** The verdict on a message: spam or not, and its class (interface §4.1, §4.2). */
import { Type } from 'typebox'
import { verdictOf } from '../../judge.ts'
import { classify, classifyOutgoing } from '../classification.ts'
import { directionFromHeader, requireUser } from '../metadata-headers.ts'
import { PATH, STREAM_HEADERS, USER_ID, VERDICT } from '../openapi/examples.ts'
import { bothForms } from '../path-form.ts'
import { ok } from '../route.ts'
import {
  ClassifyPathBody,
  DIRECTIONS,
  type Direction,
  FullResult,
  MessageHeaders,
  NameOf,
  QUEUE_ID_FIELD,
} from '../schemas.ts'

const ClassifyHeaders = Type.Object(
  {
    ...MessageHeaders.properties,
    ...QUEUE_ID_FIELD,
    'X-Direction': Type.Optional(
      NameOf(
        DIRECTIONS,
        '`outgoing`: the user in `X-User-ID` sends the message. It is judged without the rules of that user, which are about mail that comes in, and unless it is spam or automatic, Tamis learns whom the user writes to, for which a key needs the scope `feedback` too; empty means `incoming`',
      ),
    ),
  },
  { title: 'DirectedDelivery' },
)

export const CLASSIFY = bothForms(
  {
    path: '/classify-stream',
    scope: 'classify',
    queued: true,
    operationId: 'classifyStream',
    tag: 'Classify',
    summary: 'Full classification: spam verdict and message class',
    description:
      'Use this operation for mail flow. Send the raw message; the headers are optional and improve the verdict. If the answer is not 200, deliver the message without classification.',
    headers: ClassifyHeaders,
    example: { headers: STREAM_HEADERS },
    answers: ok('The verdict', FullResult, VERDICT),
    errors: ['NOT_ENTITLED'],
    wish: (headers, metadata): Direction => {
      const direction = directionFromHeader(headers)
      if (direction === 'outgoing') requireUser(metadata)
      return direction
    },
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
    wish: (): Direction => 'incoming',
  },
  ({ incoming, caller, wish }, { classifier }) =>
    wish === 'outgoing'
      ? classifyOutgoing(classifier, caller, incoming)
      : classify(classifier, caller, incoming, { detail: false }, verdictOf),
)
