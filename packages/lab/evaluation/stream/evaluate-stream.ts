/** The stream evaluation: mail in order of arrival, every message corrected. */
import { FEATURE_VERSION } from '../../../mail/features/version.ts'
import { emptyModels } from '../../../mail/learning/empty-models.ts'
import type { Models } from '../../../mail/models/models.ts'
import { readCorpora } from '../../corpora/read.ts'
import { BOGOFILTER } from '../../peers/bogofilter.ts'
import { RSPAMD_BAYES } from '../../peers/rspamd.ts'
import { judgeStream } from '../../peers/run-peers.ts'
import { modelsWithoutSource, readExamples } from '../left-out-models.ts'
import { type DeliveredLetter, judgeLetter, type LetterVerdict, lettersOf } from '../letters.ts'
import { operatorCorrected, replay } from '../replay.ts'

const STREAM_SOURCE = 'spamassassin'

/** One filter, or one way of correcting it, over the whole stream. */
export interface StreamRun {
  readonly name: string
  readonly verdicts: readonly LetterVerdict[]
}

export interface StreamEvaluation {
  readonly runs: readonly StreamRun[]
  readonly featureVersion: string
  /** CPU milliseconds a message, judged and learned from at once. */
  readonly cpuMs: number
}

/**
 * @param peers also feed the other filters that are installed.
 * @throws TamisError CORPUS_INVALID when there is nothing to train on.
 */
export async function evaluateStream(corpora: string, peers: boolean): Promise<StreamEvaluation> {
  const samples = readCorpora(corpora, 'train')
  const examples = readExamples(samples)
  const letters = lettersOf(samples, examples, STREAM_SOURCE)
  const learned = (base: Models, feedback = {}) =>
    replay(letters, operatorCorrected(base), { delay: 0, share: 1, ...feedback })
  const started = process.cpuUsage()
  const first = learned(emptyModels())
  const { user, system } = process.cpuUsage(started)
  const shipped = modelsWithoutSource(examples, STREAM_SOURCE)
  const runs: StreamRun[] = [
    { name: 'Tamis, from an empty model', verdicts: first },
    {
      name: 'the same, corrected 100 messages later',
      verdicts: learned(emptyModels(), { delay: 100 }),
    },
    { name: 'the same, one in ten corrected', verdicts: learned(emptyModels(), { share: 0.1 }) },
    { name: 'Tamis, from the shipped model', verdicts: learned(shipped) },
    {
      name: 'the shipped model, never corrected',
      verdicts: letters.map((letter) => judgeLetter(shipped, letter)),
    },
    ...(peers ? await peerRuns(letters) : []),
  ]
  return {
    runs,
    featureVersion: FEATURE_VERSION,
    cpuMs: (user + system) / 1_000 / letters.length,
  }
}

async function peerRuns(letters: readonly DeliveredLetter[]): Promise<StreamRun[]> {
  const runs = await judgeStream(
    [BOGOFILTER, RSPAMD_BAYES],
    letters.map(({ sample }) => sample),
  )
  return runs.map(({ peer, version, verdicts }) => ({
    name: `${peer.name} ${version}`,
    verdicts: verdicts.map((verdict, i) => ({ ...verdict, spam: letters[i]!.spam })),
  }))
}
