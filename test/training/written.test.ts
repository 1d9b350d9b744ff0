import assert from 'node:assert/strict'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, it } from 'node:test'
import { readWritten } from '../../src/training/corpus/written.ts'
import { WRITTEN } from './rendering/written-messages.ts'

describe('readWritten', () => {
  it('renders each line several times, under one kind', (t) => {
    const folder = mkdtempSync(join(tmpdir(), 'written-'))
    t.after(() => rmSync(folder, { recursive: true }))
    writeFileSync(join(folder, 'a.jsonl'), `${JSON.stringify(WRITTEN.SALE)}\n`)
    const samples = readWritten(folder, 2)
    assert.deepEqual(
      samples.map(({ id, kind, spam, messageClass }) => ({ id, kind, spam, messageClass })),
      ['sale#0', 'sale#1'].map((id) => ({
        id,
        kind: 'promotions: shoe sale',
        spam: false,
        messageClass: 'promotions',
      })),
    )
    assert.notDeepEqual(samples[0]!.bytes, samples[1]!.bytes)
  })
})
