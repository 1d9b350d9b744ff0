/** What checks of the sender found, as a clause. */
import type { Contribution } from '../api.ts'

export function senderClause({
  result,
  fromDomain,
}: Extract<Contribution, { kind: 'sender' }>): string {
  const WHOSE = {
    known: 'the known domain',
    own: "the recipient's own domain",
    mailbox: 'the mailbox provider',
    other: 'the domain',
  }
  const checks = result === 'passed' ? 'checks confirm' : 'checks do not confirm'
  return `${checks} that it comes from ${WHOSE[fromDomain]} in From`
}
