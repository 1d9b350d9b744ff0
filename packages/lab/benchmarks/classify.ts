/**
 * CPU time per message of analyse and decide together, over the messages of whole sets, by
 * stage, as `tamis bench` measures it.
 */
import { execFileSync } from 'node:child_process'
import { mkdirSync, readdirSync, writeFileSync } from 'node:fs'
import { cpus } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'

const ROOT = join(import.meta.dirname, '../../..')

const SETS = ['spamassassin', 'household_2025']

const ROUNDS = 5

/** What `tamis bench --json` says of one set. */
interface Figures {
  readonly messages: number
  readonly meanBytes: number
  readonly cpuMsPerMessage: number
  readonly parseMs: number
  readonly signalsMs: number
  readonly featuresMs: number
  readonly modelsMs: number
  readonly decideMs: number
}

const { values } = parseArgs({ options: { corpora: { type: 'string' } } })
if (values.corpora === undefined) throw new TypeError('--corpora DIR is missing')
const sets = SETS.map((name) => ({ set: name, ...measureSet(join(values.corpora!, name)) }))
writeResult(sets)
for (const { set, messages, meanBytes, cpuMsPerMessage, ...stages } of sets) {
  const byStage = Object.entries(stages).map(([stage, ms]) => `${stage} ${ms}`)
  console.log(
    `${set}: ${messages} messages of ${meanBytes} bytes, ${cpuMsPerMessage} ms CPU each (wall: ${byStage.join(', ')})`,
  )
}

function measureSet(folder: string): Figures {
  const bench = [
    'packages/service/cli/tamis.ts',
    'bench',
    ...messageFolders(folder),
    '--rounds',
    `${ROUNDS}`,
    '--json',
  ]
  const { messagesPerSecond: _, ...figures } = JSON.parse(
    execFileSync(process.execPath, bench, { cwd: ROOT, encoding: 'utf8' }),
  )
  return figures
}

/** The folders of a set that hold messages; beside them may lie tables of what these are. */
function messageFolders(set: string): string[] {
  const entries = readdirSync(set, { withFileTypes: true })
  return entries.filter((entry) => entry.isDirectory()).map(({ name }) => join(set, name))
}

function writeResult(sets: readonly object[]): void {
  const commit = execFileSync('git', ['rev-parse', '--short', 'HEAD'], { encoding: 'utf8' }).trim()
  const result = {
    command: 'npm run bench -- --corpora DIR',
    commit,
    node: process.version,
    cpu: cpus()[0]?.model,
    rounds: ROUNDS,
    sets,
  }
  const folder = join(import.meta.dirname, 'results')
  mkdirSync(folder, { recursive: true })
  const date = new Date().toISOString().slice(0, 10)
  writeFileSync(join(folder, `${date}-${commit}.json`), `${JSON.stringify(result, null, 2)}\n`)
}
