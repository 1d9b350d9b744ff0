/** Routes for the class of a message without the spam verdict (interface §4.3, §4.4). */
import { decideClass } from '../../../mail/verdict/decide.ts'
import { classify } from '../classification.ts'
import { CLASS_VERDICT, PATH, STREAM_HEADERS, USER_ID } from '../openapi/examples.ts'
import { bothForms } from '../path-form.ts'
import { TabsResult } from '../results.ts'
import { ok } from '../route.ts'
import {
  Component,
  MessageHeaders,
  PATH_FIELD,
  RECIPIENT_FIELD,
  SENDER_EMAIL_FIELD,
  SENDER_IP_FIELD,
} from '../schemas.ts'

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
    queued: true,
    operationId: 'tabsClassifyStream',
    tag: 'Classify',
    summary: 'Message class only',
    description:
      'The class and the probability of each class, for callers that filter spam elsewhere.',
    headers: MessageHeaders,
    example: { headers: STREAM_HEADERS },
    answers: ok('The class', TabsResult, { ...CLASS_VERDICT, elapsedMs: 4 }),
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
  ({ incoming, caller }, { classifier }) =>
    classify(
      classifier,
      caller,
      incoming,
      { detail: false, spam: false },
      ({ analysis, evidenceFor, policyFor, users: [user], timing }): TabsResult => ({
        ...decideClass(analysis, evidenceFor(user), policyFor(user)),
        elapsedMs: Math.ceil(timing().total),
      }),
    ),
)
