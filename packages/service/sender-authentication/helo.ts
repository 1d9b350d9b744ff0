/**
 * The name by which the sending client introduced itself (HELO, RFC 5321 §4.1.1.1), which SPF
 * checks when the envelope sender is null (RFC 7208 §2.3).
 *
 * It is in the topmost Received field, if that field is about the connection we were told of: it must
 * name the client's IP address. No more trust is needed. HELO is the client's own claim anyway, and SPF
 * asks its domain whether the client may use it: an attacker who forges the field could as well have
 * said the name in HELO.
 */
import type { Message } from '../../mail/message/message.ts'
import { clientClause } from '../../mail/personalization/claims.ts'
import { comparedHost } from '../../mail/personalization/sender-address.ts'

/** The HELO name of the client at `senderIp` (canonical text); undefined when the topmost Received field does not give it. */
export function heloOf(message: Pick<Message, 'fields'>, senderIp: string): string | undefined {
  const clause = clientClause(message, senderIp)
  if (clause === undefined) return undefined
  // Exim writes the name into the comment: 'from host ([192.0.2.1] helo=name)'.
  const helo =
    /[\s(]e?helo=([^\s)]{1,255})/i.exec(clause)?.[1] ??
    /^from\s{1,9}([^\s;(]{1,255})/i.exec(clause)?.[1]
  return helo === undefined ? undefined : comparedHost(helo)
}
