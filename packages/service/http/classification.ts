/**
 * The three ways to ask about a message, each with a stream form and a path form: what they
 * have in common is here, and what tells them apart is the table.
 */
import type { FastifyBaseLogger } from 'fastify'
import type { TObject } from 'typebox'
import type { ArtifactFolders } from '../../artifact-files/artifact-files.ts'
import type { TextEmbedding } from '../../mail/embedding/embedding-model.ts'
import { embedElsewhere } from '../../mail/personalization/personal-analysis.ts'
import type { Analysis } from '../../mail/verdict/analysis.ts'
// Not through classify.ts: this thread never analyses, and need not load what only workers use.
import { decide, decideClass } from '../../mail/verdict/decide.ts'
import { diagnostic, type Timing } from '../../mail/verdict/diagnostic.ts'
import type { Evidence } from '../../mail/verdict/evidence.ts'
import type { Policy } from '../../mail/verdict/policy.ts'
import type { Caller } from '../access/caller.ts'
import type { RouteTerms } from '../access/route-terms.ts'
import type { AnalyseRequest, Analyser } from '../admission/analyser.ts'
import type { Outlet } from '../admission/queue.ts'
import type { Arriving, Receiver } from '../admission/receive.ts'
import type { Feeds } from '../feeds/feeds.ts'
import type { AuthenticatedSender } from '../sender-authentication/sender-authentication.ts'
import type { SenderChecks } from '../sender-authentication/sender-checks.ts'
import type { TaughtModels } from '../taught-models/taught-models.ts'
import type { MessageKeys } from '../users/message-keys.ts'
import type { TaughtMessage } from '../users/taught-message.ts'
import { userEvidence } from '../users/user-evidence.ts'
import { isBlank, type Users } from '../users/users.ts'
import { factsFrom, type Metadata } from './metadata.ts'
import type { Metrics } from './metrics.ts'
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
  readonly users: Users
  readonly keys: MessageKeys
  readonly taught: TaughtModels
  readonly embedding: TextEmbedding
  /** How senders are checked. */
  readonly senderChecks: SenderChecks
  readonly feeds: Feeds
  readonly metrics: Metrics
  /** Of the shipped models. */
  readonly modelsVersion: string
  /** Where they and the embedding model are; undefined for what comes with Tamis. */
  readonly artifacts: ArtifactFolders
}

/** What an answer is made of. */
interface Classified {
  readonly analysis: Analysis
  readonly evidence: Evidence
  readonly policy: Policy
  /** Of the time until it is called. */
  readonly timing: () => Timing
}

export interface Operation {
  readonly streamForm: string
  readonly pathForm: string
  readonly summary: string
  readonly answerSchema: TObject
  readonly pathBodySchema: typeof ClassifyPathBody | typeof TabsPathBody
  /** Whether the analysis is to collect what the diagnostic shows. */
  readonly detail: boolean
  /** Of both forms. */
  readonly terms: RouteTerms
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
    terms: { scope: 'classify', judgesMail: true },
    answer: ({ analysis, evidence, policy }) => decide(analysis, evidence, policy),
  },
  {
    streamForm: '/tabs/classify-stream',
    pathForm: '/tabs/classify',
    summary: 'Message class only',
    answerSchema: TabsResult,
    pathBodySchema: TabsPathBody,
    detail: false,
    terms: { scope: 'classify', entitlement: 'classification', judgesMail: true },
    answer: ({ analysis, evidence, timing }) => ({
      ...decideClass(analysis, evidence),
      elapsedMs: Math.ceil(timing().total),
    }),
  },
  {
    streamForm: '/classify/diagnostic-stream',
    pathForm: '/classify/diagnostic',
    summary: 'Detailed breakdown of a decision, for troubleshooting and not for mail flow',
    answerSchema: DiagnosticResult,
    pathBodySchema: ClassifyPathBody,
    detail: true,
    terms: { scope: 'classify' },
    answer: ({ analysis, evidence, policy, timing }) =>
      diagnostic(analysis, evidence, policy, timing),
  },
]

/** A message on its way in. */
export interface Incoming extends Arriving {
  readonly metadata: Metadata
  /** Where the answer goes: closed when nobody waits for it any more. */
  readonly outlet: Outlet
  readonly log: Pick<FastifyBaseLogger, 'warn'>
}

/**
 * The answer of `operation` to `incoming`. What can be refused without the message is refused
 * before it is read. What is known of the recipient is looked up while the message arrives; when
 * the store is away the answer does without.
 */
export async function classify(
  classifier: Classifier,
  operation: Operation,
  caller: Caller,
  incoming: Incoming,
): Promise<ReturnType<Operation['answer']>> {
  const { userId } = incoming.metadata
  const lookup = userId === undefined ? undefined : classifier.users.lookUp(caller.tenant, userId)
  const policy = { ...classifier.policy, spamEntitled: caller.entitlements.has('spam') }
  return receiveAndAnalyse(classifier, incoming, async (analyseBody) => {
    const user = await lookup
    if (user?.known === false) classifier.metrics.userUnknown(caller.tenant)
    const received = performance.now()
    const personal = operation.detail || (user !== undefined && !isBlank(user))
    const readDeltas = () => classifier.taught.readDeltas(caller.tenant)
    const { table: feeds } = classifier.feeds
    const options = { detail: operation.detail, personal, readDeltas, feeds }
    const { analysis: analysed, sender, spent } = await analyseBody(options)
    const analysisEnd = performance.now()
    const analysis = await embeddedIfPossible(analysed, classifier, incoming)
    const evidence = {
      ...(user && userEvidence(user, analysis, sender, classifier.keys, caller.tenant)),
      senderAuthenticated: sender.result === 'pass',
      ...(sender.details.source !== 'none' && { authentication: sender.details }),
    }
    const timing = () => {
      const now = performance.now()
      return { ...spent, decision: now - analysisEnd, total: now - received }
    }
    const answer = operation.answer({ analysis, evidence, policy, timing })
    classifier.metrics.answered(caller.tenant, answer)
    return answer
  })
}

/** What a correction or a rule needs of a message: what it is compared by, and what is learned from it. */
export function personalAnalysis(
  classifier: Classifier,
  incoming: Incoming,
): Promise<TaughtMessage> {
  return receiveAndAnalyse(classifier, incoming, async (analyseBody) => {
    const { analysis, sender } = await analyseBody({ personal: true, teach: true })
    const { personal, eventFeatures } = analysis
    if (personal === undefined || eventFeatures === undefined) {
      throw new TypeError('The analysis was made without what a correction needs')
    }
    return {
      ...(await embedElsewhere(personal, classifier.embedding)),
      eventFeatures,
      ...(sender.result === 'pass' && { authenticatedDomain: sender.domain }),
    }
  })
}

/** A verdict does not fail with the embedding model: without it the memory is searched by words alone. */
export async function embeddedIfPossible(
  analysis: Analysis,
  { embedding }: Classifier,
  { log }: Incoming,
): Promise<Analysis> {
  if (analysis.personal?.passages === undefined) return analysis
  try {
    return { ...analysis, personal: await embedElsewhere(analysis.personal, embedding) }
  } catch (error) {
    log.warn({ err: error }, 'A message was not embedded; its words alone were compared')
    return analysis
  }
}

type AnalyseBody = (
  options: Pick<AnalyseRequest, 'detail' | 'personal' | 'teach' | 'readDeltas' | 'feeds'>,
) => Promise<{
  readonly analysis: Analysis
  readonly sender: AuthenticatedSender
  readonly spent: Pick<Timing, 'queue' | 'worker' | 'sender'>
}>

/** Has the message of `incoming` received and lets `use` analyse it while its bytes are there. */
export function receiveAndAnalyse<Answer>(
  { analyser, receiver, senderChecks, metrics }: Classifier,
  incoming: Incoming,
  use: (analyseBody: AnalyseBody) => Promise<Answer>,
): Promise<Answer> {
  const { metadata, outlet, log } = incoming
  analyser.refuseIfFull()
  return receiver.receive(incoming, (body) =>
    use(async (options) => {
      const facts = factsFrom(metadata, new Date())
      const started = performance.now()
      // Begun before the analysis, which takes the bytes with it, and done beside it.
      const verification = timed(senderChecks.senderOf(body, facts), started)
      const analysed = await analyser.analyse(body, { facts, outlet, ...options })
      metrics.analysed(analysed)
      const { analysis, workerEnd, queueMs, workerMs } = analysed
      if (workerEnd !== undefined) {
        log.warn({ err: workerEnd }, 'A worker ended; its message was judged by the header')
      }
      const { value: sender, ms: senderMs } = await verification
      metrics.sender(sender)
      if (sender.failure !== undefined) {
        log.warn({ err: sender.failure }, 'The sender of a message could not be verified')
      }
      const stagesMs = Object.values(analysis.timing).reduce((sum, ms) => sum + ms, 0)
      const worker = Math.max(0, workerMs - stagesMs)
      return { analysis, sender, spent: { queue: queueMs, worker, sender: senderMs } }
    }),
  )
}

/** What `work` gives, and how long after `started` it gave it. */
async function timed<Value>(
  work: Promise<Value>,
  started: number,
): Promise<{ readonly value: Value; readonly ms: number }> {
  const value = await work
  return { value, ms: performance.now() - started }
}
