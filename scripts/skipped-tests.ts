/**
 * A reporter for node:test that names skipped tests and why they were skipped: the summary counts a
 * suite of thirty tests that did not run as one, or as none.
 *
 * Under TEST_SKIPS=fail, as .ci/run sets it, a skipped test fails the run: there scripts/ci-services has
 * installed what tests need besides Node and npm. The name does not begin with TAMIS_, which the service
 * would take for a setting.
 */
import { relative } from 'node:path'
import type { TestEvent } from 'node:test/reporters'

/** Tests that cannot run in CI either, by the reason that they give. */
const EXCUSED: ReadonlySet<string> = new Set([
  // Debian 13's can compress.
  'this spamc is built without zlib, as in Debian 12',
])

interface Skipped {
  readonly file: string
  readonly name: string
  readonly reason: string
}

// biome-ignore lint/style/noDefaultExport: node:test takes a reporter by its default export.
export default async function* skippedTests(events: AsyncIterable<TestEvent>) {
  const skipped: Skipped[] = []
  for await (const { type, data } of events) {
    if (type !== 'test:pass' || data.skip === undefined || data.skip === false) continue
    const { name, file = '', skip } = data
    skipped.push({ name, file: relative('.', file), reason: skip === true ? 'no reason' : skip })
  }
  if (skipped.length === 0) return
  yield `\nSkipped:\n${skipped.map(lineOf).join('\n')}\n`
  const unexcused = skipped.filter(({ reason }) => !EXCUSED.has(reason))
  if (process.env['TEST_SKIPS'] !== 'fail' || unexcused.length === 0) return
  process.exitCode = 1
  yield `\nThese may not be skipped here:\n${unexcused.map(lineOf).join('\n')}\n`
}

function lineOf({ file, name, reason }: Skipped): string {
  return `- ${file}: ${name}: ${reason}`
}
