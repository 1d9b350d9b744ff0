/**
 * The Received field that the MTA is about to write (RFC 5321 §4.4). A filter gets the message without
 * it; Tamis reads from it the client's HELO name, and that everything below it came from outside.
 */

export interface Reception {
  readonly helo: string | undefined
  /** Name of the client in the DNS, or what the MTA gives in its place. */
  readonly host: string
  readonly ip: string | undefined
  readonly isAuthenticated: boolean
  /** Name of the MTA. */
  readonly mta: string | undefined
  readonly receivedAt: Date
}

/** Longest name; the DNS allows 255 bytes. */
const NAME_LENGTH_MAX = 255

/** The whole field, with CRLF. */
export function receivedField(reception: Reception): string {
  const { ip, isAuthenticated, mta, receivedAt } = reception
  // Sendmail gives the address if it found no name.
  const host = reception.host.startsWith('[') ? 'unknown' : atom(reception.host)
  const helo = reception.helo === undefined ? host : atom(reception.helo)
  const address = ip === undefined ? '' : ` [${ip.includes(':') ? `IPv6:${ip}` : ip}]`
  const protocol = isAuthenticated ? 'ESMTPA' : 'ESMTP'
  const date = receivedAt.toUTCString().replace('GMT', '+0000')
  return [
    `Received: from ${helo} (${host}${address})`,
    `\tby ${atom(mta ?? 'localhost')} with ${protocol};`,
    `\t${date}`,
    '',
  ].join('\r\n')
}

/** The name without characters that would end a word, a comment or the field. */
function atom(name: string): string {
  const word = name.slice(0, NAME_LENGTH_MAX).replace(/[^!#-'*-:<-Z^-~[\]]/g, '?')
  return word === '' ? 'unknown' : word
}
