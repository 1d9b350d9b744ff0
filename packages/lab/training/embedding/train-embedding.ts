/** WordNet and mail -> the embedding: pairs, weights, vocabulary, fit, artifact. */
import type { EmbeddingManifest } from '../../../mail/embedding/embedding-artifact.ts'
import { digestSources, type EmbeddingArtifact, embeddingArtifact } from './artifact.ts'
import { type FitOptions, fitRows, randomRows } from './fit-rows.ts'
import { type MailText, readMailTexts } from './mail-texts.ts'
import { readWordNet, type Synset } from './material.ts'
import { type PairSource, pairSources } from './pairs.ts'
import { WordNumbers } from './texts.ts'
import { chooseVocabulary, type WordRows, wordRows } from './word-rows.ts'
import { countWords, type WordCounts } from './word-shares.ts'

/** The version of the artifact, which is not that of the code: year, month, count. */
const ARTIFACT_VERSION = '2026.11.2'

/** Chosen by STS-B development figures and by retrieval on mail left out (packages/lab/reports/embedding). */
export const FIT_OPTIONS: FitOptions = {
  pairs: 512,
  steps: 700,
  learningRate: 1,
  scale: 20,
  seed: 5,
}

/** What is fitted, before it is. */
export interface EmbeddingProblem {
  readonly words: readonly string[]
  readonly sources: readonly PairSource[]
  readonly counts: WordCounts
  readonly vocabulary: readonly number[]
  readonly rows: WordRows
}

/** What `tamis-lab train embedding` reads, from the folders of the corpora and of the material. */
export function readEmbeddingProblem(corpora: string, material: string): EmbeddingProblem {
  return embeddingProblem(readWordNet(material), readMailTexts(corpora))
}

export function embeddingProblem(
  synsets: readonly Synset[],
  mail: readonly MailText[],
): EmbeddingProblem {
  const numbers = new WordNumbers()
  const sources = pairSources(synsets, mail, numbers).filter(({ pairs }) => pairs > 0)
  const counts = countWords(synsets, mail, numbers)
  const vocabulary = chooseVocabulary(numbers.words, counts)
  const rows = wordRows(numbers.words, vocabulary, counts)
  return { words: numbers.words, sources, counts, vocabulary, rows }
}

/** The artifact; the same bytes for the same problem and options, whatever `threads` is. */
export async function trainEmbedding(
  problem: EmbeddingProblem,
  options: FitOptions,
  threads: number,
  onStep: () => void = () => {},
): Promise<EmbeddingArtifact> {
  const table = await fitRows(problem.sources, problem.rows, options, threads, onStep)
  return embeddingArtifact({ ...problem, table }, provenance('tamis-static', problem, options))
}

/** The same table with nothing learned: word weights and spelling alone. What training is measured against. */
export function untrainedEmbedding(problem: EmbeddingProblem, seed: number): EmbeddingArtifact {
  const table = randomRows(problem.rows.rows, seed)
  const options = { ...FIT_OPTIONS, steps: 0, seed }
  return embeddingArtifact({ ...problem, table }, provenance('untrained', problem, options))
}

function provenance(
  name: string,
  { sources, words }: EmbeddingProblem,
  { seed, ...options }: FitOptions,
): Pick<EmbeddingManifest, 'name' | 'version' | 'seed' | 'hyperparameters' | 'sources'> {
  return {
    name,
    version: ARTIFACT_VERSION,
    seed,
    hyperparameters: options,
    sources: digestSources(sources, words),
  }
}
