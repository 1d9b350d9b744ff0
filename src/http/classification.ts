/**
 * The three ways to ask about a message, each with a stream form and a path form: what they
 * have in common is here, and what tells them apart is the table.
 */
import type { Readable } from 'node:stream'
import type { FastifyBaseLogger } from 'fastify'
import type { TObject } from 'typebox'
import type { Analyser } from '../admission/analyser.ts'
import type { Receiver } from '../admission/receive.ts'
import { TamisError } from '../errors.ts'
import type { Analysis } from '../verdict/analysis.ts'
// Not through classify.ts: this thread never analyses, and need not load what only workers use.
import { decide, decideClass } from '../verdict/decide.ts'
import { diagnostic } from '../verdict/diagnostic.ts'
import { type Evidence, NO_EVIDENCE } from '../verdict/evidence.ts'
import type { Policy } from '../verdict/policy.ts'
import { factsFrom, type Metadata } from './metadata.ts'
import {
  ClassifyPathBody,
  DiagnosticResult,
  FullResult,
  TabsPathBody,
  TabsResult,
} from './schemas.ts'

/** What classification needs from the rest of the service. */
export interface Classifier {
  readonly analyser: Analyser
  readonly receiver: Receiver
  readonly policy: Policy
  /** False when the licence has no message classes. */
  readonly classEntitled: boolean
}

/** What an answer is made of. */
interface Classified {
  readonly analysis: Analysis
  readonly evidence: Evidence
  readonly policy: Policy
  /** Milliseconds since the body was received. */
  readonly elapsedMs: number
}

export interface Operation {
  readonly streamForm: string
  readonly pathForm: string
  readonly summary: string
  readonly answerSchema: TObject
  readonly pathBodySchema: typeof ClassifyPathBody | typeof TabsPathBody
  /** Whether the analysis is to collect what the diagnostic shows. */
  readonly detail: boolean
  /** Whether it answers with classes and nothing else. */
  readonly classesOnly: boolean
  answer(classified: Classified): FullResult | TabsResult | DiagnosticResult
}

export const OPERATIONS: readonly Operation[] = [
  {
    streamForm: '/classify-stream',
    pathForm: '/classify',
    summary: 'Full classification: spam verdict and message class',
    answerSchema: FullResult,
    pathBodySchema: ClassifyPathBody,
    detail: false,
    classesOnly: false,
    answer: ({ analysis, evidence, policy }) => decide(analysis, evidence, policy),
  },
  {
    streamForm: '/tabs/classify-stream',
    pathForm: '/tabs/classify',
    summary: 'Message class only',
    answerSchema: TabsResult,
    pathBodySchema: TabsPathBody,
    detail: false,
    classesOnly: true,
    answer: ({ analysis, evidence, elapsedMs }) => ({
      ...decideClass(analysis, evidence),
      elapsedMs: Math.ceil(elapsedMs),
    }),
  },
  {
    streamForm: '/classify/diagnostic-stream',
    pathForm: '/classify/diagnostic',
    summary: 'Detailed breakdown of a decision, for troubleshooting and not for mail flow',
    answerSchema: DiagnosticResult,
    pathBodySchema: ClassifyPathBody,
    detail: true,
    classesOnly: false,
    answer: ({ analysis, evidence, policy, elapsedMs }) =>
      diagnostic(analysis, evidence, policy, elapsedMs),
  },
]

/** A message on its way in. */
export interface Incoming {
  readonly stream: Readable
  /** In bytes, where it is known beforehand. */
  readonly declaredLength: number | undefined
  readonly metadata: Metadata
  /** Aborted when nobody waits for the answer any more. */
  readonly abandoned: AbortSignal
  readonly log: Pick<FastifyBaseLogger, 'warn'>
}

/**
 * The answer of `operation` to `incoming`. What can be refused without the message is refused
 * before it is read.
 */
export function classify(
  classifier: Classifier,
  operation: Operation,
  incoming: Incoming,
): Promise<ReturnType<Operation['answer']>> {
  const { analyser, receiver, policy } = classifier
  if (operation.classesOnly && !classifier.classEntitled) {
    throw new TamisError('NOT_ENTITLED', 'The licence does not include message classes')
  }
  analyser.refuseIfFull()
  return receiver.receive(incoming.stream, incoming.declaredLength, async (body) => {
    const received = performance.now()
    const { analysis, workerEnd } = await analyser.analyse(body, {
      facts: factsFrom(incoming.metadata, new Date()),
      detail: operation.detail,
      abandoned: incoming.abandoned,
    })
    if (workerEnd !== undefined) {
      incoming.log.warn({ err: workerEnd }, 'A worker ended; its message was judged by the header')
    }
    const elapsedMs = performance.now() - received
    return operation.answer({ analysis, evidence: NO_EVIDENCE, policy, elapsedMs })
  })
}
