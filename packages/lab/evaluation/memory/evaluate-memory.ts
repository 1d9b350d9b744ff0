/** A user's rules and memory, measured on the corpora; of written mail one rendering. */
import { readCanary, readKnowledge, readModels } from '../../../artifact-files/artifact-files.ts'
import { PersonalTraining } from '../../../mail/learning/personal-training.ts'
import type { Models } from '../../../mail/models/models.ts'
import type { Policy } from '../../../mail/verdict/policy.ts'
import { readCorpora } from '../../corpora/read.ts'
import type { Sample } from '../../corpora/sample.ts'
import { modelsWithoutSource, readExamples } from '../left-out-models.ts'
import { shippedPolicy } from '../outcome.ts'
import {
  type FrameEffect,
  frameEffects,
  type Judges,
  type Line,
  linesOf,
  unlikeMessages,
} from './after-corrections.ts'
import { type MemorySample, memorySamples } from './campaigns.ts'
import { readFrames } from './frames.ts'

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
  }
}

async function correctionLines(mail: readonly Sample[], judges: Judges): Promise<Line[]> {
  return linesOf(await unlikeMessages(mail, judges), judges)
}
