/** A user's rules and memory, measured on the corpora; of written mail one rendering. */
import { cpus, loadavg } from 'node:os'
import { readCanary, readKnowledge, readModels } from '../../../artifact-files/artifact-files.ts'
import { PersonalTraining } from '../../../mail/learning/personal-training.ts'
import { memoryOctets } from '../../../mail/message/octets.ts'
import { parseMessage } from '../../../mail/message/parse.ts'
import type { Models } from '../../../mail/models/models.ts'
import { packMemory } from '../../../mail/personalization/memory.ts'
import { memoryVote } from '../../../mail/personalization/memory-votes.ts'
import { patternsOf } from '../../../mail/personalization/patterns.ts'
import { UNKNOWN_SENDER } from '../../../mail/personalization/rules.ts'
import type { Policy } from '../../../mail/verdict/policy.ts'
import { readCorpora } from '../../corpora/read.ts'
import type { Sample } from '../../corpora/sample.ts'
import { modelsWithoutSource, readExamples } from '../left-out-models.ts'
import { queryOf, storedItem } from '../memory-items.ts'
import { shippedPolicy } from '../outcome.ts'
import {
  type FrameEffect,
  frameEffects,
  type Judges,
  type Line,
  linesOf,
  unlikeMessages,
} from './after-corrections.ts'
import { readFrames } from './frames.ts'
import { type MemorySample, memorySamples } from './samples.ts'

/** Items of a full memory. */
const MEMORY_ITEMS = 2_000

/** Messages timed, and rounds of which the last counts: the first ones compile. */
const TIMED = 1_000
const ROUNDS = 5

/** What judges the mail that is unlike the corrected: trained without it. */
const LEFT_OUT = 'household_2025'

/** Spam that nothing was ever trained on. */
const NEVER_TRAINED = 'phishing_pot'

export interface MemoryEvaluation {
  readonly samples: readonly MemorySample[]
  /** By the shipped models. */
  readonly policy: Policy
  /** What corrections do to unlike mail, by models trained without it; empty without that mail. */
  readonly lines: readonly Line[]
  /** What one report does to mail in the same frame, by the shipped models. */
  readonly frames: readonly FrameEffect[]
  readonly speed: Speed
}

/** What a measurement on this machine took. */
export interface Speed {
  readonly cpu: string
  /** Processes that wanted to run, on average over the last minute. */
  readonly load: number
  readonly searchUs: number
  readonly packMs: number
  readonly memoryBytes: number
  readonly patternsUs: number
}

export async function evaluateMemory(corpora: string): Promise<MemoryEvaluation> {
  const shipped = await readModels()
  const means = { knowledge: await readKnowledge(), models: shipped }
  const training = readCorpora(corpora, 'train')
  const all = [...training, ...readCorpora(corpora, 'evaluate')]
  const read = all.filter(({ source, id }) => source !== 'written' || id.endsWith('#0'))
  const samples = await memorySamples(read, means)
  const judgesOf = async (models: Models): Promise<Judges> => {
    const canary = await readCanary(models)
    return { models, training: new PersonalTraining(models, canary) }
  }
  const unlike = all.filter(({ source }) => source === LEFT_OUT || source === NEVER_TRAINED)
  return {
    samples,
    policy: shippedPolicy(shipped),
    lines: unlike.some(({ source }) => source === LEFT_OUT)
      ? await correctionLines(
          unlike,
          await judgesOf(modelsWithoutSource(readExamples(training), LEFT_OUT)),
        )
      : [],
    frames: await frameEffects(readFrames(), await judgesOf(shipped)),
    speed: measureSpeed(read, samples),
  }
}

async function correctionLines(mail: readonly Sample[], judges: Judges): Promise<Line[]> {
  return linesOf(await unlikeMessages(mail, judges), judges)
}

function measureSpeed(messages: readonly Sample[], measured: readonly MemorySample[]): Speed {
  const spread = everyNth(measured, MEMORY_ITEMS + TIMED)
  const items = spread.slice(0, MEMORY_ITEMS).map((sample) => storedItem(sample, 'spam'))
  const queries = spread.slice(MEMORY_ITEMS, MEMORY_ITEMS + TIMED).map(queryOf)
  const parsed = everyNth(messages, TIMED).map(({ bytes }) => parseMessage(memoryOctets(bytes)))
  const memory = packMemory(items)
  const vote = () => queries.map((query) => memoryVote(memory, query, UNKNOWN_SENDER))
  return {
    cpu: cpus()[0]?.model ?? 'unknown processor',
    load: loadavg()[0] ?? 0,
    searchUs: cpuUs(vote) / queries.length,
    packMs: cpuUs(() => packMemory(items)) / 1_000,
    memoryBytes: memory.bytes,
    patternsUs: cpuUs(() => parsed.map((message) => patternsOf(message))) / parsed.length,
  }
}

/** At least `count` of `all`, evenly spread, where there are as many. */
function everyNth<T>(all: readonly T[], count: number): T[] {
  const n = Math.max(1, Math.floor(all.length / count))
  return all.filter((_, i) => i % n === 0)
}

/** CPU time of `work` in microseconds, once it is warm. */
function cpuUs(work: () => void): number {
  let spent = 0
  for (let round = 0; round < ROUNDS; round++) {
    const before = process.cpuUsage()
    work()
    spent = process.cpuUsage(before).user
  }
  return spent
}
