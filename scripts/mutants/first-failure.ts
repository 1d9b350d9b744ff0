/** A reporter for node:test that ends the run at the first failing test: one is enough to notice a mutant. */
import type { TestEvent } from 'node:test/reporters'

// biome-ignore lint/style/noDefaultExport: node:test takes a reporter by its default export.
// biome-ignore lint/correctness/useYield: it has nothing to say.
export default async function* firstFailure(events: AsyncIterable<TestEvent>) {
  for await (const { type } of events) if (type === 'test:fail') process.exit(1)
}
