/** The settings of the milter, which cli/milter.ts reads. */
import type { BlockList } from 'node:net'
import type { UserOf } from '../../http/user-of.ts'

export interface MilterPolicy {
  readonly userOf: UserOf
  /** Characters that separate an address from its extension; '' for none. */
  readonly recipientDelimiter: string
  /** Whether to judge messages from senders who have logged in, too. */
  readonly scanAuthenticated: boolean
  /** Whether Tamis is told whom users write to. */
  readonly tellsCorrespondents: boolean
  /** Ports of the MTA on which only users send, beside logins: macro {daemon_port}. */
  readonly submissionPorts: readonly string[]
  /** Clients whose messages are not judged. */
  readonly skipNetworks: BlockList
  /** Whether to write X-Spam-Flag, and to remove it and similar fields from incoming messages. */
  readonly spamFlag: boolean
  /** The spam probability from which a message that is spam for all its recipients is put on hold; undefined for never. */
  readonly quarantineAt: number | undefined
  /** The same for refusing a message. */
  readonly rejectAt: number | undefined
  /** SMTP reply to a message that is refused: '550 5.7.1 …'. */
  readonly rejectReply: string
  /** What happens to a message that was not judged. */
  readonly onFailure: 'accept' | 'tempfail'
}
