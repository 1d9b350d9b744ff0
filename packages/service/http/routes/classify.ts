/** Routes that judge a message: verdict, reasons, several recipients, diagnostic, class alone (interface §4.1 to §4.6; reasons and recipients are extensions). */
import { decideClass } from '../../../mail/verdict/decide.ts'
import { diagnostic } from '../../../mail/verdict/diagnostic.ts'
import { callerOf, requireEntitlement, requireScope } from '../../access/caller.ts'
import { storedUser } from '../../access/namespace.ts'
import { Type } from '../../json-schema.ts'
import { decisionOf, judge } from '../../judge.ts'
import { summaryOf } from '../../on-judged.ts'
import { incomingMessage } from '../message-stream.ts'
import {
  directionFromHeader,
  flagFromHeader,
  metadataFromHeaders,
  requireUser,
  userIdsFromHeader,
} from '../metadata.ts'
import { EXAMPLE_SENDER, PATH, STREAM_HEADERS, USER_ID } from '../openapi/examples.ts'
import { bothForms } from '../path-form.ts'
import {
  DiagnosticResult,
  ReasonsResult,
  RecipientsResult,
  reasonsResult,
  recipientsResult,
  TabsResult,
} from '../results.ts'
import { ok, operation } from '../route.ts'
import {
  ClassifyPathBody,
  Component,
  DIRECTIONS,
  type Direction,
  FullResult,
  MessageHeaders,
  NameOf,
  PATH_FIELD,
  QUEUE_ID_FIELD,
  RECIPIENT_FIELD,
  SENDER_EMAIL_FIELD,
  SENDER_HEADER_FIELDS,
  SENDER_IP_FIELD,
  SUMMARY_FIELD,
  Text,
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
    operationId: 'classifyStream',
    tag: 'Classify',
    summary: 'Full classification: spam verdict and message class',
    description:
      'Use this operation for mail flow. Send the raw message; the headers are optional and improve the verdict. If the answer is not 200, deliver the message without classification.',
    headers: ClassifyHeaders,
    example: { headers: STREAM_HEADERS },
    answers: ok('The verdict', FullResult),
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
  async ({ incoming, caller, wish }, { classifier }) => {
    if (wish === 'incoming') {
      return decisionOf(await judge(classifier, caller, incoming)).verdict
    }
    // Learns what POST /personalization/correspondents does, so the caller needs the same.
    requireScope(caller, 'feedback')
    requireEntitlement(caller, 'spam')
    const sentBy = incoming.metadata.userId!
    const { shared } = await judge(classifier, caller, { ...incoming, users: [], sentBy })
    return shared.verdict
  },
)

const ReasonsHeaders = Type.Object(
  { ...MessageHeaders.properties, ...QUEUE_ID_FIELD, ...SUMMARY_FIELD },
  { title: 'ReasonsDelivery', description: 'A message that is to be judged with reasons' },
)

export const REASONS = [
  operation({
    method: 'POST',
    path: '/classify-stream/reasons',
    scope: 'classify',
    operationId: 'classifyStreamReasons',
    tag: 'Classify',
    summary: 'Full classification, with a score and the reasons that add up to it',
    description:
      'For clients that expect a score, a required score and named tests, as other filters have them. The points of the reasons add up to the score; the example is shortened. This is an extension of the interface.',
    headers: ReasonsHeaders,
    body: 'message',
    example: { headers: STREAM_HEADERS },
    answers: ok('The verdict', ReasonsResult),
    handler: async (request, { classifier }, reply) => {
      const withSummary = flagFromHeader(request.headers, 'X-Summary')
      const incoming = incomingMessage(request, reply, metadataFromHeaders(request.headers))
      const judged = await judge(classifier, callerOf(request), { ...incoming, want: 'reasons' })
      const answer = reasonsResult(judged)
      return withSummary ? { ...answer, summary: summaryOf(judged) } : answer
    },
  }),
]

const RecipientsHeaders = Type.Object(
  {
    ...SENDER_HEADER_FIELDS,
    ...QUEUE_ID_FIELD,
    ...SUMMARY_FIELD,
    'X-User-IDs': Text('JSON array of at most 100 recipients, each of 1 to 256 visible characters'),
  },
  { title: 'RecipientsDelivery', description: 'Several recipients of one message' },
)

export const RECIPIENTS = [
  operation({
    method: 'POST',
    path: '/classify-stream/recipients',
    scope: 'classify',
    operationId: 'classifyStreamRecipients',
    tag: 'Classify',
    summary: 'Full classification of one message for each of several recipients',
    description:
      'For mail servers that have one message for all recipients of a transaction. The message is analysed once and decided for each of up to 100 users. This is an extension of the interface.',
    headers: RecipientsHeaders,
    body: 'message',
    example: { headers: { ...EXAMPLE_SENDER, 'X-User-IDs': '["user-4711", "user-4712"]' } },
    answers: ok('The verdicts', RecipientsResult),
    handler: async (request, { classifier }, reply) => {
      const withSummary = flagFromHeader(request.headers, 'X-Summary')
      const caller = callerOf(request)
      const userIds = userIdsFromHeader(request.headers).map((id) => storedUser(caller, id))
      const incoming = incomingMessage(request, reply, metadataFromHeaders(request.headers))
      const users = [...new Set(userIds)]
      const judged = await judge(classifier, caller, { ...incoming, users })
      const answer = recipientsResult(judged, userIds)
      return withSummary ? { ...answer, summary: summaryOf(judged) } : answer
    },
  }),
]

export const DIAGNOSTIC = bothForms(
  {
    path: '/classify/diagnostic-stream',
    scope: 'classify',
    operationId: 'diagnosticStream',
    tag: 'Classify',
    summary: 'Detailed breakdown of a decision, for troubleshooting, not for mail flow',
    description:
      'Everything that led to a verdict: signals with their evidence, inputs and outputs of each model, contributions that add up, links, time by stage. The fields inside the groups may vary between versions.',
    headers: MessageHeaders,
    example: { headers: STREAM_HEADERS },
    answers: ok('The breakdown', DiagnosticResult),
  },
  {
    path: '/classify/diagnostic',
    operationId: 'diagnosticPath',
    available: 'announced, not available by default',
    schema: ClassifyPathBody,
    example: { path: PATH },
  },
  async ({ incoming, caller }, { classifier }): Promise<DiagnosticResult> => {
    const judged = await judge(classifier, caller, { ...incoming, want: 'diagnostic' })
    const { evidence, policy } = decisionOf(judged)
    return diagnostic(judged.analysis, evidence, policy, judged.timing)
  },
)

/** The body of interface §4.3, where the address has another name. */
const TabsPathBody = Component('TabsPathBody', {
  path: PATH_FIELD,
  senderIp: SENDER_IP_FIELD,
  senderEmail: SENDER_EMAIL_FIELD,
  userId: RECIPIENT_FIELD,
})

export const TABS = bothForms(
  {
    path: '/tabs/classify-stream',
    scope: 'classify',
    entitlement: 'classification',
    operationId: 'tabsClassifyStream',
    tag: 'Classify',
    summary: 'Message class only',
    description:
      'The class and the probability of each class, for callers that filter spam elsewhere.',
    headers: MessageHeaders,
    example: { headers: STREAM_HEADERS },
    answers: ok('The class', TabsResult),
  },
  {
    path: '/tabs/classify',
    operationId: 'tabsClassifyPath',
    available: 'announced, not available by default',
    more: ' The address is `senderIp` here.',
    schema: TabsPathBody,
    example: {
      path: PATH,
      senderIp: '192.0.2.25',
      senderEmail: 'orders@example.net',
      userId: USER_ID,
    },
  },
  async ({ incoming, caller }, { classifier }): Promise<TabsResult> => {
    const judged = await judge(classifier, caller, { ...incoming, want: 'class' })
    const { analysis, timing } = judged
    const elapsedMs = Math.ceil(timing().total)
    return { ...decideClass(analysis, decisionOf(judged).evidence), elapsedMs }
  },
)
