/** The trained and the untrained table and the encoder side by side: sentences, and for the tables retrieval on mail. */

import { SHIPPED_ENCODER } from '../../../artifact-files/artifact-files.ts'
import { embedText, openEncoder } from '../../../encoder/open-encoder.ts'
import { staticEmbeddingFromArtifact } from '../../../mail/embedding/embedding-artifact.ts'
import {
  DIMENSIONS,
  type EmbeddingModel,
  type TextEmbedding,
} from '../../../mail/embedding/embedding-model.ts'
import { startProgress } from '../../../terminal/progress.ts'
import { readMaterial } from '../../training/embedding/material.ts'
import {
  FIT_OPTIONS,
  readEmbeddingProblem,
  untrainedEmbedding,
} from '../../training/embedding/train-embedding.ts'
import { measureRetrieval, type Retrieval } from './retrieval.ts'
import { embeddedSet, readGroupedMessages } from './retrieval-sets.ts'
import { type RatedPair, readRatedPairs, STS_LANGUAGES, stsCorrelation } from './sts-benchmark.ts'

export interface TableMeasures {
  readonly id: string
  /** Spearman's correlation by language. */
  readonly sts: Readonly<Record<(typeof STS_LANGUAGES)[number], number>>
  readonly retrieval: readonly Retrieval[]
}

/** What the pretrained encoder gives, which embeds texts over HTTP and no mail. */
export interface EncoderMeasures {
  readonly id: string
  readonly sts: TableMeasures['sts']
  /** The first sentence of a pair in English, the second in German. */
  readonly acrossLanguages: number
}

export interface EmbeddingMeasures {
  readonly encoder: EncoderMeasures
  readonly trained: TableMeasures
  readonly untrained: TableMeasures
}

/** `trained` measured in `corpora` and with the ratings in `material`, and an untrained table beside it. */
export async function evaluateEmbedding(
  trained: EmbeddingModel,
  corpora: string,
  material: string,
): Promise<EmbeddingMeasures> {
  const problem = readEmbeddingProblem(corpora, material)
  const untrained = staticEmbeddingFromArtifact(untrainedEmbedding(problem, FIT_OPTIONS.seed))
  const sets = readGroupedMessages(corpora)
  const progress = startProgress('measure', 2 * (1 + sets.length))
  const counted = <Value>(value: Value): Value => {
    progress.advance()
    return value
  }
  const measuresOf = async (model: EmbeddingModel): Promise<TableMeasures> => ({
    id: model.id,
    sts: counted(await stsOf(model, material)),
    retrieval: sets.map((set) => counted(measureRetrieval(embeddedSet(set, model)))),
  })
  const measures = {
    trained: await measuresOf(trained),
    untrained: await measuresOf(untrained),
    encoder: await encoderMeasures(material),
  }
  progress.end()
  return measures
}

async function encoderMeasures(material: string): Promise<EncoderMeasures> {
  const encoder = await openEncoder(SHIPPED_ENCODER)
  const model: TextEmbedding = {
    id: encoder.id,
    dimensions: DIMENSIONS,
    embed: (text) => embedText(encoder, text),
  }
  const [english, german] = [ratedPairs(material, 'en'), ratedPairs(material, 'de')]
  const crossed = english.map((pair, i) => ({ ...pair, second: german[i]!.second }))
  const measures = {
    id: encoder.id,
    sts: await stsOf(model, material),
    acrossLanguages: await stsCorrelation(model, crossed),
  }
  await encoder.close()
  return measures
}

async function stsOf(model: TextEmbedding, material: string): Promise<TableMeasures['sts']> {
  const correlations: [string, number][] = []
  for (const language of STS_LANGUAGES) {
    correlations.push([language, await stsCorrelation(model, ratedPairs(material, language))])
  }
  return Object.fromEntries(correlations) as TableMeasures['sts']
}

function ratedPairs(material: string, language: (typeof STS_LANGUAGES)[number]): RatedPair[] {
  return readRatedPairs(readMaterial(material, `stsb-${language}-dev.csv`).toString('utf8'))
}
