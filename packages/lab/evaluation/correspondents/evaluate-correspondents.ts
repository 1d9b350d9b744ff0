/**
 * What correspondents are worth, and what they cost: ham that a simulated household loses with and without
 * them, and spam that passes from an account that was taken over. Judged by models that have seen none of
 * the mail.
 */
import { memoryOctets } from '../../../mail/message/octets.ts'
import { parseMessage } from '../../../mail/message/parse.ts'
import type { Thresholds } from '../../../mail/models/fusion.ts'
import { logit } from '../../../mail/models/logit.ts'
import { correspondenceOf } from '../../../mail/personalization/correspondence.ts'
import { correspondentOf, type Tie } from '../../../mail/personalization/correspondents.ts'
import { signals } from '../../../mail/signals/signals.ts'
import { startProgress } from '../../../terminal/progress.ts'
import { CORPUS_FACTS } from '../../corpora/facts.ts'
import { readCorpora } from '../../corpora/read.ts'
import type { Sample } from '../../corpora/sample.ts'
import { modelsWithout, readExamples } from '../left-out-models.ts'
import { judge, shippedPolicy } from '../outcome.ts'
import { type MeasureName, planTrainings } from '../plan.ts'
import { type Ham, liveThrough, type Relation } from './household.ts'

/** What is left out, each by a training of its own; of the written mail one fold of kinds. */
const LEFT_OUT: readonly MeasureName[] = ['household_2025', 'lists', 'written']

export const PRESETS = ['cautious', 'balanced', 'strict'] as const satisfies (keyof Thresholds)[]

/** Households that are simulated; the figures are their means. */
export const HOUSEHOLDS = 20

export const RELATIONS: readonly Relation[] = ['stranger', 'received', 'reply', 'written_to']

/** In whose name the thief writes, and what the checks of the sender say. */
export const THIEVES = [
  { name: 'a stranger', tie: undefined, authentication: 'pass' },
  {
    name: 'an account that the user writes to, taken over',
    tie: 'written_to',
    authentication: 'pass',
  },
  {
    name: 'an account that was long received, taken over',
    tie: 'received',
    authentication: 'pass',
  },
  {
    name: 'a correspondent whom the user writes to, forged, nothing checked',
    tie: 'written_to',
    authentication: 'unknown',
  },
  { name: 'the same, forged, and the check fails', tie: 'written_to', authentication: 'fail' },
] as const satisfies readonly {
  readonly name: string
  readonly tie: Tie | undefined
  readonly authentication: 'pass' | 'fail' | 'unknown'
}[]

interface Scored extends Omit<Ham, 'beyond'> {
  readonly spam: boolean
  /** By the threshold of each preset. */
  readonly beyond: Readonly<Record<keyof Thresholds, number>>
}

/** Messages of a relation, and how many of them were lost; means over households. */
export interface Lost {
  readonly messages: number
  readonly before: number
  readonly after: number
}

export interface HouseholdLosses {
  readonly preset: keyof Thresholds
  readonly isChecked: boolean
  readonly byRelation: Readonly<Record<Relation, Lost>>
}

export interface Theft {
  readonly name: string
  readonly caught: Readonly<Record<keyof Thresholds, number>>
}

export interface CorrespondentsEvaluation {
  readonly ham: number
  readonly spam: number
  /** Spam with an attachment with which nobody is trusted. */
  readonly unsafeSpam: number
  readonly unsafeHam: number
  readonly losses: readonly HouseholdLosses[]
  readonly thefts: readonly Theft[]
}

/** @throws TamisError CORPUS_INVALID when there is nothing to train on. */
export function evaluateCorrespondents(corpora: string): CorrespondentsEvaluation {
  const mail = scoredMail(readCorpora(corpora, 'train'))
  const ham = mail.filter(({ spam }) => !spam)
  const spam = mail.filter((each) => each.spam)
  const isUnsafe = ({ unsafe }: Scored) => unsafe !== undefined
  return {
    ham: ham.length,
    spam: spam.length,
    unsafeSpam: spam.filter(isUnsafe).length,
    unsafeHam: ham.filter(isUnsafe).length,
    losses: PRESETS.flatMap((preset) =>
      [true, false].map((isChecked) => ({
        preset,
        isChecked,
        byRelation: lossesOf(
          ham.map((each) => ({ ...each, beyond: each.beyond[preset] })),
          isChecked,
        ),
      })),
    ),
    thefts: THIEVES.map((thief) => ({ name: thief.name, caught: caughtOf(spam, thief) })),
  }
}

function scoredMail(samples: readonly Sample[]): Scored[] {
  const examples = readExamples(samples)
  const trainings = LEFT_OUT.flatMap((measure) =>
    planTrainings(examples, samples.length, [measure]).slice(0, 1),
  )
  const scored: Scored[] = []
  const fitting = startProgress('fit', trainings.length)
  for (const { leftOut, scored: places } of trainings) {
    const models = modelsWithout(examples, new Set(leftOut))
    const thresholds = PRESETS.map((preset) => logit(shippedPolicy(models, preset).threshold))
    for (const i of places) {
      const { bytes, messageClass, source } = samples[i]!
      const { spam } = examples[i]!
      if (spam === undefined) continue
      const spamLogit = judge(bytes, models).analysis.spam.logit
      const message = parseMessage(memoryOctets(bytes))
      const { unsafe } = correspondenceOf(message, signals(message, CORPUS_FACTS))
      const beyond = PRESETS.map((preset, at) => [preset, spamLogit - thresholds[at]!])
      scored.push({
        spam,
        isPersonal: messageClass === 'primary' || source === 'lists',
        beyond: Object.fromEntries(beyond),
        ...(unsafe !== undefined && { unsafe }),
      })
    }
    fitting.advance()
  }
  fitting.end()
  return scored
}

function lossesOf(ham: readonly Ham[], isChecked: boolean): Record<Relation, Lost> {
  const judged = Array.from({ length: HOUSEHOLDS }, (_, i) =>
    liveThrough(ham, i + 1, isChecked),
  ).flat()
  const mean = (count: number) => count / HOUSEHOLDS
  const of = (relation: Relation): Lost => {
    const those = judged.filter((each) => each.relation === relation)
    return {
      messages: mean(those.length),
      before: mean(those.filter(({ lostBefore }) => lostBefore).length),
      after: mean(those.filter(({ lostAfter }) => lostAfter).length),
    }
  }
  return Object.fromEntries(RELATIONS.map((each) => [each, of(each)])) as Record<Relation, Lost>
}

/** The share of `spam` that is caught in the name of such a sender. */
function caughtOf(
  spam: readonly Scored[],
  { tie, authentication }: (typeof THIEVES)[number],
): Theft['caught'] {
  const share = (preset: keyof Thresholds) => {
    const caught = spam.filter(({ beyond, unsafe }) => {
      const correspondence = { isShared: false, repliesTo: [], ...(unsafe && { unsafe }) }
      const ties = new Set<Tie>(tie === undefined ? [] : [tie])
      const known = correspondentOf(ties, correspondence, authentication)
      return beyond[preset] + (known?.logit ?? 0) > 0
    })
    return caught.length / spam.length
  }
  return Object.fromEntries(PRESETS.map((preset) => [preset, share(preset)])) as Theft['caught']
}
