/** Corpora as examples, and models as shipped but trained without some of them. */
import { readCommonText } from '../../artifact-files/artifact-files.ts'
import { META_NUMBERING } from '../../mail/features/meta-features.ts'
import { FEATURE_VERSION } from '../../mail/features/version.ts'
import type { Models } from '../../mail/models/models.ts'
import { startProgress } from '../../terminal/progress.ts'
import type { Sample } from '../corpora/sets.ts'
import { type Example, examplesOf } from '../training/features.ts'
import { trainModels } from '../training/train.ts'
import { type MeasureName, planTrainings } from './plan.ts'

/** Was counted without the sets that are left out by name; see training/common-text.ts. */
const COMMON_TEXT = await readCommonText()

/** The examples of `samples`, in step. */
export function readExamples(samples: readonly Sample[]): Example[] {
  const reading = startProgress('read', samples.length)
  const examples = examplesOf(samples, () => reading.advance())
  reading.end()
  return examples
}

/** What training gives without the examples at `leftOut`, as the service would read it from artifacts. */
export function modelsWithout(
  examples: readonly Example[],
  leftOut: ReadonlySet<number>,
  version = 'measured',
): Models {
  return {
    ...trainModels(examples.filter((_, i) => !leftOut.has(i))),
    version,
    featureVersion: FEATURE_VERSION,
    metaNumbering: META_NUMBERING,
    commonText: COMMON_TEXT,
  }
}

/** As shipped, but trained without `source` and without copies of its mail. */
export function modelsWithoutSource(examples: readonly Example[], source: MeasureName): Models {
  return modelsWithout(examples, firstLeftOut(examples, source), `without ${source}`)
}

/** What the first training for `measure` leaves out. */
export function firstLeftOut(
  examples: readonly Example[],
  measure: MeasureName,
): ReadonlySet<number> {
  const [training] = planTrainings(examples, examples.length, [measure])
  return new Set(training?.leftOut)
}
