/**
 * Folds for cross-validation. Whole sources are left out, so that calibration and thresholds are chosen
 * on predictions for mail from other sources, as in service; only the written mail, of which there must
 * always be some, is split, by kind.
 */
import { createHash } from 'node:crypto'
import { WRITTEN_SET } from '../corpora/sets.ts'
import type { Example } from './features.ts'

export const FOLDS = 5

/** Sources with both labels have a fold each; the others share the last. */
const SOURCE_FOLDS: Readonly<Record<string, number>> = {
  household_2025: 0,
  lists: 1,
  spamassassin: 2,
  csdmc2010: 3,
}

/** What of an example says where it stands. */
type Placed = Pick<Example, 'source' | 'group'>

/** The fold in which an example is left out, in 0 … FOLDS - 1. */
export function foldOfExample({ source, group }: Placed): number {
  return source === WRITTEN_SET ? foldOf(group) : (SOURCE_FOLDS[source] ?? FOLDS - 1)
}

/** The fold of a group, always the same one. */
export function foldOf(group: string): number {
  return createHash('sha256').update(group).digest().readUInt32LE() % FOLDS
}

/** One prediction per example, given by `predictRest` for the examples of each fold in turn. */
export function leaveFoldsOut<Prediction>(
  examples: readonly Placed[],
  predictRest: (training: readonly number[], rest: readonly number[]) => readonly Prediction[],
): Prediction[] {
  const predictions = new Array<Prediction>(examples.length)
  for (let fold = 0; fold < FOLDS; fold++) {
    const rest = examples.flatMap((example, i) => (foldOfExample(example) === fold ? [i] : []))
    const training = examples.flatMap((example, i) => (foldOfExample(example) === fold ? [] : [i]))
    const given = predictRest(training, rest)
    rest.forEach((i, position) => {
      predictions[i] = given[position]!
    })
  }
  return predictions
}
