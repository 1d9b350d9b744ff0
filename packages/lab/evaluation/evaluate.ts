/**
 * The evaluation of the models: corpora -> trainings -> outcomes, and what other filters say of the same files. Each training is
 * determined by its examples alone, so that threads and their order change nothing.
 */
import { Piscina } from 'piscina'
import { FEATURE_VERSION } from '../../mail/features/version.ts'
import { moduleBeside } from '../../mail/module-beside.ts'
import { startProgress } from '../../terminal/progress.ts'
import { readCorpora } from '../corpora/read.ts'
import type { Evaluated } from './figures.ts'
import { readExamples } from './left-out-models.ts'
import type { MeasureOutcomes } from './measurements.ts'
import type { Outcome } from './outcome.ts'
import { askPeers, PEER_SOURCES } from './peers.ts'
import { MEASURES, type MeasureName, planTrainings, type Training } from './plan.ts'
import type { TrainThreadData } from './train-in-thread.ts'

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
  const data = { examples, messages: samples.map(({ bytes }) => bytes) }
  const present = new Set(forTraining.map(({ source }) => source))
  const asked = PEER_SOURCES.filter((name) => measures.includes(name) && present.has(name))
  return {
    measures: await runTrainings(data, trainings, threads),
    peers: settings.peers ? await askPeers(forTraining, never, asked) : [],
    featureVersion: FEATURE_VERSION,
  }
}

async function runTrainings(
  workerData: TrainThreadData,
  trainings: readonly Training[],
  threads: number,
): Promise<MeasureOutcomes> {
  const progress = startProgress('train and measure', trainings.length)
  const workers = Math.min(threads, trainings.length)
  const pool = new Piscina<Training, Outcome[]>({
    filename: moduleBeside(import.meta.url, 'train-in-thread').href,
    name: 'train',
    minThreads: workers,
    maxThreads: workers,
    workerData,
  })
  try {
    const outcomes = await Promise.all(
      trainings.map(async (training) => {
        const found = await pool.run(training)
        progress.advance()
        return found
      }),
    )
    const positions = Map.groupBy(trainings.keys(), (i) => trainings[i]!.measure)
    return new Map([...positions].map(([name, of]) => [name, of.map((i) => outcomes[i]!)]))
  } finally {
    await pool.destroy()
    progress.end()
  }
}
