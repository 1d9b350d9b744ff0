/** What checks of the sender found, as a clause. */
import type { Contribution } from '../api.ts'

export function senderClause({
  result,
  fromDomain,
}: Extract<Contribution, { kind: 'sender' }>): string {
  if (result === 'passed') return 'it comes from a known domain'
  const WHOSE = {
    known: 'the known domain',
    own: "the recipient's own domain",
    mailbox: 'the mailbox provider',
    other: 'the domain',
  }
  return `it does not come from ${WHOSE[fromDomain]} in From`
}
