/**
 * Writes the documents that are made from code, and the figures of measurements in others; with `--check`, only says which of them
 * are not up to date, and fails if any is.
 *
 *   node scripts/docs.ts [--check]
 */
import { globSync, readFileSync, writeFileSync } from 'node:fs'
import { filled, formatted } from '../packages/lab/evaluation/report.ts'
import { COUNTS } from '../packages/mail/signals/counts.ts'
import { ASPECTS } from '../packages/mail/signals/signals.ts'
import { SIGNALS } from '../packages/mail/signals/table.ts'
import { allowedText, SETTINGS, type Setting } from '../packages/service/config.ts'
import { commandsPage } from './commands-page.ts'

const CONFIGURATION_HEAD = `# Configuration

This page is generated from \`packages/service/config.ts\` by \`npm run docs\`.

Tamis runs without any configuration. A setting is an environment variable, or a key in a JSON
file: the one that \`TAMIS_CONFIG\` names, or else \`/etc/tamis/tamis.json\` if it exists. Commands read the same
settings. If both set a value, the environment wins. If a name does not exist or a value is not allowed, the service does
not start, and the error message names the setting and says what is allowed. \`tamis check\` says so without a start. A list is
a text separated by commas, in the file also a JSON array.

\`\`\`json
{ "port": 9000, "threshold": "cautious", "pathRoots": ["/var/spool/mail"] }
\`\`\`

| variable | key | allowed | default |
|---|---|---|---|
`

const SIGNALS_HEAD = `# Signals

<!-- Made from packages/mail/signals/ (signals.tsv, counts.ts) by \`npm run docs\`. -->

A signal is a named fact about a message, with the words or values behind it as evidence. Models weigh signals, rules
refer to them, the diagnostic shows them. The direction says whether a person takes it for a mark of spam, of ham or,
by itself, of neither. No signal depends on who receives a message, on what receiving systems add, or on its age.
Examples, priors and bounds of weights are in \`packages/mail/signals/signals.tsv\`.
`

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

/** docs/configuration.md, from the table of settings. */
function configurationPage(): string {
  const rows = Object.entries(SETTINGS)
  const reasons = rows.map(
    ([, { environment, description }]) => `- \`${environment}\`: ${description}`,
  )
  return `${CONFIGURATION_HEAD}${rows.map(settingRow).join('\n')}\n\n## What each setting does\n\n${reasons.join('\n')}\n`
}

function settingRow([key, setting]: [key: string, setting: Setting]): string {
  const cells = [
    `\`${setting.environment}\``,
    `\`${key}\``,
    allowedText(setting),
    setting.defaultText ?? `\`${defaultText(setting.default)}\``,
  ]
  return `| ${cells.join(' | ')} |`
}

/** As it would be written in the environment. */
function defaultText(value: unknown): string {
  if (!Array.isArray(value)) return String(value)
  return value.length === 0 ? '(none)' : value.join(',')
}

/** docs/signals.md, from the table of signals and the list of counts. */
function signalsPage(): string {
  const sections = Object.keys(ASPECTS).map((aspect) => {
    const own = SIGNALS.filter((row) => row.aspect === aspect)
    const rows = own.map(({ name, direction, description }) => [
      `\`${name}\``,
      direction,
      description.replaceAll('|', '\\|').replaceAll('<', '&lt;'),
    ])
    return aspectSection(aspect, ['Signal', 'Direction', 'Meaning'], rows)
  })
  const counts = Object.entries(COUNTS).map(([name, counted]) => [`\`${name}\``, counted])
  return [
    SIGNALS_HEAD,
    ...sections,
    aspectSection('counts', ['Count', 'What is counted'], counts),
  ].join('\n')
}

function aspectSection(
  name: string,
  columns: readonly string[],
  rows: readonly (readonly string[])[],
): string {
  const lines = [columns, columns.map(() => '---'), ...rows].map((cells) => `|${cells.join('|')}|`)
  return `## ${name.charAt(0).toUpperCase()}${name.slice(1)}\n\n${lines.join('\n')}\n`
}
