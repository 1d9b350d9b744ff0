/** The whole stream evaluation: corpora -> streams -> what the report shows. */
import { META_NUMBERING } from '../../../mail/features/meta-features.ts'
import { FEATURE_VERSION } from '../../../mail/features/version.ts'
import { emptyModels } from '../../../mail/learning/empty-models.ts'
import type { Models } from '../../../mail/models/models.ts'
import { readCorpora } from '../../corpora/read.ts'
import type { Sample } from '../../corpora/sample.ts'
import { type Example, examplesOf } from '../../training/features.ts'
import { trainModels } from '../../training/train.ts'
import { planTrainings } from '../plan.ts'
import { deliveryOf, inOrderOfArrival } from './delivery.ts'
import { type HouseholdErrors, householdErrors } from './household.ts'
import { AT_ONCE, judge, replay } from './replay.ts'
import type { StreamMessage, StreamRun } from './stream.ts'
import { runStreamPeers } from './stream-peers.ts'

const STREAM_SOURCE = 'spamassassin'
const HOUSEHOLD_SOURCE = 'household_2025'

export interface StreamEvaluationSettings {
  /** Folder with one folder per set. */
  readonly corpora: string
  /** Also feed the other filters that are installed. */
  readonly peers: boolean
  readonly startProgress: (label: string, total: number) => { advance(): void; end(): void }
}

export interface StreamEvaluation {
  readonly runs: readonly StreamRun[]
  /** Undefined when there is no such mail. */
  readonly household: HouseholdErrors | undefined
  readonly featureVersion: string
  /** CPU milliseconds a message, judged and learned from at once. */
  readonly cpuMs: number
}

/** @throws TamisError CORPUS_INVALID when there is nothing to train on. */
export async function evaluateStream(
  settings: StreamEvaluationSettings,
): Promise<StreamEvaluation> {
  const samples = readCorpora(settings.corpora, 'train')
  const reading = settings.startProgress('read', samples.length)
  const examples = examplesOf(samples, () => reading.advance())
  reading.end()
  const stream = messagesOf(samples, examples, STREAM_SOURCE)
  const messages = stream.map(({ message }) => message)
  const started = process.cpuUsage()
  const first = replay(emptyModels(), messages, AT_ONCE)
  const { user, system } = process.cpuUsage(started)
  const shipped = modelsWithout(examples, STREAM_SOURCE)
  const runs: StreamRun[] = [
    { name: 'Tamis, from an empty model', verdicts: first },
    {
      name: 'the same, corrected 100 messages later',
      verdicts: replay(emptyModels(), messages, { delay: 100, share: 1 }),
    },
    {
      name: 'the same, one in ten corrected',
      verdicts: replay(emptyModels(), messages, { delay: 0, share: 0.1 }),
    },
    { name: 'Tamis, from the shipped model', verdicts: replay(shipped, messages, AT_ONCE) },
    {
      name: 'the shipped model, never corrected',
      verdicts: messages.map((message) => judge(shipped, message)),
    },
    ...(settings.peers
      ? await runStreamPeers(
          stream.map(({ sample, message }) => ({ bytes: sample.bytes, spam: message.spam })),
          settings.startProgress,
        )
      : []),
  ]
  const household = messagesOf(samples, examples, HOUSEHOLD_SOURCE).map(({ message }) => message)
  return {
    runs,
    household:
      household.length === 0
        ? undefined
        : householdErrors(modelsWithout(examples, HOUSEHOLD_SOURCE), household),
    featureVersion: FEATURE_VERSION,
    cpuMs: (user + system) / 1_000 / messages.length,
  }
}

/** The mail of `source` that has a label, in order of arrival. */
export function messagesOf(
  samples: readonly Sample[],
  examples: readonly Example[],
  source: string,
): { sample: Sample; message: StreamMessage }[] {
  const found = samples.flatMap((sample, i) => {
    if (sample.source !== source || sample.spam === undefined) return []
    const { text, meta } = examples[i]!
    const { id, spam } = sample
    return [{ id, spam, sample, text, meta, ...deliveryOf(sample) }]
  })
  return inOrderOfArrival(found).map(({ sample, ...message }) => ({ sample, message }))
}

/** As shipped, but trained without `source` and without copies of its mail. */
export function modelsWithout(
  examples: readonly Example[],
  source: 'spamassassin' | 'household_2025',
): Models {
  const [training] = planTrainings(examples, examples.length, [source])
  const absent = new Set(training?.leftOut)
  const trained = trainModels(examples.filter((_, i) => !absent.has(i)))
  return {
    ...trained,
    version: `without ${source}`,
    featureVersion: FEATURE_VERSION,
    metaNumbering: META_NUMBERING,
  }
}
