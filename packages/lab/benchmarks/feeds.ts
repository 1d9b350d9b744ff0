/** URL feeds of a million made-up URLs, in each form: service/test/feeds/million-urls.ts, a process for each. */
import { execFileSync } from 'node:child_process'
import { join } from 'node:path'
import { type Measured, ROOT } from './benchmark.ts'

const FORMS = ['text', 'csv', 'json']

export function measureFeeds(): Measured {
  const script = join(ROOT, 'packages/service/test/feeds/million-urls.ts')
  const figures = FORMS.map((form) =>
    execFileSync(process.execPath, ['--expose-gc', script, '--form', form], { encoding: 'utf8' }),
  )
  return { text: figures.join('\n') }
}
