/** Measures -> packages/lab/reports/embedding/README.md. */
import { DENSE_PART } from '../../../mail/embedding/message-embedding.ts'
import { page, percent, table } from '../markdown.ts'
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
  return page('embedding', {
    DENSE_PART,
    command,
    id: measures.trained.id,
    stsTable: stsTable(measures),
    retrievalTable: retrievalTable(measures),
    weights: size.weightsBytes / BYTES_PER_MB,
    vocabulary: size.vocabularyBytes / BYTES_PER_MB,
  })
}

function stsTable({ trained, untrained, encoder }: EmbeddingMeasures): string {
  const row = (name: string, { sts }: Pick<TableMeasures, 'sts'>, across = '') => [
    name,
    ...STS_LANGUAGES.map((language) => sts[language].toFixed(4)),
    across,
  ]
  return table(
    ['', ...STS_LANGUAGES, 'en against de'],
    [
      row(`table, trained (memory)`, trained),
      row('table, untrained', untrained),
      row(`${encoder.id} (embed-text)`, encoder, encoder.acrossLanguages.toFixed(4)),
    ],
  )
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
