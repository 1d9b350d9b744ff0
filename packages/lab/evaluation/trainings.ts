/**
 * Runs the trainings of an evaluation on threads. Each is determined by its examples
 * alone, so that threads and their order change nothing.
 */
import { Piscina } from 'piscina'
import { moduleBeside } from '../../mail/module-beside.ts'
import type { Example } from '../training/features.ts'
import type { Outcome } from './outcome.ts'
import type { MeasureName, Training } from './plan.ts'
import type { TrainThreadData } from './train-in-thread.ts'

/** For each measure the outcomes of its trainings, in the order of the plan. */
export type MeasureOutcomes = ReadonlyMap<MeasureName, readonly (readonly Outcome[])[]>

/** `messages` are those of the examples, in step. `onTrained` is called after each training. */
export async function runTrainings(
  examples: readonly Example[],
  messages: readonly Uint8Array[],
  trainings: readonly Training[],
  threads: number,
  onTrained: () => void,
): Promise<MeasureOutcomes> {
  const workerData: TrainThreadData = { examples, messages }
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
        onTrained()
        return found
      }),
    )
    return byMeasure(trainings, outcomes)
  } finally {
    await pool.destroy()
  }
}

function byMeasure(
  trainings: readonly Training[],
  outcomes: readonly (readonly Outcome[])[],
): MeasureOutcomes {
  const found = new Map<MeasureName, (readonly Outcome[])[]>()
  trainings.forEach(({ measure }, i) => {
    found.set(measure, [...(found.get(measure) ?? []), outcomes[i]!])
  })
  return found
}
