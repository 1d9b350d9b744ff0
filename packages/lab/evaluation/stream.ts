/**
 * Mail in order of arrival, each message judged and then corrected, with the measures of the TREC spam track (Cormack and
 * Lynam, TREC 2005 Spam Track Overview).
 */
import { FEATURE_VERSION } from '../../mail/features/version.ts'
import { withDeltas } from '../../mail/learning/deltas.ts'
import { OperatorLearning } from '../../mail/learning/learn.ts'
import { exampleOf } from '../../mail/learning/learn-event.ts'
import { emptyModels, type Models } from '../../mail/models/models.ts'
import { readCorpora } from '../corpora/read.ts'
import { BOGOFILTER } from '../peers/bogofilter.ts'
import { RSPAMD_BAYES } from '../peers/rspamd.ts'
import { judgeStream } from '../peers/run-peers.ts'
import { randomSource } from '../training/random.ts'
import { modelsWithoutSource, readExamples } from './left-out-models.ts'
import {
  correctionOf,
  type DeliveredLetter,
  judgeLetter,
  type LetterVerdict,
  lettersOf,
} from './letters.ts'
import { oneMinusAuc, shareOf, spamCaughtAt } from './metrics.ts'
import type { Values } from './report.ts'

const STREAM_SOURCE = 'spamassassin'

/** One filter, or one way of correcting it, over the whole stream. */
interface StreamRun {
  readonly name: string
  readonly verdicts: readonly LetterVerdict[]
}

/**
 * @param peers also feed the other filters that are installed.
 * @throws TamisError CORPUS_INVALID when there is nothing to train on.
 */
export async function evaluateStream(corpora: string, peers: boolean): Promise<Values> {
  const samples = readCorpora(corpora, 'train')
  const examples = readExamples(samples)
  const letters = lettersOf(samples, examples, STREAM_SOURCE)
  const started = process.cpuUsage()
  const first = replay(emptyModels(), letters)
  const { user, system } = process.cpuUsage(started)
  const shipped = modelsWithoutSource(examples, STREAM_SOURCE)
  const runs: StreamRun[] = [
    { name: 'Tamis, from an empty model', verdicts: first },
    {
      name: 'the same, corrected 100 messages later',
      verdicts: replay(emptyModels(), letters, { delay: 100 }),
    },
    {
      name: 'the same, one in ten corrected',
      verdicts: replay(emptyModels(), letters, { share: 0.1 }),
    },
    { name: 'Tamis, from the shipped model', verdicts: replay(shipped, letters) },
    {
      name: 'the shipped model, never corrected',
      verdicts: letters.map((letter) => judgeLetter(shipped, letter)),
    },
    ...(peers ? await peerRuns(letters) : []),
  ]
  return {
    ham: letters.filter(({ spam }) => !spam).length,
    spam: letters.filter(({ spam }) => spam).length,
    runs: runs.map(({ name, verdicts }) => ({ name, ...streamMeasures(verdicts) })),
    featureVersion: FEATURE_VERSION,
    cpuMs: (user + system) / 1_000 / letters.length,
  }
}

async function peerRuns(letters: readonly DeliveredLetter[]): Promise<StreamRun[]> {
  const runs = await judgeStream(
    [BOGOFILTER, RSPAMD_BAYES],
    letters.map(({ sample }) => sample),
  )
  return runs.map(({ peer, verdicts }) => ({
    name: `${peer.name} ${peer.version()}`,
    verdicts: verdicts.map((verdict, i) => ({ ...verdict, spam: letters[i]!.spam })),
  }))
}

export interface StreamMeasures {
  /** (1-ROCA)%: how often a random ham scores above a random spam. */
  readonly oneMinusRoca: number
  /** sm%: spam missed where the threshold, set afterwards, loses 0.1 % of ham. */
  readonly spamMissedAtHamLoss: number
  /** hm% and sm%: ham lost and spam missed at the filter's own threshold. */
  readonly hamLost: number
  readonly spamMissed: number
  /** lam%: where hm% and sm% meet half-way as natural log-odds. */
  readonly logisticAverage: number
}

const HAM_LOSS = 0.001

export function streamMeasures(verdicts: readonly LetterVerdict[]): StreamMeasures {
  const ham = verdicts.filter(({ spam }) => !spam)
  const spam = verdicts.filter((verdict) => verdict.spam)
  const lost = shareOf(ham, ({ calledSpam }) => calledSpam)
  const missed = shareOf(spam, ({ calledSpam }) => !calledSpam)
  return {
    oneMinusRoca: 100 * oneMinusAuc(verdicts),
    spamMissedAtHamLoss: 100 * (1 - spamCaughtAt(verdicts, HAM_LOSS)),
    hamLost: 100 * lost,
    spamMissed: 100 * missed,
    logisticAverage: 100 * logisticAverage(lost, ham.length, missed, spam.length),
  }
}

/** No error at all among n counts as half an error, or the log-odds were infinite. */
function logisticAverage(lost: number, ham: number, missed: number, spam: number): number {
  const logOdds = (share: number, count: number) => {
    const bounded = Math.min(Math.max(share, 0.5 / count), 1 - 0.5 / count)
    return Math.log(bounded / (1 - bounded))
  }
  const mean = (logOdds(lost, ham) + logOdds(missed, spam)) / 2
  return 1 / (1 + Math.exp(-mean))
}

/** How corrections come. */
interface Feedback {
  /** Messages judged between a message and its correction; 0 for at once. */
  readonly delay?: number
  /** Share of the messages that are corrected at all, drawn at random. */
  readonly share?: number
}

const SEED = 2005

/** One verdict a letter, by what the operator's corrections, right or wrong, had taught when it came: no rules, no memory. */
export function replay(
  base: Models,
  letters: readonly Omit<DeliveredLetter, 'sample'>[],
  { delay = 0, share = 1 }: Feedback = {},
): LetterVerdict[] {
  const training = new OperatorLearning(base)
  const models = withDeltas(base, { operator: training.deltas })
  const random = randomSource(SEED)
  const corrected = letters.map(() => random() < share)
  return letters.map((letter, position) => {
    const verdict = judgeLetter(models, letter)
    const due = letters[position - delay]
    if (due !== undefined && corrected[position - delay]) {
      const said = { userId: 'operator', authority: 'operator', authenticated: false } as const
      const event = correctionOf({ id: due.id, letter: due, spam: due.spam, at: due.at, ...said })
      training.train(event, exampleOf(event, base)!)
    }
    return verdict
  })
}
