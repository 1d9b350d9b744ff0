/**
 * A simulated household: half a year of mail that real people and programs wrote, in the names of senders
 * who are simulated, with what its user does: writes to some first, answers many, and is answered.
 *
 * What a correspondent says for a message depends on who writes to whom, which no corpus tells; what the
 * models say of it is real. A message that is lost is neither answered nor counted.
 */
import type { Correspondence } from '../../../mail/personalization/correspondence.ts'
import { correspondentOf, type Tie } from '../../../mail/personalization/correspondents.ts'
import { type Heard, heardAgain, isLongReceived } from '../../../mail/personalization/heard.ts'
import { randomSource } from '../../training/random.ts'

/** What is known of a ham message without its sender. */
export interface Ham extends Pick<Correspondence, 'unsafe'> {
  /** Log-odds of spam beyond the threshold: lost above 0. */
  readonly beyond: number
  /** From a person to a person, and not from a program. */
  readonly isPersonal: boolean
}

/** How the user knew the sender when the message came; strangers are first contacts and whoever is not known yet. */
export type Relation = 'stranger' | Tie

export interface Judged {
  readonly relation: Relation
  readonly lostBefore: boolean
  readonly lostAfter: boolean
}

export const DAYS = 182

/** People who write, and programs: some often, many once, as in a mailbox (the nth has a share of 1/n). */
const PEOPLE = 120
const PROGRAMS = 200

/** Share of the people to whom the user has written first. */
const WRITTEN_FIRST = 1 / 3

/** Share of the personal messages that the user answers, the same day; and of these answers that are answered. */
const ANSWERED = 0.6
const ANSWERED_AGAIN = 0.5

/** Share of the messages of programs that answer the user: a desk, an order. */
const DESK_REPLIES = 0.03

/** Share of the messages that are authenticated where senders are checked; of the others nothing is known. */
const AUTHENTICATED = 0.85

interface Sender {
  isWritten: boolean
  /** Answers of the user that the sender may answer. */
  awaited: number
  heard: Heard | undefined
}

const DAY_MS = 24 * 60 * 60 * 1_000

/**
 * Each of `mail` once, in an order and with senders that `seed` chooses.
 *
 * @param isChecked whether senders are checked; else nothing is known of any.
 */
export function liveThrough(mail: readonly Ham[], seed: number, isChecked: boolean): Judged[] {
  const random = randomSource(seed)
  const people = sendersOf(PEOPLE, () => random() < WRITTEN_FIRST)
  const programs = sendersOf(PROGRAMS, () => false)
  const times = mail.map(() => random() * DAYS * DAY_MS).sort((a, b) => a - b)
  return inRandomOrder(mail, random).map((message, i) => {
    const sender = drawn(message.isPersonal ? people : programs, random)
    const isReply = message.isPersonal
      ? sender.awaited > 0 && random() < ANSWERED_AGAIN
      : random() < DESK_REPLIES
    const authentication = isChecked && random() < AUTHENTICATED ? 'pass' : 'unknown'
    const ties = tiesOf(sender, isReply)
    const correspondence = { isShared: false, repliesTo: [], ...message }
    const known = correspondentOf(ties, correspondence, authentication)
    const lostAfter = message.beyond + (known?.logit ?? 0) > 0
    if (isReply) sender.awaited = Math.max(0, sender.awaited - 1)
    if (!lostAfter) take(sender, message, authentication, times[i]!, random)
    return { relation: known?.tie ?? 'stranger', lostBefore: message.beyond > 0, lostAfter }
  })
}

function take(
  sender: Sender,
  { isPersonal, unsafe }: Ham,
  authentication: 'pass' | 'unknown',
  at: number,
  random: () => number,
): void {
  if (authentication === 'pass' && unsafe === undefined) {
    sender.heard = heardAgain(sender.heard, at) ?? sender.heard
  }
  if (!isPersonal || random() >= ANSWERED) return
  sender.isWritten = true
  sender.awaited += 1
}

function tiesOf({ isWritten, heard }: Sender, isReply: boolean): Set<Tie> {
  const ties = new Set<Tie>()
  if (isWritten) ties.add('written_to')
  if (isReply) ties.add('reply')
  if (heard !== undefined && isLongReceived(heard)) ties.add('received')
  return ties
}

function sendersOf(count: number, isWritten: () => boolean): Sender[] {
  return Array.from({ length: count }, () => {
    const written = isWritten()
    return { isWritten: written, awaited: written ? 1 : 0, heard: undefined }
  })
}

/** The nth of `senders` with a share of 1/n. */
function drawn(senders: readonly Sender[], random: () => number): Sender {
  const shares = senders.map((_, n) => 1 / (n + 1))
  let left = random() * shares.reduce((sum, share) => sum + share, 0)
  const place = shares.findIndex((share) => {
    left -= share
    return left <= 0
  })
  return senders[place < 0 ? 0 : place]!
}

function inRandomOrder<Value>(values: readonly Value[], random: () => number): Value[] {
  return values
    .map((value) => ({ value, at: random() }))
    .sort((a, b) => a.at - b.at)
    .map(({ value }) => value)
}
