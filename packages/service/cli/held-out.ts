/**
 * Whether learning from sorted mail helps: half of it is learned, the other half is judged, and then the other way
 * round. The halves are of different senders, so that what is judged is no copy of what was learned.
 */
import { createHash } from 'node:crypto'
import { TamisError } from '../../errors/errors.ts'
import { memoryOctets } from '../../mail/message/octets.ts'
import { parseMessage } from '../../mail/message/parse.ts'
import { patternsOf } from '../../mail/personalization/patterns.ts'

/** Judged messages, and how many of these verdicts were wrong. */
export interface Wrong {
  readonly of: number
  readonly untaught: number
  readonly taught: number
}

/** Of ham and of spam apart: ham that was called spam, spam that was not. */
export interface HeldOut {
  readonly ham: Wrong
  readonly spam: Wrong
}

export const HALVES = [0, 1] as const

export type Half = (typeof HALVES)[number]

/** Fewer judged messages say nothing. */
export const HELD_OUT_MIN = 40

/** Further errors that are no harm, in a hundred judged messages: one message more or less is chance. */
const FURTHER_ERRORS_MAX = 1

const HALF_BIT = 1

/** The half that a message is in: that of its sender's domain, or its own if it names none. */
export function halfOf(bytes: Uint8Array): Half {
  const header = parseMessage(memoryOctets(bytes), { outOfTime: () => true })
  const { senderDomain } = patternsOf(header, false)
  const [first = 0] = createHash('sha256')
    .update(senderDomain ?? bytes)
    .digest()
  return (first & HALF_BIT) === 0 ? 0 : 1
}

/** Whether there are more errors with learning than without, beyond what may be chance; false for too few messages. */
export function isHarmful({ ham, spam }: HeldOut): boolean {
  const of = ham.of + spam.of
  if (of < HELD_OUT_MIN) return false
  const further = ham.taught + spam.taught - ham.untaught - spam.untaught
  return further > Math.max(1, (FURTHER_ERRORS_MAX * of) / 100)
}

/** 'spam missed 8 -> 25 of 212, ham lost 1 -> 0 of 164'. */
export function heldOutText({ ham, spam }: HeldOut): string {
  const change = ({ untaught, taught, of }: Wrong) => `${untaught} -> ${taught} of ${of}`
  return `spam missed ${change(spam)}, ham lost ${change(ham)}`
}

/** @throws TamisError LEARNING_HARMS */
export function refuseHarm(found: HeldOut): void {
  if (!isHarmful(found)) return
  throw new TamisError(
    'LEARNING_HARMS',
    `Learning from half of this mail makes verdicts on the other half worse: ${heldOutText(found)}. Nothing was recorded; check how the mail is sorted, or learn all the same with --force`,
  )
}
