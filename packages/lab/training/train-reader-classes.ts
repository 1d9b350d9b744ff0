/**
 * Trains what the reader says of classes on what the encoder gives for examples, and chooses by predictions for examples left
 * out how it is joined with the tabs model.
 */
import { CLASSES, type ClassProbabilities } from '../../mail/models/prediction.ts'
import {
  type ClassFusion,
  headLogit,
  type ReaderHead,
  type ReaderModel,
  readClasses,
} from '../../mail/models/reader.ts'
import type { Example } from './features.ts'
import { fitWide, type WideOptions } from './fit-wide.ts'
import { leaveFoldsOut } from './folds.ts'

/** A stronger penalty than that of spam's head, with which it is as good and done sooner. */
export const CLASS_OPTIONS: WideOptions = { l2: 4e-2, steps: 60 }

/** What training gives for classes. */
export type TrainedClasses = Pick<ReaderModel, 'classes' | 'classFusion'>

/** An example with a class that the encoder has read, and what the tabs model says of it that has not seen it. */
export interface ClassExample extends Pick<Example, 'source' | 'group'> {
  readonly means: Float32Array
  /** Position in CLASSES. */
  readonly label: number
  readonly weight: number
  readonly tabs: ClassProbabilities
}

/**
 * Candidates for how much each model counts: from where it says hardly anything to where it is taken at its word.
 * Both stand for the temperature too.
 */
const FACTORS = [0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 1, 1.2]

/** @param onFit called after each of FOLDS + 1 fits. */
export function trainReaderClasses(
  examples: readonly ClassExample[],
  onFit: () => void,
): TrainedClasses {
  const fit = (positions: readonly number[]): ReaderHead[] => {
    const heads = CLASSES.map((_, c) =>
      fitWide(
        positions.map((i) => {
          const { means, label, weight } = examples[i]!
          return { inputs: means, positive: label === c, weight }
        }),
        CLASS_OPTIONS,
      ),
    )
    onFit()
    return heads
  }
  const read = leaveFoldsOut(examples, (training, rest) => {
    const heads = fit(training)
    return rest.map((i) => heads.map((head) => headLogit(head, examples[i]!.means)))
  })
  return { classFusion: fitClassFusion(examples, read), classes: fit([...examples.keys()]) }
}

/** The factors under which the labels are likeliest. */
function fitClassFusion(
  examples: readonly ClassExample[],
  read: readonly (readonly number[])[],
): ClassFusion {
  const lossOf = (fusion: ClassFusion) =>
    examples.reduce((sum, { tabs, label, weight }, i) => {
      const probability = readClasses(fusion, tabs, read[i]!)[CLASSES[label]!]
      return sum - weight * Math.log(Math.max(probability, Number.MIN_VALUE))
    }, 0)
  return FACTORS.flatMap((tabs) => FACTORS.map((reader) => ({ tabs, reader })))
    .map((fusion) => ({ fusion, loss: lossOf(fusion) }))
    .reduce((best, one) => (one.loss < best.loss ? one : best)).fusion
}
