/** A user's rules and memory, measured on the corpora; of written mail one rendering. */
import { readCanary, readKnowledge, readModels } from '../../../artifact-files/artifact-files.ts'
import { PersonalTraining } from '../../../mail/learning/personal-training.ts'
import type { Models } from '../../../mail/models/models.ts'
import { readCorpora } from '../../corpora/read.ts'
import type { Sample } from '../../corpora/sample.ts'
import { modelsWithoutSource, readExamples } from '../left-out-models.ts'
import { meanOf } from '../metrics.ts'
import { shippedPolicy } from '../outcome.ts'
import type { Values } from '../report.ts'
import {
  type Effect,
  frameEffects,
  type Judges,
  type Line,
  linesOf,
  unlikeMessages,
} from './after-corrections.ts'
import { campaignsOf, HALVES, memorySamples, reachOf } from './campaigns.ts'
import { readFrames } from './frames.ts'

/** What judges the mail that is unlike the corrected: trained without it. */
const LEFT_OUT = 'household_2025'

/** Spam that nothing was ever trained on. */
const NEVER_TRAINED = 'phishing_pot'

export async function evaluateMemory(corpora: string): Promise<Values> {
  const shipped = await readModels()
  const means = { knowledge: await readKnowledge(), models: shipped }
  const training = readCorpora(corpora, 'train')
  const all = [...training, ...readCorpora(corpora, 'evaluate')]
  const read = all.filter(({ source, id }) => source !== 'written' || id.endsWith('#0'))
  const samples = await memorySamples(read, means)
  const [choosing = [], reporting = []] = HALVES.map((half) => campaignsOf(samples, half))
  const policy = shippedPolicy(shipped)
  const judgesOf = async (models: Models): Promise<Judges> => {
    const canary = await readCanary(models)
    return { models, training: new PersonalTraining(models, canary) }
  }
  const unlike = all.filter(({ source }) => source === LEFT_OUT || source === NEVER_TRAINED)
  const lines = unlike.some(({ source }) => source === LEFT_OUT)
    ? await correctionLines(
        unlike,
        await judgesOf(modelsWithoutSource(readExamples(training), LEFT_OUT)),
      )
    : []
  return {
    messages: samples.length,
    allCampaigns: choosing.length + reporting.length,
    chosenOn: choosing.length,
    reportedOn: reporting.length,
    reach: HALVES.flatMap((half, i) => {
      const campaigns = [choosing, reporting][i]!
      const spam = campaigns.filter((members) => members.every((member) => member.spam))
      const ofAll = { ...reachOf(campaigns, policy), modelsAlone: NaN, withModels: NaN }
      return [
        { half: `${half}, spam`, ...reachOf(spam, policy) },
        { half: `${half}, all`, ...ofAll },
      ]
    }),
    corrections: lines.filter(({ effects }) => effects.length > 0).map(overUsers),
    frames: await frameEffects(readFrames(), await judgesOf(shipped)),
  }
}

async function correctionLines(mail: readonly Sample[], judges: Judges): Promise<Line[]> {
  return linesOf(await unlikeMessages(mail, judges), judges)
}

/** Means over the users of a line, and the worst of them; changes in points. */
export function overUsers({ name, effects }: Line): Values {
  const mean = (of: (effect: Effect) => number) => meanOf(effects.map(of))
  const most = (of: (effect: Effect) => number) => Math.max(...effects.map(of))
  return {
    name,
    users: effects.length,
    caught: mean(({ caughtBefore, spam }) => caughtBefore / spam),
    spamLost: mean(spamLost),
    spamLostMost: most(spamLost),
    lost: mean(({ lostBefore, ham }) => lostBefore / ham),
    hamLost: mean(hamLost),
    hamLostMost: most(hamLost),
    bypassed: mean(({ bypassed, spam, ham }) => (spam + ham === 0 ? 0 : bypassed / (spam + ham))),
    shift: mean(({ shiftMean }) => shiftMean),
    shiftMost: most(({ shiftMax }) => shiftMax),
  }
}

/** How much of the spam was caught before and is not now; negative where more is caught. */
function spamLost({ caughtBefore, caughtAfter, spam }: Effect): number {
  return spam === 0 ? 0 : (100 * (caughtBefore - caughtAfter)) / spam
}

/** How much of the ham is lost now and was not before; negative where less is lost. */
function hamLost({ lostBefore, lostAfter, ham }: Effect): number {
  return ham === 0 ? 0 : (100 * (lostAfter - lostBefore)) / ham
}
