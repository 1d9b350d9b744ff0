/** The embedding that comes with the package, as it lies on disk. */
import assert from 'node:assert/strict'
import { stat } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, it } from 'node:test'
import { readEmbeddingFiles, SHIPPED_EMBEDDING } from '../../../artifact-files/embedding-files.ts'
import { staticEmbeddingFromArtifact } from '../../embedding/embedding-artifact.ts'
import { denseSimilarity } from '../../embedding/embedding-model.ts'

const BYTES_MAX = 12_000_000

describe('the shipped embedding', async () => {
  const model = staticEmbeddingFromArtifact(await readEmbeddingFiles())

  it('puts texts of one meaning nearer than texts of another', () => {
    const text = model.embed('kitten')
    const same = model.embed('a young cat')
    const other = model.embed('a long journey')
    assert.ok(denseSimilarity(text, same) > denseSimilarity(text, other) + 0.1)
  })

  it('finds a German inflection near its root', () => {
    const cosine = denseSimilarity(model.embed('Rechnungen'), model.embed('Rechnung'))
    assert.ok(cosine > 0.5, String(cosine))
  })

  it('takes no more than twelve megabytes', async () => {
    const { size } = await stat(join(SHIPPED_EMBEDDING, 'weights.bin'))
    assert.ok(size <= BYTES_MAX)
  })

  it('is refused from a folder that lacks it', async () => {
    await assert.rejects(readEmbeddingFiles('/nowhere'), { code: 'ARTIFACT_MISMATCH' })
  })
})
