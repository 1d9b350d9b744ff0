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

/** The fold in which an example is left out, in 0 … FOLDS - 1. */
export function foldOfExample({ source, group }: Pick<Example, 'source' | 'group'>): number {
  return source === WRITTEN_SET ? foldOf(group) : (SOURCE_FOLDS[source] ?? FOLDS - 1)
}

/** The fold of a group, always the same one. */
export function foldOf(group: string): number {
  return createHash('sha256').update(group).digest().readUInt32LE() % FOLDS
}
