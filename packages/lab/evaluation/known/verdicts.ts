/**
 * How mail is judged by whether its sender is known and by what vouches for the sender: what is known
 * is evidence and no pardon, and who writes in a known name without its signature must gain nothing.
 */
import type { Sample } from '../../corpora/sample.ts'
import { examplesOf } from '../../training/features.ts'
import { trainModels } from '../../training/train.ts'
import { outcomeOf, servedModels } from '../outcome.ts'
import { type MeasureName, planTrainings } from '../plan.ts'
import { type Sender, senderOf, type Vouched } from './sender.ts'

/** What is left out, each by a training of its own; of the written mail one fold of kinds. */
const LEFT_OUT: readonly MeasureName[] = ['household_2025', 'lists', 'written']

/** Ham and spam of senders alike, and how much of it was called spam at `balanced`. */
export interface SenderVerdicts {
  ham: number
  lost: number
  spam: number
  caught: number
}

export type VerdictsBySender = ReadonlyMap<`${Sender} ${Vouched}`, Readonly<SenderVerdicts>>

/**
 * Verdicts on mail that was left out of training.
 *
 * @param trainable of the samples, how many may be trained on: the first ones.
 */
export function verdictsBySender(
  samples: readonly Sample[],
  trainable: number,
  startProgress: (label: string, total: number) => { advance(): void; end(): void },
): VerdictsBySender {
  const reading = startProgress('read', samples.length)
  const examples = examplesOf(samples, () => reading.advance())
  reading.end()
  const found = new Map<`${Sender} ${Vouched}`, SenderVerdicts>()
  const trainings = LEFT_OUT.flatMap((measure) =>
    planTrainings(examples, trainable, [measure]).slice(0, 1),
  )
  const fitting = startProgress('fit', trainings.length)
  for (const { leftOut, scored } of trainings) {
    const absent = new Set(leftOut)
    const models = servedModels(trainModels(examples.filter((_, i) => !absent.has(i))))
    for (const i of scored) {
      const { sender, vouched } = senderOf(samples[i]!.bytes)
      const key = `${sender} ${vouched}` as const
      const counts = found.get(key) ?? { ham: 0, lost: 0, spam: 0, caught: 0 }
      found.set(key, counts)
      const { spam, calledSpam } = outcomeOf(examples[i]!, samples[i]!.bytes, models)
      counts[spam ? 'spam' : 'ham'] += 1
      if (calledSpam) counts[spam ? 'caught' : 'lost'] += 1
    }
    fitting.advance()
  }
  fitting.end()
  return found
}
