/**
 * How mail is judged by whether its sender is known and by what vouches for the sender: what is known
 * is evidence and no pardon, and who writes in a known name without its signature must gain nothing.
 */
import { startProgress } from '../../../terminal/progress.ts'
import type { Sample } from '../../corpora/sample.ts'
import { modelsWithout, readExamples } from '../left-out-models.ts'
import { judge } from '../outcome.ts'
import { type MeasureName, planTrainings } from '../plan.ts'
import { type ForgedSpam, forgedSpam } from './forged.ts'
import { type KnownSender, senderOf } from './sender.ts'

/** What is left out, each by a training of its own; of the written mail one fold of kinds. */
const LEFT_OUT: readonly MeasureName[] = ['household_2025', 'lists', 'written']

/** The measure whose spam is forged: all of it is of our time, and none claims to be from the companies in question. */
const FORGED: MeasureName = 'written'

const NOTHING_FORGED: ForgedSpam = { letters: 0, stranger: 0, otherStrangers: [], names: [] }

/** Ham and spam of senders alike, and how much of it was called spam at `balanced`. */
export interface SenderVerdicts {
  ham: number
  lost: number
  spam: number
  caught: number
}

/** What is found of mail that was left out of training. */
export interface LeftOutVerdicts {
  readonly verdicts: VerdictsBySender
  /** Spam of the written mail, in the names of others. */
  readonly forged: ForgedSpam
}

export type VerdictsBySender = ReadonlyMap<KnownSender, Readonly<SenderVerdicts>>

/**
 * Verdicts on mail that was left out of training.
 *
 * @param trainable of the samples, how many may be trained on: the first ones.
 */
export function leftOutVerdicts(samples: readonly Sample[], trainable: number): LeftOutVerdicts {
  const examples = readExamples(samples)
  const found = new Map<KnownSender, SenderVerdicts>()
  let forged: ForgedSpam | undefined
  const trainings = LEFT_OUT.flatMap((measure) =>
    planTrainings(examples, trainable, [measure]).slice(0, 1),
  )
  const fitting = startProgress('fit', trainings.length)
  for (const { measure, leftOut, scored } of trainings) {
    const models = modelsWithout(examples, new Set(leftOut))
    if (measure === FORGED) {
      forged = forgedSpam(
        scored.map((i) => samples[i]!),
        models,
      )
    }
    for (const i of scored) {
      const key = senderOf(samples[i]!.bytes)
      const counts = found.get(key) ?? { ham: 0, lost: 0, spam: 0, caught: 0 }
      found.set(key, counts)
      const { spam } = examples[i]!
      const { verdict } = judge(samples[i]!.bytes, models)
      counts[spam ? 'spam' : 'ham'] += 1
      if (verdict.isSpam) counts[spam ? 'caught' : 'lost'] += 1
    }
    fitting.advance()
  }
  fitting.end()
  return { verdicts: found, forged: forged ?? NOTHING_FORGED }
}
