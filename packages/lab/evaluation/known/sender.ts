/** Whether the domain of From is one that the world knows, and what vouches for it. */
import { memoryOctets } from '../../../mail/message/octets.ts'
import { parseMessage } from '../../../mail/message/parse.ts'
import { dkimSignatures } from '../../../mail/signals/dkim-signature.ts'
import { hostKind } from '../../../mail/signals/host-kind.ts'
import { originOf } from '../../../mail/signals/origin.ts'
import { CORPUS_KNOWLEDGE } from '../../corpora/facts.ts'

/** Whose domain From is at: `stranger` is one that anybody may write from (mailboxes, hosting, networks of people). */
export const SENDERS = ['known', 'stranger', 'unknown'] as const

/** Which signatures are claimed: From's, others' alone, none. */
export const VOUCHED = ['aligned', 'other', 'none'] as const

export type Sender = (typeof SENDERS)[number]
export type Vouched = (typeof VOUCHED)[number]

export function senderOf(bytes: Uint8Array): {
  readonly sender: Sender
  readonly vouched: Vouched
} {
  const message = parseMessage(memoryOctets(bytes))
  const { host, domain, isSigned } = originOf(message)
  const kind = host === '' ? undefined : hostKind(CORPUS_KNOWLEDGE.domains, host, domain)
  return {
    sender: kind === undefined ? 'unknown' : kind === 'known' ? 'known' : 'stranger',
    vouched: isSigned ? 'aligned' : dkimSignatures(message).length > 0 ? 'other' : 'none',
  }
}
