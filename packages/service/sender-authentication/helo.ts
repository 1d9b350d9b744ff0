/**
 * The name by which the sending client introduced itself (HELO, RFC 5321 §4.1.1.1), which SPF
 * checks when the envelope sender is null (RFC 7208 §2.3).
 *
 * It is in the topmost Received field, if that field is about the connection we were told of: it must
 * name the client's IP address. No more trust is needed. HELO is the client's own claim anyway, and SPF
 * asks its domain whether the client may use it: an attacker who forges the field could as well have
 * said the name in HELO.
 */
import { isIPv4, isIPv6 } from 'node:net'
import type { Message } from '../../mail/message/message.ts'
import { comparedHost } from '../../mail/personalization/sender-address.ts'

/** Longest from clause of a Received field that is read. */
const FROM_CLAUSE_LENGTH_MAX = 600

/** Address literals read of one clause. Stops a clause of 300 of them. */
const LITERALS_MAX = 8

/** The HELO name of the client at `senderIp` (canonical text); undefined when the topmost Received field does not give it. */
export function heloOf(message: Pick<Message, 'fields'>, senderIp: string): string | undefined {
  const received = message.fields.find(({ name }) => name === 'received')
  if (received === undefined) return undefined
  const clause = fromClause(received.rawBody)
  if (!literalsIn(clause).includes(senderIp)) return undefined
  // Exim writes the name into the comment: 'from host ([192.0.2.1] helo=name)'.
  const helo =
    /[\s(]e?helo=([^\s)]{1,255})/i.exec(clause)?.[1] ??
    /^from\s{1,9}([^\s;(]{1,255})/i.exec(clause)?.[1]
  return helo === undefined ? undefined : comparedHost(helo)
}

function fromClause(body: string): string {
  const clause = body.slice(0, FROM_CLAUSE_LENGTH_MAX)
  const by = clause.search(/\sby\s/i)
  return by < 0 ? clause : clause.slice(0, by)
}

/** IP addresses in brackets, RFC 5321 §4.1.3, in canonical text. */
function literalsIn(clause: string): string[] {
  const literals = clause.match(/\[(?:ipv6:)?[0-9a-f:.]{2,45}\]/gi) ?? []
  return literals
    .slice(0, LITERALS_MAX)
    .flatMap((literal) => canonicalAddress(literal.slice(1, -1).replace(/^ipv6:/i, '')) ?? [])
}

function canonicalAddress(text: string): string | undefined {
  if (isIPv4(text)) return text
  return isIPv6(text) ? new URL(`http://[${text}]`).hostname.slice(1, -1) : undefined
}
