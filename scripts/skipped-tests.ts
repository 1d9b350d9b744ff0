/**
 * A reporter for node:test that names skipped tests. Under TEST_SKIPS=fail, as .ci/run sets it, a skipped
 * test fails the run, since scripts/ci-services installs what tests need.
 */
import { relative } from 'node:path'
import type { TestEvent } from 'node:test/reporters'

// biome-ignore lint/style/noDefaultExport: node:test takes a reporter by its default export.
export default async function* skippedTests(events: AsyncIterable<TestEvent>) {
  let skipped = ''
  for await (const { type, data } of events) {
    if (type !== 'test:pass' || !data.skip) continue
    skipped += `- ${relative('.', data.file ?? '')}: ${data.name}: ${data.skip}\n`
  }
  if (skipped === '') return
  if (process.env['TEST_SKIPS'] === 'fail') process.exitCode = 1
  yield `\nSkipped:\n${skipped}`
}
