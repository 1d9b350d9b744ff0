/**
 * CPU time per message of analyse and decide together, over the messages of whole sets, by
 * stage, as `tamis bench` measures it.
 */
import { execFileSync } from 'node:child_process'
import { readdirSync } from 'node:fs'
import { cpus } from 'node:os'
import { join } from 'node:path'
import { commit, type Given, type Measured, ROOT } from './benchmark.ts'

const SETS = ['spamassassin', 'household_2025']

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

export function measureClassify(options: Given & { readonly rounds: number }): Measured {
  const { corpora = '', rounds, command } = options
  const sets = SETS.map((set) => ({ set, ...measureSet(join(corpora, set), rounds) }))
  const lines = sets.map(({ set, messages, meanBytes, cpuMsPerMessage, ...stages }) => {
    const byStage = Object.entries(stages).map(([stage, ms]) => `${stage} ${ms}`)
    return `${set}: ${messages} messages of ${meanBytes} bytes, ${cpuMsPerMessage} ms CPU each (wall: ${byStage.join(', ')})`
  })
  const at = commit()
  const ran = { command, commit: at, node: process.version, cpu: cpus()[0]?.model, rounds }
  const path = `benchmarks/results/${new Date().toISOString().slice(0, 10)}-${at}.json`
  const files = { [path]: `${JSON.stringify({ ...ran, sets }, null, 2)}\n` }
  return { text: lines.join('\n'), files }
}

function measureSet(folder: string, rounds: number): Figures {
  const tamis = ['packages/service/cli/tamis.ts', 'bench', ...messageFolders(folder)]
  const args = [...tamis, '--rounds', `${rounds}`, '--json']
  const { messagesPerSecond: _, ...figures } = JSON.parse(
    execFileSync(process.execPath, args, { cwd: ROOT, encoding: 'utf8' }),
  )
  return figures
}

/** The folders of a set that hold messages; beside them may lie tables of what these are. */
function messageFolders(set: string): string[] {
  const entries = readdirSync(set, { withFileTypes: true })
  return entries.filter((entry) => entry.isDirectory()).map(({ name }) => join(set, name))
}
