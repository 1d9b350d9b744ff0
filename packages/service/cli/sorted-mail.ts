/** Sorted mail, and the correction that each of its messages becomes. */
import { TamisError } from '../../errors/errors.ts'
import { EXIT } from '../../errors/exit-status.ts'
import type { Progress } from '../../terminal/progress.ts'
import { learnableMessage } from '../correct.ts'
import { spamOrHam } from '../users/correction.ts'
import { incomingFrom, type LearnTools } from './learn-tools.ts'
import { type MailboxMessage, mailboxProgress, readMailbox } from './mailbox.ts'

/** Messages of spam, and of ham, that are checked before learning: a user's own models learn from the newest 256. */
const CHECKED_MAX = 1_000

/** What is to be learned. */
export interface Sorted {
  readonly user: string
  readonly global?: boolean
  readonly spam?: readonly string[]
  readonly ham?: readonly string[]
  /** Messages whose corrections are withdrawn. */
  readonly withdraw?: readonly string[]
  readonly rules: boolean
  readonly json?: boolean
  /** Whether it is only to be checked before it is learned: no more than CHECKED_MAX of each label, and nothing is told of what cannot be learned. */
  readonly isCheck?: boolean
}

export function learnProgress({
  spam = [],
  ham = [],
  withdraw = [],
  isCheck = false,
}: Sorted): Progress {
  return mailboxProgress(isCheck ? 'check' : 'learn', [...spam, ...ham, ...withdraw])
}

export interface SortedMessage extends MailboxMessage {
  /** Undefined: the correction of the message is withdrawn. */
  readonly isSpam: boolean | undefined
}

export async function* sortedMail({
  spam = [],
  ham = [],
  withdraw = [],
  isCheck = false,
}: Pick<Sorted, 'spam' | 'ham' | 'withdraw' | 'isCheck'>): AsyncGenerator<SortedMessage> {
  for (const [paths, isSpam] of [[spam, true] as const, [ham, false] as const]) {
    let count = 0
    for await (const message of messagesAt(paths)) {
      if (isCheck && count++ === CHECKED_MAX) break
      yield { ...message, isSpam }
    }
  }
  for await (const message of messagesAt(withdraw)) yield { ...message, isSpam: undefined }
}

async function* messagesAt(paths: readonly string[]): AsyncGenerator<MailboxMessage> {
  for (const path of paths) yield* readMailbox(path)
}

/** What became of the correction, or the code of the error that it ended with. */
export async function recordOne(
  { judging, corrections }: LearnTools,
  { user, rules, isCheck }: Sorted,
  { bytes, isSpam, name }: SortedMessage,
): Promise<string> {
  try {
    const message = await learnableMessage(judging, incomingFrom(bytes))
    const corrector = { userId: user, authority: 'operator' } as const
    if (isSpam === undefined) {
      const { status } = await corrections.withdraw('spam', corrector, message)
      return status === 'reset' ? 'removed' : 'not corrected'
    }
    // Anybody can write a From: years of folders would make hundreds of rules that a forger profits from.
    const skipRule = !rules || message.authenticatedDomain === undefined
    return (await corrections.correct(corrector, message, spamOrHam(isSpam), skipRule)).status
  } catch (error) {
    if (!(error instanceof TamisError) || error.code === 'STORE_UNAVAILABLE') throw error
    if (!isCheck) {
      process.stderr.write(`${name}: ${error.message}\n`)
      process.exitCode = EXIT.partly
    }
    return error.code
  }
}
