/** Whether the domain of From is one that the world knows, and what vouches for it. */
import { memoryOctets } from '../../../mail/message/octets.ts'
import { parseMessage } from '../../../mail/message/parse.ts'
import { dkimSignatures } from '../../../mail/signals/dkim-signature.ts'
import { hostKind } from '../../../mail/signals/host-kind.ts'
import { originOf } from '../../../mail/signals/origin.ts'
import { CORPUS_KNOWLEDGE } from '../../corpora/facts.ts'

/** Whose domain From is at: `stranger` is one that anybody may write from (mailboxes, hosting, networks of people). */
const SENDERS = ['known', 'stranger', 'unknown'] as const

/** Which signatures are claimed: From's, others' alone, none. */
const VOUCHED = ['aligned', 'other', 'none'] as const

/** 'known aligned', 'stranger none'. */
export type KnownSender = `${(typeof SENDERS)[number]} ${(typeof VOUCHED)[number]}`

/** In the order of the report. */
export const KNOWN_SENDERS: readonly KnownSender[] = SENDERS.flatMap((sender) =>
  VOUCHED.map((vouched): KnownSender => `${sender} ${vouched}`),
)

export function senderOf(bytes: Uint8Array): KnownSender {
  const message = parseMessage(memoryOctets(bytes))
  const { host, domain, isSigned } = originOf(message)
  const kind = host === '' ? undefined : hostKind(CORPUS_KNOWLEDGE.domains, host, domain)
  const sender = kind === undefined ? 'unknown' : kind === 'known' ? 'known' : 'stranger'
  const vouched = isSigned ? 'aligned' : dkimSignatures(message).length > 0 ? 'other' : 'none'
  return `${sender} ${vouched}`
}
