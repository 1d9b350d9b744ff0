/**
 * What the topmost Received field says of the sending client (RFC 5321 §4.4), if it is about the
 * connection that we were told of.
 *
 * It must name the client's IP address. A sender who writes such a field, for a service that is asked
 * before the receiving server has written its own, could as well have said the names in HELO: they are
 * claims.
 */
import { type Address, addressOf } from '../knowledge/network-table.ts'
import type { Message } from '../message/message.ts'
import { comparedHost } from './sender-address.ts'

/** Longest from clause of a Received field that is read. */
const FROM_CLAUSE_LENGTH_MAX = 600

/** Address literals read of one clause. Stops a clause of 300 of them. */
const LITERALS_MAX = 8

/** Names read of one clause. Stops a clause of 300 of them. */
const NAMES_MAX = 8

/** The from clause of the topmost Received field; undefined when it does not name `senderIp` (canonical text). */
export function clientClause(
  message: Pick<Message, 'fields'>,
  senderIp: string,
): string | undefined {
  const received = message.fields.find(({ name }) => name === 'received')
  if (received === undefined) return undefined
  const clause = fromClause(received.rawBody)
  const client = addressOf(senderIp)?.join()
  return literalsIn(clause).some((address) => address.join() === client) ? clause : undefined
}

/**
 * The names of the client at `senderIp`, lower-cased: the one by which it introduced itself (HELO), and
 * the one that its address has in the DNS, as far as the field gives them.
 */
export function clientHosts(message: Pick<Message, 'fields'>, senderIp: string): string[] {
  const clause = clientClause(message, senderIp)
  if (clause === undefined) return []
  const names = clause.match(/[a-z0-9_-]{1,63}(?:\.[a-z0-9_-]{1,63}){1,126}/gi) ?? []
  const hosts = names.filter((name) => addressOf(name) === undefined).slice(0, NAMES_MAX)
  return [...new Set(hosts.flatMap((host) => comparedHost(host) ?? []))]
}

function fromClause(body: string): string {
  const clause = body.slice(0, FROM_CLAUSE_LENGTH_MAX)
  const by = clause.search(/\sby\s/i)
  return by < 0 ? clause : clause.slice(0, by)
}

/** IP addresses in brackets, RFC 5321 §4.1.3. */
function literalsIn(clause: string): Address[] {
  const literals = clause.match(/\[(?:ipv6:)?[0-9a-f:.]{2,45}\]/gi) ?? []
  return literals.slice(0, LITERALS_MAX).flatMap((literal) => {
    const address = addressOf(literal.slice(1, -1).replace(/^ipv6:/i, ''))
    return address === undefined ? [] : [address]
  })
}
