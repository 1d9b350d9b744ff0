/**
 * The first steps of four newcomers, to the letter of README and guides, each step timed: a clone of what is
 * committed here, `npm ci`, and what their pages tell. Writes the tables of docs/walks.md, below a comment
 * `<!-- npm run walks: NAME -->`.
 *
 *   node scripts/walks.ts [administrator] [typescript] [python] [console]
 */
import { execFileSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { ADMINISTRATOR } from './walks/administrator.ts'
import { CONSOLE } from './walks/console.ts'
import { PYTHON } from './walks/python.ts'
import { TYPESCRIPT } from './walks/typescript.ts'
import { type Step, Terminal, Walk } from './walks/walk.ts'

const REPOSITORY = join(import.meta.dirname, '..')

const PAGE = join(REPOSITORY, 'docs/walks.md')

const PERSONAS = [ADMINISTRATOR, TYPESCRIPT, PYTHON, CONSOLE]

const names = process.argv.slice(2)
const unknown = names.filter((name) => !PERSONAS.some((persona) => persona.name === name))
if (unknown.length > 0) {
  process.stderr.write(
    `There is no walk ${unknown.join(', ')}. There are: ${PERSONAS.map(({ name }) => name).join(', ')}\n`,
  )
  process.exit(2)
}
const folder = mkdtempSync(join(tmpdir(), 'tamis-newcomer-'))
try {
  const clone = join(folder, 'tamis')
  const start = newWalk('clone')
  await start.step('README.md', '`git clone`', () => {
    execFileSync('git', ['clone', '--quiet', REPOSITORY, clone])
  })
  await start.step('README.md', '`npm ci`', () => new Terminal(clone).run('npm ci'))
  record('clone', start.steps)
  for (const { name, skip, go } of PERSONAS) {
    if (names.length > 0 && !names.includes(name)) continue
    if (skip !== false) {
      process.stdout.write(`\n${name}: skipped, ${skip}\n`)
      continue
    }
    const walk = newWalk(name)
    await go(walk, clone)
    record(name, walk.steps)
  }
} finally {
  rmSync(folder, { recursive: true, force: true, maxRetries: 5 })
}

function newWalk(name: string): Walk {
  process.stdout.write(`\n${name}\n`)
  return new Walk(({ page, told, seconds }) =>
    process.stdout.write(`${seconds.toFixed(1).padStart(7)} s  ${page}: ${told}\n`),
  )
}

/** Puts the table of a walk into docs/walks.md, in place of the one there was. */
function record(name: string, steps: readonly Step[]): void {
  const table = [
    '| told by | step | seconds |',
    '|---|---|--:|',
    ...steps.map(
      ({ page, told, seconds }) => `| ${linkTo(page)} | ${told} | ${seconds.toFixed(1)} |`,
    ),
    `| | **all: ${(allSeconds(steps) / 60).toFixed(1)} minutes** | **${allSeconds(steps).toFixed(1)}** |`,
  ]
  const before = readFileSync(PAGE, 'utf8')
  const block = new RegExp(`(<!-- npm run walks: ${name} -->\n\n)(?:(?:\\|.*\n)+\n)?`)
  writeFileSync(
    PAGE,
    before.replace(block, (_, comment: string) => `${comment}${table.join('\n')}\n\n`),
  )
  process.stdout.write(`${allSeconds(steps).toFixed(1).padStart(7)} s  all\n`)
}

function allSeconds(steps: readonly Step[]): number {
  return steps.reduce((sum, { seconds }) => sum + seconds, 0)
}

/** A link from docs/ to `page`. */
function linkTo(page: string): string {
  const target = page.startsWith('docs/') ? page.slice('docs/'.length) : `../${page}`
  return `[${page}](${target})`
}
