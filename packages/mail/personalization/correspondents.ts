/**
 * Correspondents: with whom a user writes, and what that says against spam.
 *
 * A user who has written to an address, or gets an answer to a message, has said more about this mail
 * than models can. The weights are stated and not learned: hardly a corpus has the mail that a user
 * sent. They are added to the log-odds of spam, and so decide nothing alone.
 */
import { type Correspondence, runs } from './correspondence.ts'
import type { SenderAuthentication } from './rules.ts'

/** How a sender is known to a user, from the strongest on. */
export const TIES = ['written_to', 'reply', 'received'] as const

/** The user has written to the address, or it replies to a message of the user, or its mail has long been received without complaint. */
export type Tie = (typeof TIES)[number]

/** What a tie adds to the log-odds of spam where the sender is authenticated. Only the strongest counts: who answers has been written to. */
const TIE_LOGITS: Readonly<Record<Tie, number>> = { written_to: -3, reply: -3, received: -1.5 }

/**
 * How much of it counts, by what the checks of the sender say. Where nothing is known, anybody may have
 * written the name: a third is what a forger gains, and an honest sender without signatures still has.
 */
const TRUST: Readonly<Record<SenderAuthentication['result'], number>> = {
  pass: 1,
  unknown: 1 / 3,
  fail: 0,
}

/** A sender whom a user knows. */
export interface Correspondent {
  readonly tie: Tie
  readonly authentication: SenderAuthentication['result']
  /** Why it counts for nothing all the same; see Correspondence. */
  readonly unsafe?: Correspondence['unsafe']
  /** What it adds to the log-odds of spam, at most 0. */
  readonly logit: number
  /** True where a program comes, authenticated, from somebody whom the user has written to, or as an answer: it is no spam by itself, and nothing to let pass unseen. */
  readonly isHeld?: true
}

/**
 * What it says for a message with `correspondence` that its sender has these ties to the user; undefined
 * where there is none. A message that is not safe is judged as a stranger's, and so is one from an address
 * from which many write, unless it replies.
 */
export function correspondentOf(
  ties: ReadonlySet<Tie>,
  { isShared, unsafe }: Correspondence,
  authentication: SenderAuthentication['result'],
): Correspondent | undefined {
  const tie = TIES.find((each) => ties.has(each) && (each === 'reply' || !isShared))
  if (tie === undefined) return undefined
  const logit = unsafe === undefined ? TIE_LOGITS[tie] * TRUST[authentication] : 0
  // Whoever sends three harmless messages is long received, and a program would be the fourth.
  const isHeld = authentication === 'pass' && tie !== 'received' && runs(unsafe)
  return {
    tie,
    authentication,
    ...(unsafe && { unsafe }),
    // A factor of 0 would give -0.
    logit: logit || 0,
    ...(isHeld && { isHeld }),
  }
}
