/** Routes that show everything that led to a verdict (interface §4.5, §4.6). */
import { diagnostic } from '../../../mail/verdict/diagnostic.ts'
import { classify } from '../classification.ts'
import { PATH, STREAM_HEADERS } from '../openapi/examples.ts'
import { bothForms } from '../path-form.ts'
import { DiagnosticResult } from '../results.ts'
import { ok } from '../route.ts'
import { ClassifyPathBody, MessageHeaders } from '../schemas.ts'

export const DIAGNOSTIC = bothForms(
  {
    path: '/classify/diagnostic-stream',
    scope: 'classify',
    queued: true,
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
  ({ incoming, caller }, { classifier }) =>
    classify(
      classifier,
      caller,
      incoming,
      { detail: true, inDepth: true, personal: true },
      ({ analysis, policyFor, evidenceFor, users: [user], timing }): DiagnosticResult =>
        diagnostic(analysis, evidenceFor(user), policyFor(user), timing),
    ),
)
