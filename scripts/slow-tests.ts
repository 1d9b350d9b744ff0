/**
 * A reporter for node:test that names the files that take longest, so that a slow one is seen on
 * the day it comes.
 */
import { relative } from 'node:path'
import type { TestEvent } from 'node:test/reporters'

/** What a file of `npm test` may take: a quarter of a minute of two processors, busy with others too. */
const FILE_MS_MAX = 15_000

// biome-ignore lint/style/noDefaultExport: node:test takes a reporter by its default export.
export default async function* slowTests(events: AsyncIterable<TestEvent>) {
  const slow: { readonly file: string; readonly ms: number }[] = []
  for await (const { type, data } of events) {
    if (type !== 'test:summary' || data.file === undefined) continue
    if (data.duration_ms > FILE_MS_MAX) slow.push({ file: data.file, ms: data.duration_ms })
  }
  if (slow.length === 0) return
  const lines = slow
    .toSorted((a, b) => b.ms - a.ms)
    .map(({ file, ms }) => `- ${relative('.', file)}: ${Math.round(ms / 1_000)} s`)
  yield `\nSlow (faster, or a .system.test.ts?):\n${lines.join('\n')}\n`
}
