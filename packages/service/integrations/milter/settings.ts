/** What an operator can set of the milter; cli/milter.ts reads it. */
import type { BlockList } from 'node:net'
import type { UserOf } from '../../http/user-of.ts'

export interface MilterPolicy {
  readonly userOf: UserOf
  /** Characters that part an address from its extension; '' for none. */
  readonly recipientDelimiter: string
  /** Also judges what comes from senders who have logged in. */
  readonly scanAuthenticated: boolean
  /** Clients whose messages are not judged. */
  readonly skipNetworks: BlockList
  /** Writes X-Spam-Flag, and removes it and its like from messages that come in. */
  readonly spamFlag: boolean
  /** Spam probability from which a message that is spam for all its recipients is put on hold; undefined for never. */
  readonly quarantineAt: number | undefined
  /** The same for refusing it. */
  readonly rejectAt: number | undefined
  /** SMTP reply to a message that is refused: '550 5.7.1 …'. */
  readonly rejectReply: string
  /** What becomes of a message that was not judged. */
  readonly onFailure: 'accept' | 'tempfail'
}
