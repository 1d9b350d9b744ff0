/**
 * Writes the documents that are made from code; with `--check`, only says which of them are not
 * up to date, and fails if any is.
 *
 *   node scripts/docs.ts [--check]
 */
import { readFileSync, writeFileSync } from 'node:fs'
import { commandsPage } from './commands-page.ts'
import { configurationPage } from './configuration-page.ts'
import { signalsPage } from './signals-page.ts'

interface Document {
  /** Path from the root of the repository. */
  readonly file: string
  readonly render: () => string | Promise<string>
}

const DOCUMENTS: readonly Document[] = [
  { file: 'docs/signals.md', render: signalsPage },
  { file: 'docs/configuration.md', render: configurationPage },
  { file: 'docs/openapi.json', render: openApiJson },
  { file: 'docs/cli.md', render: commandsPage },
]

async function openApiJson(): Promise<string> {
  const { documentServer } = await import('../packages/service/http/openapi/document.ts')
  return `${JSON.stringify((await documentServer()).swagger(), null, 2)}\n`
}

const isCheck = process.argv.includes('--check')
const outdated: string[] = []

for (const { file, render } of DOCUMENTS) {
  const url = new URL(`../${file}`, import.meta.url)
  const text = await render()
  if (text === readIfThere(url)) continue
  outdated.push(file)
  if (!isCheck) writeFileSync(url, text)
}

if (isCheck && outdated.length > 0) {
  console.error(`Not up to date, run \`npm run docs\`: ${outdated.join(', ')}`)
  process.exitCode = 1
} else {
  console.log(outdated.length === 0 ? 'Up to date' : `Written: ${outdated.join(', ')}`)
}

function readIfThere(url: URL): string | undefined {
  try {
    return readFileSync(url, 'utf8')
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined
    throw error
  }
}
