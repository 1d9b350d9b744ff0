/** The part that judging and correcting have in common: the analysis of a received message, and who sent it. */
import type { AnalyseOptions } from '../mail/analyse.ts'
import type { Facts } from '../mail/signals/signal.ts'
import type { Analysis } from '../mail/verdict/analysis.ts'
import type { Timing } from '../mail/verdict/diagnostic.ts'
import type { ListFinding } from '../mail/verdict/list-findings.ts'
import type { ScanFinding } from '../mail/verdict/scan-finding.ts'
import type { Analysed, Turn } from './admission/analyse-task.ts'
import type { Analyser } from './admission/analyser.ts'
import type { MessageBody } from './admission/message-body.ts'
import type { Receiver } from './admission/receive.ts'
import type { Embedder } from './encoder/embedder.ts'
import type { Metadata, Request } from './request.ts'
import type { AuthenticatedSender } from './sender-authentication/sender-authentication.ts'
import type { SenderChecks } from './sender-authentication/sender-checks.ts'

/** What an analysis needs of the rest of the service. */
export interface Analysing {
  readonly analyser: Pick<Analyser, 'refusal' | 'analyse'>
  readonly receiver: Pick<Receiver, 'receive'>
  /** How senders are checked, and DNS lists and the virus scanner asked. */
  readonly senderChecks: Pick<SenderChecks, 'senderOf' | 'lists' | 'scanner'>
  readonly embedder: Pick<Embedder, 'id' | 'isUsable' | 'embed'>
  /** The metrics that an analysis counts. */
  readonly metrics: {
    analysed(analysed: Analysed): void
    sender(sender: AuthenticatedSender): void
    listed(findings: readonly ListFinding[]): void
    scanned(finding: ScanFinding): void
  }
}

/**
 * Before a body is received: refuses it if there would be no room for it. So a request that was not checked as it arrived
 * (http/refuse-early.ts), such as one whose path is spelled otherwise, sends no body for nothing.
 *
 * @throws TamisError QUEUE_FULL, SHUTTING_DOWN.
 */
export function refuseIfFull({ analyser }: Analysing, { declaredLength }: Request): void {
  const refusal = analyser.refusal(declaredLength)
  if (refusal !== undefined) throw refusal
}

interface AnalysedBody {
  readonly analysis: Analysis
  readonly sender: AuthenticatedSender
  /** What DNS lists say; undefined when none was to be asked. */
  readonly lists: readonly ListFinding[] | undefined
  /** What the virus scanner says; undefined when it was not to be asked. */
  readonly scan: ScanFinding | undefined
  readonly spent: Pick<Timing, 'queue' | 'worker' | 'sender'>
}

/** What is wanted of a message. */
interface BodyOptions extends AnalyseOptions {
  /** Whether the virus scanner is to be asked, if there is one. */
  readonly scan?: boolean
}

/** The analysis of `body`, who sent the message, and what lists say if its names are to be given. */
export async function analyseBody(
  { analyser, senderChecks, metrics }: Analysing,
  { metadata, outlet, log }: Request,
  body: MessageBody,
  { scan: isScanned = false, ...options }: BodyOptions,
  deltas?: Turn['deltas'],
): Promise<AnalysedBody> {
  const facts = factsFrom(metadata, new Date())
  const started = performance.now()
  // These run while the message waits.
  const scanning = isScanned ? senderChecks.scanner?.scan(body) : undefined
  const verification = timed(senderChecks.senderOf(body, facts), started)
  const analysed = await analyser.analyse(body, facts, options, { deltas, outlet })
  metrics.analysed(analysed)
  const { analysis, threadEnd, queueMs, analysisMs } = analysed
  if (threadEnd !== undefined) {
    log.warn({ err: threadEnd }, 'A thread ended; its message was judged by its header')
  }
  const asked = analysis.listNames && senderChecks.lists?.ask(analysis.listNames, facts.senderIp)
  const { value: sender, ms: verifiedMs } = await verification
  metrics.sender(sender)
  const lists = await asked
  if (lists !== undefined) metrics.listed(lists)
  const scan = await scanning
  if (scan !== undefined) metrics.scanned(scan)
  const isVerifiedOnly = lists === undefined && scan === undefined
  const senderMs = isVerifiedOnly ? verifiedMs : performance.now() - started
  if (sender.failure !== undefined) {
    log.warn({ err: sender.failure }, 'The sender of a message could not be checked')
  }
  const stagesMs = Object.values(analysis.timing).reduce((sum, ms) => sum + ms, 0)
  const worker = Math.max(0, analysisMs - stagesMs)
  return { analysis, sender, lists, scan, spent: { queue: queueMs, worker, sender: senderMs } }
}

/** The result of `work`, and how long after `started` it came. */
async function timed<Value>(
  work: Promise<Value>,
  started: number,
): Promise<{ readonly value: Value; readonly ms: number }> {
  const value = await work
  return { value, ms: performance.now() - started }
}

/** The part of `metadata` that concerns the message and not the recipient. */
function factsFrom({ senderIp, mailFrom, arrivalFallback }: Metadata, now: Date): Facts {
  return {
    now,
    ...(arrivalFallback === undefined ? {} : { arrivalFallback }),
    ...(senderIp === undefined ? {} : { senderIp }),
    ...(mailFrom === undefined ? {} : { mailFrom }),
  }
}
