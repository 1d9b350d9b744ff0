/** The part that judging and correcting have in common: the analysis of a received message, and who sent it. */
import type { AnalyseOptions } from '../mail/analyse.ts'
import type { Deltas } from '../mail/learning/deltas.ts'
import type { Analysis } from '../mail/verdict/analysis.ts'
import type { Timing } from '../mail/verdict/diagnostic.ts'
import type { Evidence } from '../mail/verdict/evidence.ts'
import type { MessageBody } from './admission/message-body.ts'
import type { ReceivedBody } from './admission/receive.ts'
import type { Request, Service } from './request.ts'
import type { AuthenticatedSender } from './sender-authentication/sender-authentication.ts'

/**
 * The body of the request. It is refused before it is received if there is no room for it.
 *
 * @throws TamisError QUEUE_FULL, SHUTTING_DOWN, and what Receiver.receive throws.
 */
export async function receiveBody(
  { analyser, receiver }: Pick<Service, 'analyser' | 'receiver'>,
  request: Request,
): Promise<ReceivedBody> {
  const refusal = analyser.refusal(request.declaredLength)
  if (refusal !== undefined) throw refusal
  return await receiver.receive(request)
}

/** What is known of a message, whoever gets it. */
export interface AnalysedBody {
  readonly analysis: Analysis
  readonly sender: AuthenticatedSender
  /** What checks say of the sender, and what DNS lists and the virus scanner say where they were to be asked. */
  readonly checked: Evidence
  readonly spent: Pick<Timing, 'queue' | 'worker' | 'sender'>
}

interface BodyOptions extends AnalyseOptions {
  /** Whether the virus scanner is to be asked, if there is one. */
  readonly scan?: boolean
  readonly deltas?: Deltas | undefined
}

/** The analysis of `body`, who sent the message, and what lists say if its names are to be given. */
export async function analyseBody(
  { analyser, senderChecks, metrics }: Pick<Service, 'analyser' | 'senderChecks' | 'metrics'>,
  { metadata, outlet, log }: Request,
  body: MessageBody,
  { scan: isScanned = false, deltas, ...options }: BodyOptions,
): Promise<AnalysedBody> {
  const { userId: _, queueId: __, ...ofMessage } = metadata
  const facts = { ...ofMessage, now: new Date() }
  const started = performance.now()
  // These run while the message waits.
  const scanning = isScanned ? senderChecks.scanner?.scan(body) : undefined
  let verifiedMs = 0
  const verification = senderChecks.senderOf(body, facts).then((sender) => {
    verifiedMs = performance.now() - started
    return sender
  })
  const task = { body, facts, options, ...(deltas && { deltas }) }
  const analysed = await analyser.analyse(task, outlet)
  metrics.analysed(analysed)
  const { analysis, threadEnd, queueMs, analysisMs } = analysed
  if (threadEnd !== undefined) {
    log.warn({ err: threadEnd }, 'A thread ended; its message was judged by its header')
  }
  const asked = analysis.listNames && senderChecks.lists?.ask(analysis.listNames, facts.senderIp)
  const sender = await verification
  metrics.count('senders', { result: sender.result, source: sender.details.source })
  const lists = await asked
  if (lists !== undefined) metrics.listed(lists)
  const scan = await scanning
  if (scan !== undefined) metrics.scanned(scan)
  const isVerifiedOnly = lists === undefined && scan === undefined
  const senderMs = isVerifiedOnly ? verifiedMs : performance.now() - started
  const { failure, result, finding, details } = sender
  if (failure !== undefined) {
    log.warn({ err: failure }, 'The sender of a message could not be checked')
  }
  const stagesMs = Object.values(analysis.timing).reduce((sum, ms) => sum + ms, 0)
  const worker = Math.max(0, analysisMs - stagesMs)
  return {
    analysis,
    sender,
    checked: {
      senderAuthenticated: result === 'pass',
      sender: finding,
      ...(lists && { lists }),
      ...(scan && { scan }),
      ...(details.source !== 'none' && { authentication: details }),
    },
    spent: { queue: queueMs, worker, sender: senderMs },
  }
}
