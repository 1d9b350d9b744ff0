/**
 * Signals of a sender who passes for somebody of the recipients' own organisation: the managing director
 * who needs gift cards, the payroll office that needs a new account (business email compromise).
 *
 * To and Cc are all that is known of the organisation. Evidence has nothing of them.
 */
import { isPublicAddress } from '../../knowledge/network-table.ts'
import type { Mailbox } from '../../message/address.ts'
import type { Message } from '../../message/message.ts'
import { wordSet } from '../../message/word-set.ts'
import { ownLabel } from '../domains.ts'
import { isFreeMail } from '../host-lists.ts'
import type { Origin } from '../origin.ts'
import { isOwnDomain, recipientDomains } from '../own-domain.ts'
import { type Arrived, type Signal, signal } from '../signal.ts'

/** Who heads an organisation, in the words of those who pass for them. */
const EXECUTIVE = wordSet(`
  ceo cfo coo cto chairman chairwoman chairperson president director executive
  geschäftsführer geschäftsführerin geschäftsführung geschaeftsfuehrer geschaeftsfuehrung
  geschäftsleitung geschaeftsleitung vorstand vorstandsvorsitzender
  pdg directeur directrice dirigeant presidente direttore amministratore gerente
  direktor prezes dyrektor
`)

/** Characters of a name or local part that are looked at. Mail programs show some forty. */
const NAME_LENGTH_MAX = 256

/** Letters of a domain's name that no first name has by chance: 'anna' writes to anna.example. */
const LABEL_LENGTH_MIN = 5

/** Signals of an impostor with the mailbox `mailbox`, the one in From. */
export function impostorSignals(
  message: Message,
  origin: Origin,
  mailbox: Mailbox,
  { senderIp }: Pick<Arrived, 'senderIp'>,
): Signal[] {
  const found: Signal[] = []
  const isOutside = senderIp !== undefined && isPublicAddress(senderIp)
  if (isOutside && !origin.isSigned && isOwnDomain(message)) {
    found.push(signal('FROM_OWN_DOMAIN_OUTSIDE', senderIp))
  }
  if (!origin.isFreeMail) return found
  const name = mailbox.displayName.slice(0, NAME_LENGTH_MAX).toLowerCase()
  const localPart = mailbox.localPart.slice(0, NAME_LENGTH_MAX).toLowerCase()
  if ([name, localPart].some(claimsHead)) {
    found.push(signal('FROM_FREE_MAIL_EXECUTIVE', `${mailbox.displayName} ${mailbox.address}`))
  }
  if (beginsWithRecipient(message, name)) {
    found.push(signal('FROM_FREE_MAIL_AS_RECIPIENT', mailbox.address))
  }
  return found
}

function claimsHead(text: string): boolean {
  return text.split(/[^\p{L}]+/u).some((word) => EXECUTIVE.has(word))
}

/** 'Keller Bau Payroll' for keller-bau.example. 'Keller, Anna' is a person of that name. */
function beginsWithRecipient(message: Message, name: string): boolean {
  const [start = '', ...rest] = name.split(',')
  const letters = start.replace(/[^\p{L}\p{N}]+/gu, '')
  if (letters.length < LABEL_LENGTH_MIN) return false
  const labels = [...recipientDomains(message)]
    .filter((domain) => !isFreeMail(domain))
    .map((domain) => ownLabel(domain).replaceAll('-', ''))
  return labels.some(
    (label) =>
      label.length >= LABEL_LENGTH_MIN &&
      letters.startsWith(label) &&
      (rest.length === 0 || letters !== label),
  )
}
