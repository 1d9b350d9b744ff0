/** The whole evaluation: corpora -> trainings -> outcomes, and what other filters say of the same files. */
import { FEATURE_VERSION } from '../../mail/features/version.ts'
import { readCorpora } from '../corpora/read.ts'
import type { Sample } from '../corpora/sample.ts'
import { WRITTEN_SET } from '../corpora/sets.ts'
import { examplesOf } from '../training/features.ts'
import { readHouseholdKinds } from './household-errors.ts'
import { PEER_SOURCES, type PeerResult, runPeers } from './peers/peers.ts'
import { MEASURES, type MeasureName, planTrainings } from './plan.ts'
import { renderingLeak } from './rendering-leak.ts'
import type { ReportInput } from './report.ts'
import { runTrainings } from './trainings.ts'

export interface EvaluationSettings {
  /** Folder with one folder per set. */
  readonly corpora: string
  /** All when absent. */
  readonly measures?: readonly MeasureName[]
  /** Ask the other filters that are installed. */
  readonly peers: boolean
  /** Trainings at once; each holds all corpora and their features, some 1.5 GB. */
  readonly threads: number
  readonly startProgress: (label: string, total: number) => EvaluationProgress
}

export interface EvaluationProgress {
  advance(): void
  end(): void
}

/** @throws TamisError CORPUS_INVALID when there is nothing to train on. */
export async function evaluate(
  settings: EvaluationSettings,
): Promise<Omit<ReportInput, 'command'>> {
  const { corpora, measures = MEASURES, threads } = settings
  const forTraining = readCorpora(corpora, 'train')
  const neverTrained = readCorpora(corpora, 'evaluate')
  const reading = settings.startProgress('read', forTraining.length + neverTrained.length)
  const samples = [...forTraining, ...neverTrained]
  const examples = examplesOf(samples, () => reading.advance())
  reading.end()
  const trainings = planTrainings(examples, forTraining.length, measures)

  const training = settings.startProgress('train and measure', trainings.length)
  const messages = samples.map(({ bytes }) => bytes)
  const outcomes = await runTrainings(examples, messages, trainings, threads, () =>
    training.advance(),
  )
  training.end()
  const rendered = measures.includes('written') && examples.some(isWritten)
  return {
    measures: outcomes,
    ...(rendered ? { leak: renderingLeak(forTraining.filter(isWritten)) } : {}),
    peers: settings.peers ? await askPeers(settings, measures) : [],
    kinds: readHouseholdKinds(corpora),
    featureVersion: FEATURE_VERSION,
  }
}

function isWritten({ source }: Pick<Sample, 'source'>): boolean {
  return source === WRITTEN_SET
}

const alreadyReported = () => {}

/** Reads the corpora again: their bytes are not kept while models are trained. */
async function askPeers(
  { corpora, startProgress }: EvaluationSettings,
  measures: readonly MeasureName[],
): Promise<PeerResult[]> {
  const samples: Sample[] = readCorpora(corpora, 'train', alreadyReported)
  const present = new Set(samples.map(({ source }) => source))
  let judging: EvaluationProgress | undefined
  const results = await runPeers({
    samples,
    neverTrained: readCorpora(corpora, 'evaluate', alreadyReported),
    sources: PEER_SOURCES.filter((source) => measures.includes(source) && present.has(source)),
    onStart: (verdicts) => {
      judging = startProgress('peers', verdicts)
    },
    onJudged: () => judging?.advance(),
  })
  judging?.end()
  return results
}
