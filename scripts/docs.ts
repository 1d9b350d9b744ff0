/**
 * Writes the documents that are made from code; with `--check`, only says which of them are not
 * up to date, and fails if any is.
 *
 *   node scripts/docs.ts [--check]
 */
import { readFileSync, writeFileSync } from 'node:fs'
import { commandsPage } from './commands-page.ts'
import { configurationPage } from './configuration-page.ts'
import { exampleAnswers } from './example-answers.ts'
import { signalsPage } from './signals-page.ts'

interface Document {
  /** Path from the root of the repository. */
  readonly file: string
  readonly render: () => string | Promise<string>
}

const DOCUMENTS: readonly Document[] = [
  { file: 'docs/signals.md', render: signalsPage },
  { file: 'docs/configuration.md', render: configurationPage },
  { file: 'packages/service/http/openapi/example-answers.ts', render: exampleAnswers },
  { file: 'docs/openapi.json', render: openApiJson },
  { file: 'packages/client/answers.ts', render: clientTypes },
  { file: 'packages/client/methods.ts', render: clientMethods },
  { file: 'packages/client/fake-answers.ts', render: clientAnswers },
  { file: 'docs/cli.md', render: commandsPage },
]

/** Routes are imported when their turn comes, since their examples are among the documents written before. */
async function openApiJson(): Promise<string> {
  const { openApiDocument } = await import('../packages/service/http/openapi/document.ts')
  const { HTTP_OPERATIONS } = await import('../packages/service/http/operations.ts')
  return `${JSON.stringify(openApiDocument(HTTP_OPERATIONS), null, 2)}\n`
}

async function clientTypes(): Promise<string> {
  return (await import('./client-types.ts')).clientTypes()
}

async function clientMethods(): Promise<string> {
  return (await import('./client-methods.ts')).clientMethods()
}

async function clientAnswers(): Promise<string> {
  return (await import('./client-answers.ts')).clientAnswers()
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
