/** Routes that judge a message: verdict, diagnostic, class alone (interface §4.1 to §4.6). */
import { decideClass } from '../../../mail/verdict/decide.ts'
import { diagnostic } from '../../../mail/verdict/diagnostic.ts'
import { requireEntitlement, requireScope } from '../../access/caller.ts'
import { Type } from '../../json-schema.ts'
import { decisionOf, judge } from '../../judge.ts'
import { summaryOf } from '../../on-judged.ts'
import type { Judged } from '../../request.ts'
import { directionFromHeader, flagFromHeader, requireUser } from '../metadata.ts'
import { bothForms } from '../path-form.ts'
import { ClassifyResult, DiagnosticResult, TabsResult } from '../results.ts'
import { ok } from '../route.ts'
import {
  ClassifyPathBody,
  Component,
  DIRECTIONS,
  type Direction,
  MessageHeaders,
  NameOf,
  PATH_FIELD,
  QUEUE_ID_FIELD,
  RECIPIENT_FIELD,
  SENDER_EMAIL_FIELD,
  SENDER_IP_FIELD,
  SUMMARY_FIELD,
} from '../schemas.ts'

const ClassifyHeaders = Type.Object(
  {
    ...MessageHeaders.properties,
    ...QUEUE_ID_FIELD,
    ...SUMMARY_FIELD,
    'X-Direction': Type.Optional(
      NameOf(
        DIRECTIONS,
        '`outgoing`: the user in `X-User-ID` sends the message. It is judged without the rules of that user, which are about mail that comes in, and unless it is spam or automatic, Tamis learns whom the user writes to, for which a key needs the scope `feedback` too; empty means `incoming`',
      ),
    ),
  },
  { title: 'DirectedDelivery' },
)

interface ClassifyWish {
  readonly direction: Direction
  readonly withSummary: boolean
}

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
    answers: ok('The verdict', ClassifyResult),
    wish: (headers, metadata): ClassifyWish => {
      const direction = directionFromHeader(headers)
      if (direction === 'outgoing') requireUser(metadata)
      return { direction, withSummary: flagFromHeader(headers, 'X-Summary') }
    },
  },
  {
    schema: ClassifyPathBody,
    wish: (): ClassifyWish => ({ direction: 'incoming', withSummary: false }),
  },
  async ({ incoming, caller, wish: { direction, withSummary } }, { classifier }) => {
    const answerTo = (judged: Judged) => ({
      ...decisionOf(judged).verdict,
      ...(withSummary && { summary: summaryOf(judged) }),
    })
    if (direction === 'incoming') return answerTo(await judge(classifier, caller, incoming))
    // Learns what POST /personalization/correspondents does, so the caller needs the same.
    requireScope(caller, 'feedback')
    requireEntitlement(caller, 'spam')
    const sentBy = incoming.metadata.userId!
    return answerTo(await judge(classifier, caller, { ...incoming, users: [], sentBy }))
  },
)

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
    answers: ok('The breakdown', DiagnosticResult),
  },
  {
    schema: ClassifyPathBody,
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
    answers: ok('The class', TabsResult),
  },
  {
    schema: TabsPathBody,
  },
  async ({ incoming, caller }, { classifier }): Promise<TabsResult> => {
    const judged = await judge(classifier, caller, { ...incoming, want: 'class' })
    const { analysis, timing } = judged
    const elapsedMs = Math.ceil(timing().total)
    return { ...decideClass(analysis, decisionOf(judged).evidence), elapsedMs }
  },
)
