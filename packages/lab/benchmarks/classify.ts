/**
 * CPU time per message of analyse and decide together, over the messages of whole sets, by
 * stage. Each round has at least ROUND_MESSAGES messages, a small set being gone through several
 * times; after one round that warms the compiler up the median of ROUNDS counts. Files are read
 * before the clock starts.
 */
import { execFileSync } from 'node:child_process'
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { cpus } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { readModels } from '../../artifact-files/artifact-files.ts'
import { policyFor } from '../../mail/verdict/policy.ts'
import { measureRound } from '../../service/cli/speed.ts'

const SETS = ['spamassassin', 'household_2025']

const ROUNDS = 5

/** So many that compiling no longer shows. */
const ROUND_MESSAGES = 4_000

const { values } = parseArgs({ options: { corpora: { type: 'string' } } })
if (values.corpora === undefined) throw new TypeError('--corpora DIR is missing')
const models = await readModels()
const policy = policyFor(models, { threshold: 'balanced', spamPrior: 0.5, spamEntitled: true })
const sets = SETS.map((name) => measureSet(name, readSet(join(values.corpora!, name))))
writeResult(sets)
printTable(sets)

function measureSet(name: string, set: readonly Buffer[]) {
  const messages = Array.from({ length: Math.ceil(ROUND_MESSAGES / set.length) }, () => set).flat()
  measureRound(messages, models, policy)
  const rounds = Array.from({ length: ROUNDS }, () => measureRound(messages, models, policy))
  const { cpuMs, stages } = rounds.sort((a, b) => a.cpuMs - b.cpuMs)[Math.floor(ROUNDS / 2)]!
  const perMessage = (ms: number) => Number((ms / messages.length).toFixed(4))
  return {
    set: name,
    messages: set.length,
    meanBytes: Math.round(messages.reduce((sum, bytes) => sum + bytes.length, 0) / messages.length),
    cpuMsPerMessage: perMessage(cpuMs),
    stageMsPerMessage: Object.fromEntries(
      Object.entries(stages).map(([stage, ms]) => [stage, perMessage(ms)]),
    ),
  }
}

function readSet(folder: string): Buffer[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.eml'))
    .sort()
    .map((name) => readFileSync(join(folder, name)))
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

function printTable(sets: readonly ReturnType<typeof measureSet>[]): void {
  for (const { set, messages, meanBytes, cpuMsPerMessage, stageMsPerMessage } of sets) {
    const stages = Object.entries(stageMsPerMessage)
      .map(([stage, ms]) => `${stage} ${ms}`)
      .join(', ')
    console.log(
      `${set}: ${messages} messages of ${meanBytes} bytes, ${cpuMsPerMessage} ms CPU each (wall: ${stages})`,
    )
  }
}
