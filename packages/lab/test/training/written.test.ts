import assert from 'node:assert/strict'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, it, type TestContext } from 'node:test'
import { readTemplates, readWritten } from '../../corpora/written.ts'
import type { WrittenMessage } from '../../rendering/written-message.ts'
import { examplesOf } from '../../training/features.ts'
import { WRITTEN } from '../rendering/written-messages.ts'

/** A folder with `messages` in one file. */
function folderOf(t: TestContext, messages: readonly object[]): string {
  const folder = mkdtempSync(join(tmpdir(), 'written-'))
  t.after(() => rmSync(folder, { recursive: true }))
  writeFileSync(join(folder, 'a.jsonl'), messages.map((it) => `${JSON.stringify(it)}\n`).join(''))
  return folder
}

describe('readWritten', () => {
  it('renders each line several times, under one kind', (t) => {
    const folder = folderOf(t, [WRITTEN.SALE])
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

  it('keeps the name of a contrast pair, whose members no split may part', (t) => {
    const folder = folderOf(t, [
      { ...WRITTEN.SALE, id: 'honest', kind: 'one', pair: 'p1' },
      { ...WRITTEN.SALE, id: 'fraud', kind: 'two', spam: true, pair: 'p1' },
      { ...WRITTEN.NOTICE, id: 'other', kind: 'three' },
    ])
    const samples = readWritten(folder, 1)
    assert.deepEqual(
      samples.map(({ pair }) => pair),
      ['p1', 'p1', undefined],
    )
    const [honest, fraud, other] = examplesOf(samples).map(({ group }) => group)
    assert.equal(honest, fraud)
    assert.notEqual(honest, other)
  })
})

it('a short letter is ham of under a hundred words that one person wrote to another', (t) => {
  const isShort = (more: Partial<WrittenMessage>) => {
    const letter = { ...WRITTEN.SALE, class: 'primary', bulk: false, body: 'See you at six.' }
    return readWritten(folderOf(t, [{ ...letter, ...more }]), 1)[0]!.shortLetter
  }
  assert.equal(isShort({ body: 'See you at six. '.repeat(24) }), true)
  for (const other of [
    { body: 'See you at six. '.repeat(25) },
    { spam: true },
    { bulk: true },
    { class: 'updates' },
  ] as const)
    assert.equal(isShort(other), false)
})

it('readTemplates renders each notice once, with a class and no label', (t) => {
  const notice = { ...WRITTEN.NOTICE, source: 'program/program:notice.txt', licence: 'MIT' }
  const samples = readTemplates(folderOf(t, [notice]))
  assert.deepEqual(
    samples.map(({ bytes: _bytes, ...labels }) => labels),
    [
      {
        source: 'templates',
        id: 'notice#0',
        spam: undefined,
        messageClass: 'transactions',
        language: 'en',
        kind: 'transactions: order',
      },
    ],
  )
})
