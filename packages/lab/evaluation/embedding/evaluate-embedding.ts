/** The trained and the untrained table side by side: sentences, and retrieval on mail. */

import { staticEmbeddingFromArtifact } from '../../../mail/embedding/embedding-artifact.ts'
import type { EmbeddingModel } from '../../../mail/embedding/embedding-model.ts'
import { startProgress } from '../../../terminal/progress.ts'
import { readMaterial } from '../../training/embedding/material.ts'
import {
  FIT_OPTIONS,
  readEmbeddingProblem,
  untrainedEmbedding,
} from '../../training/embedding/train-embedding.ts'
import { measureRetrieval, type Retrieval } from './retrieval.ts'
import { embeddedSet, readGroupedMessages } from './retrieval-sets.ts'
import { readRatedPairs, STS_LANGUAGES, stsCorrelation } from './sts-benchmark.ts'

export interface TableMeasures {
  readonly id: string
  /** Spearman's correlation by language. */
  readonly sts: Readonly<Record<(typeof STS_LANGUAGES)[number], number>>
  readonly retrieval: readonly Retrieval[]
}

export interface EmbeddingMeasures {
  readonly trained: TableMeasures
  readonly untrained: TableMeasures
}

/** `trained` measured in `corpora` and with the ratings in `material`, and an untrained table beside it. */
export function evaluateEmbedding(
  trained: EmbeddingModel,
  corpora: string,
  material: string,
): EmbeddingMeasures {
  const problem = readEmbeddingProblem(corpora, material)
  const untrained = staticEmbeddingFromArtifact(untrainedEmbedding(problem, FIT_OPTIONS.seed))
  const sets = readGroupedMessages(corpora)
  const progress = startProgress('measure', 2 * (1 + sets.length))
  const counted = <Value>(value: Value): Value => {
    progress.advance()
    return value
  }
  const measuresOf = (model: EmbeddingModel): TableMeasures => ({
    id: model.id,
    sts: counted(stsOf(model, material)),
    retrieval: sets.map((set) => counted(measureRetrieval(embeddedSet(set, model)))),
  })
  const measures = { trained: measuresOf(trained), untrained: measuresOf(untrained) }
  progress.end()
  return measures
}

function stsOf(model: EmbeddingModel, material: string): TableMeasures['sts'] {
  const correlations = STS_LANGUAGES.map((language) => {
    const csv = readMaterial(material, `stsb-${language}-dev.csv`).toString('utf8')
    return [language, stsCorrelation(model, readRatedPairs(csv))] as const
  })
  return Object.fromEntries(correlations) as TableMeasures['sts']
}
