/** CPU time per message of `analyse` and `decide`, over whole sets, on one thread, and the time of each stage. */
import { readKnowledge, readModels } from '../../artifact-files/artifact-files.ts'
import { analyse } from '../../mail/analyse.ts'
import { memoryOctets } from '../../mail/message/octets.ts'
import { decide } from '../../mail/verdict/decide.ts'
import { NO_EVIDENCE } from '../../mail/verdict/evidence.ts'
import { CORPUS_FACTS } from '../corpora/facts.ts'
import { type Column, page, tableOf } from '../evaluation/markdown.ts'
import { shippedPolicy } from '../evaluation/outcome.ts'
import { type Given, measuredOn } from './benchmark.ts'
import { readMessageSets } from './message-sets.ts'

/** A round judges at least so many messages, if need be several times. */
const ROUND_MESSAGES_MIN = 2_000

const STAGES = ['parse', 'signals', 'features', 'models', 'decide'] as const

interface Round {
  /** User and system time of the process, compiler and garbage collector included, per message. */
  readonly cpuMs: number
  /** By the clock, per message. */
  readonly stages: Readonly<Record<(typeof STAGES)[number], number>>
}

interface Row extends Round {
  readonly name: string
  readonly messages: readonly Buffer[]
}

export async function measureClassify(given: Given): Promise<string> {
  const judgeAll = await rounds()
  const rows = readMessageSets(given.corpora!).map(({ name, messages }): Row => {
    judgeAll(messages)
    const measured = Array.from({ length: given.numbers['rounds']! }, () => judgeAll(messages))
    const [median] = measured
      .toSorted((a, b) => a.cpuMs - b.cpuMs)
      .slice(Math.floor(measured.length / 2)) as [Round]
    return { name, messages, ...median }
  })
  const table = tableOf(rows, [
    ['set', ({ name }) => name],
    ['messages', ({ messages }) => String(messages.length)],
    ['mean kB', ({ messages }) => (meanBytes(messages) / 1_000).toFixed(1)],
    ['CPU ms', ({ cpuMs }) => cpuMs.toFixed(2)],
    ...STAGES.map(
      (stage): Column<Row> => [`${stage}, ms`, ({ stages }) => stages[stage].toFixed(3)],
    ),
  ])
  return page('classify', { ...measuredOn(given), table })
}

async function rounds(): Promise<(messages: readonly Buffer[]) => Round> {
  const [models, knowledge] = [await readModels(), await readKnowledge()]
  const policy = shippedPolicy(models)
  const now = () => performance.now()
  return (messages) => {
    const times = Math.ceil(ROUND_MESSAGES_MIN / messages.length)
    const stages = { parse: 0, signals: 0, features: 0, models: 0, decide: 0 }
    const before = process.cpuUsage()
    for (const message of Array.from({ length: times }, () => messages).flat()) {
      const analysis = analyse(memoryOctets(message), CORPUS_FACTS, models, { now, knowledge })
      const analysed = now()
      decide(analysis, NO_EVIDENCE, policy)
      const timing = { ...analysis.timing, decide: now() - analysed }
      for (const stage of STAGES) stages[stage] += timing[stage] / (times * messages.length)
    }
    const { user, system } = process.cpuUsage(before)
    return { cpuMs: (user + system) / 1_000 / (times * messages.length), stages }
  }
}

function meanBytes(messages: readonly Buffer[]): number {
  return messages.reduce((sum, { length }) => sum + length, 0) / messages.length
}
