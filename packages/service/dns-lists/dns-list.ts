/** A DNS list (RFC 5782): a zone in which a name below it stands for a listed address or domain. */

/**
 * What a list knows: `ip` the address of the client that delivers a message, `domain` domains, `url`
 * domains and IP addresses in links.
 */
type ListKind = 'ip' | 'domain' | 'url'

/** What an answer of a list means. */
export interface ListCode {
  readonly meaning: string
  /** What it adds to the log-odds of spam, above 0. */
  readonly logOdds: number
}

export interface DnsList {
  /** The name in the diagnostic, in logs and metrics; the zone may hold a key. */
  readonly name: string
  readonly zone: string
  readonly kind: ListKind
  /** By answer: an address, `127.0.0.2`, or a bit of its last number, `bit 8`. */
  readonly codes: ReadonlyMap<string, ListCode>
}
