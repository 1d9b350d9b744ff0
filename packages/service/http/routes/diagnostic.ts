/** Routes that show everything that led to a verdict (interface §4.5, §4.6). */
import { diagnostic } from '../../../mail/verdict/diagnostic.ts'
import { type Caller, callerOf } from '../../access/caller.ts'
import { classify } from '../classification.ts'
import type { Classifier } from '../classifier.ts'
import { incomingMessage, type RequestedMessage } from '../message-stream.ts'
import { metadataFromHeaders } from '../metadata-headers.ts'
import { CLASS_VERDICT, DETAILS, VERDICT } from '../openapi/example-answers.ts'
import { PATH, STREAM_HEADERS } from '../openapi/examples.ts'
import { incomingFile, PATH_BODY_BYTES_MAX, pathFormOf } from '../path-form.ts'
import { DiagnosticResult } from '../results.ts'
import { operation } from '../route.ts'
import { ClassifyPathBody, MessageHeaders } from '../schemas.ts'

/** The example shows only the first entries of each list: there are dozens. */
const EXAMPLE = {
  ...DETAILS,
  result: VERDICT,
  tabs: CLASS_VERDICT,
  timing: {
    parse: 0.24,
    signals: 4.55,
    features: 0.35,
    models: 0.07,
    queue: 0.02,
    worker: 9.31,
    sender: 0.11,
    decision: 0.88,
    total: 15.42,
  },
}

function answer(classifier: Classifier, caller: Caller, incoming: RequestedMessage) {
  const options = { detail: true, personal: true }
  return classify(
    classifier,
    caller,
    incoming,
    options,
    ({ analysis, policyFor, evidenceFor, users: [user], timing }): DiagnosticResult =>
      diagnostic(analysis, evidenceFor(user), policyFor(user), timing),
  )
}

const STREAM_FORM = '/classify/diagnostic-stream'

const SUMMARY = 'Detailed breakdown of a decision, for troubleshooting and not for mail flow'

const ANSWERS = {
  200: { description: 'The breakdown', schema: DiagnosticResult, example: EXAMPLE },
}

export const DIAGNOSTIC = [
  operation({
    method: 'POST',
    path: STREAM_FORM,
    scope: 'classify',
    queued: true,
    operationId: 'diagnosticStream',
    tag: 'Classify',
    summary: SUMMARY,
    description:
      'All that led to a verdict: signals with their evidence, what each model was given and gave, contributions that add up, links, time by stage. The fields inside the groups may vary between versions. The example is shortened.',
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
    path: '/classify/diagnostic',
    scope: 'classify',
    ...pathFormOf(STREAM_FORM),
    operationId: 'diagnosticPath',
    summary: `${SUMMARY} (path form; announced, not available by default)`,
    body: { schema: ClassifyPathBody, bytesMax: PATH_BODY_BYTES_MAX },
    example: { body: { path: PATH } },
    answers: ANSWERS,
    handler: (request, { classifier, pathRoots }, reply) =>
      incomingFile(pathRoots, request, reply, (incoming) =>
        answer(classifier, callerOf(request), incoming),
      ),
  }),
]
