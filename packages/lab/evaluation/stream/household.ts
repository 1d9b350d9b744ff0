/**
 * How much a household gains by correcting: its mail in random orders, the errors in the second
 * half with every message corrected after it was judged, against the errors without.
 */
import type { Models } from '../../../mail/models/models.ts'
import { randomSource, shuffledIndices } from '../../training/random.ts'
import { AT_ONCE, judge, replay } from './replay.ts'
import type { StreamMessage, StreamVerdict } from './stream.ts'

export const ORDERS = 20

/** Errors in the second halves, over all orders together. */
export interface HouseholdErrors {
  readonly messages: number
  readonly without: Errors
  readonly with: Errors
}

export interface Errors {
  readonly hamLost: number
  readonly spamMissed: number
}

export function householdErrors(base: Models, messages: readonly StreamMessage[]): HouseholdErrors {
  const halves = Array.from({ length: ORDERS }, (_, order) => {
    const shuffled = Array.from(
      shuffledIndices(messages.length, randomSource(order + 1)),
      (i) => messages[i]!,
    )
    const middle = Math.floor(messages.length / 2)
    return {
      without: shuffled.slice(middle).map((message) => judge(base, message)),
      with: replay(base, shuffled, AT_ONCE).slice(middle),
    }
  })
  return {
    messages: halves.reduce((sum, half) => sum + half.with.length, 0),
    without: errorsIn(halves.flatMap((half) => half.without)),
    with: errorsIn(halves.flatMap((half) => half.with)),
  }
}

function errorsIn(verdicts: readonly StreamVerdict[]): Errors {
  return {
    hamLost: verdicts.filter(({ spam, calledSpam }) => !spam && calledSpam).length,
    spamMissed: verdicts.filter(({ spam, calledSpam }) => spam && !calledSpam).length,
  }
}
