/**
 * Writes the documents that are made from code, and the figures of measurements in others; with `--check`, only says which of them
 * are not up to date, and fails if any is.
 *
 *   node scripts/docs.ts [--check]
 */
import { globSync, readFileSync, writeFileSync } from 'node:fs'
import { filled, formatted } from '../packages/lab/evaluation/report.ts'
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
  ...['README.md', ...globSync('docs/**/*.md').sort()].map((file) => ({
    file,
    render: () => withFigures(file),
  })),
].filter(({ file }, i, all) => all.findIndex((other) => other.file === file) === i)

async function openApiJson(): Promise<string> {
  const { openApiDocument } = await import('../packages/service/http/openapi/document.ts')
  return `${JSON.stringify(openApiDocument(), null, 2)}\n`
}

/**
 * The text of `file` with the figures that packages/lab/reports/REPORT.json has: each `<!--REPORT PATH:FORM-->figure<!---->`, and
 * what stands behind `<!--REPORT`, lines as in packages/lab/data/reports and `-->`, up to `<!---->`.
 */
function withFigures(file: string): string {
  const reportNamed = (name: string) => {
    const url = new URL(`../packages/lab/reports/${name}.json`, import.meta.url)
    return JSON.parse(readFileSync(url, 'utf8'))
  }
  return readFileSync(new URL(`../${file}`, import.meta.url), 'utf8')
    .replace(
      /(<!--(\S+) ([^<>]+):(\S)-->).*?(?=<!---->)/g,
      (_, place: string, name: string, path: string, form: string) => {
        const figure = path.split('.').reduce(below, reportNamed(name))
        if (figure === undefined) throw new RangeError(`${file}: ${name} has no ${path}`)
        return place + formatted(figure, form)
      },
    )
    .replace(
      /(<!--(\w[\w/]*)\n(.*?)-->\n).*?(?=<!---->)/gs,
      (_, place: string, name: string, text: string) => place + filled(text, reportNamed(name)),
    )
}

/** What `name` names in a part of a report: a value, the row of that number, or the rows that have it, or the one. */
function below(part: unknown, name: string): unknown {
  if (!Array.isArray(part)) return (part as Readonly<Record<string, unknown>>)[name]
  if (/^-?\d+$/.test(name)) return part.at(Number(name))
  const rows = part.filter((row) => Object.values(row).includes(name))
  return rows.length === 1 ? rows[0] : rows
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
