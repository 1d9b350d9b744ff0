/**
 * Written mail that no model is trained on: what the shared model learns from users is judged by it
 * (models/canary.ts). It is left out by id, wherever the corpora have it.
 */
import { join } from 'node:path'
import { readWritten } from './written.ts'

/** Comes with the package. */
export const CANARY_FOLDER: string = join(import.meta.dirname, '../data/canary')

/** Ids of the texts, of which training knows several renderings. */
export function canaryIds(): ReadonlySet<string> {
  return new Set(readWritten(CANARY_FOLDER, 1).map(({ id }) => textOf(id)))
}

/** The id of the text that a written sample renders. */
export function textOf(sampleId: string): string {
  return sampleId.slice(0, sampleId.lastIndexOf('#'))
}
