/** The evaluation of the models: corpora -> trainings -> outcomes, and what other filters say of the same files. */
import { FEATURE_VERSION } from '../../mail/features/version.ts'
import { startProgress } from '../../terminal/progress.ts'
import { readCorpora } from '../corpora/read.ts'
import type { Sample } from '../corpora/sample.ts'
import type { Evaluated } from './figures.ts'
import { readExamples } from './left-out-models.ts'
import { askPeers, PEER_SOURCES, type PeerResult } from './peers.ts'
import { MEASURES, type MeasureName, planTrainings } from './plan.ts'
import { runTrainings } from './trainings.ts'

export interface EvaluationSettings {
  /** Folder with one folder per set. */
  readonly corpora: string
  /** All when absent. */
  readonly measures?: readonly MeasureName[] | undefined
  /** Ask the other filters that are installed. */
  readonly peers: boolean
  /** Trainings at once; each holds all corpora and their features, some 1.5 GB. */
  readonly threads: number
}

/** @throws TamisError CORPUS_INVALID when there is nothing to train on. */
export async function evaluate(settings: EvaluationSettings): Promise<Evaluated> {
  const { corpora, measures = MEASURES, threads } = settings
  const forTraining = readCorpora(corpora, 'train')
  const never = readCorpora(corpora, 'evaluate')
  const samples = [...forTraining, ...never]
  const examples = readExamples(samples)
  const trainings = planTrainings(examples, forTraining.length, measures)

  const training = startProgress('train and measure', trainings.length)
  const messages = samples.map(({ bytes }) => bytes)
  const outcomes = await runTrainings(examples, messages, trainings, threads, () =>
    training.advance(),
  )
  training.end()
  return {
    measures: outcomes,
    peers: settings.peers ? await peerResults(forTraining, never, measures) : [],
    featureVersion: FEATURE_VERSION,
  }
}

async function peerResults(
  training: readonly Sample[],
  never: readonly Sample[],
  measures: readonly MeasureName[],
): Promise<PeerResult[]> {
  const present = new Set(training.map(({ source }) => source))
  const sources = PEER_SOURCES.filter((name) => measures.includes(name) && present.has(name))
  return await askPeers(training, never, sources)
}
