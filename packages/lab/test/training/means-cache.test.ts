import assert from 'node:assert/strict'
import { appendFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, it } from 'node:test'
import { temporaryFolder } from '../../../../test/temporary-folder.ts'
import { openMeansCache } from '../../training/means-cache.ts'

describe('a cache of what the encoder gives', () => {
  const path = join(temporaryFolder(), 'cache', 'means.bin')

  it('gives in the next run what was added in this one, for the same text and encoder', () => {
    const first = openMeansCache(path, 'encoder-1', 2)
    assert.equal(first.get('a'), undefined)
    first.add(['a', 'b'], [Float32Array.of(1, 2), Float32Array.of(3, 4)])
    const next = openMeansCache(path, 'encoder-1', 2)
    assert.deepEqual(next.get('b'), Float32Array.of(3, 4))
    assert.equal(next.get('c'), undefined)
    assert.equal(openMeansCache(path, 'encoder-2', 2).get('b'), undefined)
  })

  it('takes no notice of a record that was cut short', () => {
    appendFileSync(path, 'cut short')
    assert.deepEqual(openMeansCache(path, 'encoder-1', 2).get('a'), Float32Array.of(1, 2))
  })
})
