/** Measures -> packages/lab/reports/embedding/README.md. */
import { DENSE_PART } from '../../../mail/embedding/message-embedding.ts'
import { percent, table, tableOf } from '../markdown.ts'
import { meanOf } from '../metrics.ts'
import type { EmbeddingMeasures, TableMeasures } from './evaluate-embedding.ts'
import { STS_LANGUAGES } from './sts-benchmark.ts'

/** What of the artifact stands in the report. */
export interface ArtifactSize {
  readonly weightsBytes: number
  readonly vocabularyBytes: number
}

const BYTES_PER_MB = 1_000_000

export function renderEmbeddingReport(
  measures: EmbeddingMeasures,
  size: ArtifactSize,
  command: string,
): string {
  return `# Embedding ${measures.trained.id}

Made by \`${command}\`. The untrained table has the
same words, weights and letter groups, and random rows.

## Sentences

STS Benchmark, development split, Spearman's correlation. Nothing was trained on it and no word
was counted in it; but word weights, letter groups, shares of the pair sources and, of three, the
seed were chosen by it. Another seed moves a figure by up to 0.01, as much as training gains.

${stsTable(measures)}

## Retrieval on mail

Of all messages of a set, is the most similar one of the same group? Recall at 1. No message of
\`lists\`, \`phishing_pot\`, \`glitchyzorua\` and \`household_2025\` was trained on; of the written mail
every second kind was left out, and these kinds are asked for among all written mail (their words
were counted for the weights). Near duplicates share two fifths of their three-word shingles
(MinHash), threads are those of References and In-Reply-To, classes those of the labels. Hybrid is
${percent(DENSE_PART)} dense, the rest sparse; this part and what each passage of a message counts were chosen on
these sets. Near duplicates are defined by common words, which favours the sparse part.

${retrievalTable(measures)}

## Speed and size

CPU time of one thread, mean of 50 rounds over different texts of the written mail.

${speedTable(measures)}

weights.bin ${megabytes(size.weightsBytes)}, vocab.txt ${megabytes(size.vocabularyBytes)}.
`
}

function stsTable({ trained, untrained }: EmbeddingMeasures): string {
  const row = (name: string, { sts }: TableMeasures) => [
    name,
    ...STS_LANGUAGES.map((language) => sts[language].toFixed(4)),
  ]
  return table(['table', ...STS_LANGUAGES], [row('trained', trained), row('untrained', untrained)])
}

function retrievalTable({ trained, untrained }: EmbeddingMeasures): string {
  const rows = trained.retrieval.map(({ name, messages, queries, found }, i) => {
    const { dense, hybrid } = untrained.retrieval[i]!.found
    const shares = [found.sparse, found.dense, found.hybrid, dense, hybrid].map(percent)
    return [name, String(messages), String(queries), ...shares]
  })
  const head = ['groups', 'messages', 'queries', 'sparse', 'dense', 'hybrid']
  return table([...head, 'dense, untrained', 'hybrid, untrained'], [...rows, meanRow(rows)])
}

/** Sets weigh alike. */
function meanRow(rows: readonly (readonly string[])[]): string[] {
  const columns = [3, 4, 5, 6, 7].map((column) =>
    percent(meanOf(rows.map((row) => Number.parseFloat(row[column]!) / 100))),
  )
  return ['mean of the sets', '', '', ...columns]
}

function speedTable({ speed }: EmbeddingMeasures): string {
  return tableOf(speed, [
    ['what', ({ what }) => what],
    ['texts', ({ items }) => String(items)],
    ['words of one', ({ words }) => String(words)],
    ['µs', ({ microseconds }) => microseconds.toFixed(0)],
  ])
}

function megabytes(bytes: number): string {
  return `${(bytes / BYTES_PER_MB).toFixed(2)} MB`
}
