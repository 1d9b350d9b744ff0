/** A user's rules and memory, measured on the corpora; of written mail one rendering. */
import { readCanary, readModels } from '../../../artifact-files/artifact-files.ts'
import { PersonalTraining } from '../../../mail/learning/personal-training.ts'
import type { Models } from '../../../mail/models/models.ts'
import { readCorpora } from '../../corpora/read.ts'
import { modelsWithoutSource, readExamples } from '../left-out-models.ts'
import { shippedPolicy } from '../outcome.ts'
import type { Values } from '../report.ts'
import { frameEffects, linesOf, unlikeMessages } from './after-corrections.ts'
import { campaignsOf, HALVES, reachOf } from './campaigns.ts'
import { readFrames } from './frames.ts'
import type { Judges } from './judged.ts'

/** What judges the mail that is unlike the corrected: trained without it. */
const LEFT_OUT = 'household_2025'

/** Spam that nothing was ever trained on. */
const NEVER_TRAINED = 'phishing_pot'

export async function evaluateMemory(corpora: string): Promise<Values> {
  const training = readCorpora(corpora, 'train')
  const all = [...training, ...readCorpora(corpora, 'evaluate')]
  const read = all.filter(({ source, id }) => source !== 'written' || id.endsWith('#0'))
  const shipped = await judgesOf(await readModels())
  const policy = shippedPolicy(shipped.models)
  const halves = await campaignsOf(read, shipped)
  const unlike = all.filter(({ source }) => source === LEFT_OUT || source === NEVER_TRAINED)
  const leftOut = await judgesOf(modelsWithoutSource(readExamples(training), LEFT_OUT))
  return {
    messages: read.filter(({ spam }) => spam !== undefined).length,
    allCampaigns: halves.flat().length,
    chosenOn: halves[0]!.length,
    reportedOn: halves[1]!.length,
    reach: HALVES.flatMap((half, i) => {
      const spam = halves[i]!.filter((members) => members.every((member) => member.spam))
      const ofAll = { ...reachOf(halves[i]!, shipped, policy), modelsAlone: NaN, withModels: NaN }
      return [
        { half: `${half}, spam`, ...reachOf(spam, shipped, policy) },
        { half: `${half}, all`, ...ofAll },
      ]
    }),
    corrections: linesOf(await unlikeMessages(unlike, leftOut), leftOut),
    frames: await frameEffects(readFrames(), shipped),
  }
}

async function judgesOf(models: Models): Promise<Judges> {
  return { models, training: new PersonalTraining(models, await readCanary(models)) }
}
