/** The step between the analysis of a message and its verdicts: where the models are not sure, it is read a second time. */
import type { Analysis, ReaderAnswer } from '../mail/verdict/analysis.ts'
import { wantsReading } from '../mail/verdict/decide.ts'
import type { Evidence } from '../mail/verdict/evidence.ts'
import type { Policy } from '../mail/verdict/policy.ts'
import type { Outlet } from './admission/queue.ts'
import type { MessageReader } from './reader/message-reader.ts'

/** What reading needs of the rest of the service. */
export interface SecondReading {
  /** Undefined where no message is read a second time. */
  readonly reader: Pick<MessageReader, 'read' | 'sentences'> | undefined
  readonly metrics: { read(answer: ReaderAnswer, ms: number): void }
}

/** An analysed message, and those for whom it is judged. */
export interface Undecided<Recipient> {
  readonly analysis: Analysis
  /** Undefined stands for nobody in particular. */
  readonly recipients: readonly (Recipient | undefined)[]
  readonly evidenceFor: (recipient: Recipient | undefined) => Evidence
  readonly policyFor: (recipient: Recipient | undefined) => Policy
}

/** Who waits for the verdicts. */
interface Asker {
  readonly outlet: Outlet
  readonly log: { warn(details: { readonly err: unknown }, text: string): void }
}

/**
 * The analysis with the reader's answer, if there is a reader and one of the recipients needs it; in any case without
 * the text that the reader is given.
 *
 * @param withSentences whether to find out which sentences moved the reader most.
 * @throws TamisError REQUEST_ABANDONED
 */
export async function readIfDoubtful<Recipient>(
  { reader, metrics }: SecondReading,
  undecided: Undecided<Recipient>,
  { outlet, log }: Asker,
  withSentences: boolean,
): Promise<Analysis> {
  const { essence, ...analysis } = undecided.analysis
  if (reader === undefined || essence === undefined) return analysis
  if (!isWanted({ ...undecided, analysis })) return analysis

  const asked = performance.now()
  const { answer, classes, pieces, failure } = await reader.read(essence, outlet)
  metrics.read(answer, performance.now() - asked)
  if (failure !== undefined) log.warn({ err: failure }, 'A message was not read a second time')
  const readSentences =
    withSentences && typeof answer === 'number'
      ? await reader.sentences(essence, answer, outlet)
      : undefined
  return {
    ...analysis,
    read: answer,
    ...(classes && { readClasses: classes }),
    piecesRead: pieces,
    ...(readSentences && { readSentences }),
    readingMs: performance.now() - asked,
  }
}

/** Whether the models alone would decide for one of the recipients, and are not sure. */
function isWanted<Recipient>(undecided: Undecided<Recipient>): boolean {
  const { analysis, recipients, evidenceFor, policyFor } = undecided
  return recipients.some((recipient) =>
    wantsReading(analysis, evidenceFor(recipient), policyFor(recipient)),
  )
}
