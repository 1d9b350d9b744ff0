import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { TableMeasures } from '../../../evaluation/embedding/evaluate-embedding.ts'
import { renderEmbeddingReport } from '../../../evaluation/embedding/report.ts'

function measures(id: string, en: number, dense: number): TableMeasures {
  const found = { sparse: 0.5, dense, hybrid: 0.75 }
  return {
    id,
    sts: { en, de: 0.7, es: 0.6 },
    retrieval: [{ name: 'threads', messages: 40, queries: 8, found }],
  }
}

describe('renderEmbeddingReport', () => {
  const report = renderEmbeddingReport(
    {
      trained: measures('small-1', 0.8, 0.625),
      untrained: measures('untrained-1', 0.75, 0.25),
      encoder: { id: 'encoder-1', sts: { en: 0.84, de: 0.83, es: 0.82 }, acrossLanguages: 0.77 },
    },
    { weightsBytes: 5_954_248, vocabularyBytes: 180_342 },
    'tamis-lab evaluate embedding',
  )

  it('puts the trained table beside the untrained one', () => {
    assert.match(report, /\| table, trained \(memory\) \| 0\.8000 \| 0\.7000 \| 0\.6000 \|/)
    assert.match(
      report,
      /\| table, untrained \| 0\.7500 \| 0\.7000 \| 0\.6000 \| {2}\|\n\| encoder-1 \(embed-text\) \| 0\.8400 \| 0\.8300 \| 0\.8200 \| 0\.7700 \|/,
    )
    assert.match(
      report,
      /\| threads \| 40 \| 8 \| 50\.0 % \| 62\.5 % \| 75\.0 % \| 25\.0 % \| 75\.0 % \|/,
    )
  })

  it('gives the size', () => {
    assert.match(report, /weights\.bin 5\.95 MB, vocab\.txt 0\.18 MB/)
  })
})
