/** Reads doubtful messages in a command as the service does, but waits for the reader as long as it takes. */
import type { Models } from '../../mail/models/models.ts'
import type { Analysis } from '../../mail/verdict/analysis.ts'
import { NO_EVIDENCE } from '../../mail/verdict/evidence.ts'
import { type Policy, policyFor } from '../../mail/verdict/policy.ts'
import { type Config, policySettings } from '../config.ts'
import { readIfDoubtful } from '../read-doubtful.ts'
import { openEncoderFor } from '../reader/open-encoder.ts'
import { openReader } from '../reader/open-reader.ts'

export interface ReadingHere {
  /** The policy for nobody in particular, by the thresholds of the reader where there is one. */
  readonly policy: Policy
  /** Whether an analysis needs its essence. */
  readonly essence: boolean
  /** The analysis with the reader's answer, if the models are not sure; with the sentences that moved it, if wanted. */
  read(analysis: Analysis, withSentences?: boolean): Promise<Analysis>
  close(): Promise<void>
}

/** Milliseconds for a reading: nobody waits for a verdict, and it is to be the same on a busy machine. */
const DEADLINE_MS = 60_000

/** A command does not leave before its answer. */
const NOBODY_LEAVES = { destroyed: false, once: () => {}, off: () => {} }

/**
 * Opens the reader that `config` wants; where it cannot be opened, says so on standard error.
 *
 * @param folder of the models; undefined for those that come with Tamis.
 */
export async function readingHere(
  models: Models,
  folder: string | undefined,
  config: Config,
): Promise<ReadingHere> {
  const encoder = await openEncoderFor({ reader: config.reader, embedding: 'table' }, {})
  const { reader, model, failure } = await openReader(config.reader, folder, encoder, DEADLINE_MS)
  if (failure !== undefined)
    warn(`Messages are judged without a second reading: ${failure.message}`)
  const { fusion } = models
  const policy = policyFor({ fusion, ...(model && { reader: model }) }, policySettings(config))
  const service = { reader, metrics: { read: () => {} } }
  const asker = {
    outlet: NOBODY_LEAVES,
    log: { warn: ({ err }: { readonly err: unknown }, text: string) => warn(`${text}: ${err}`) },
  }
  return {
    policy,
    essence: reader !== undefined,
    read: (analysis, withSentences = false) => {
      const forNobody = {
        recipients: [undefined],
        evidenceFor: () => NO_EVIDENCE,
        policyFor: () => policy,
      }
      return readIfDoubtful(service, { analysis, ...forNobody }, asker, withSentences)
    },
    close: () => encoder.close(),
  }
}

function warn(text: string): void {
  process.stderr.write(`tamis: ${text}\n`)
}
