/**
 * Who a message says it is from: all addresses in From that some mail program may show as the author's.
 *
 * Programs differ in what they make of a From that breaks the grammar, or has more than one address; DMARC programs too.
 * A sender could be checked as one and shown as the other. So rules, signals and the checks of the sender all read From
 * here, nothing in it is passed over for its spelling, and where there are several authors none of them is believed
 * unless all are.
 */
import { groupIn, type Mailbox, parseAddresses } from './address.ts'
import { ADDRESSES_MAX } from './limits.ts'
import type { Message } from './message.ts'

export interface Authors {
  /** From fields of the header; one is right (RFC 5322 §3.6). */
  readonly fields: number
  /**
   * The addresses with a domain, in order, at most ADDRESSES_MAX. Words that a comma or a colon cut off belong to the
   * display name: "Keller, Anna" without its quotes is one person, and the name of a group is what its members are shown by.
   */
  readonly mailboxes: readonly Mailbox[]
  /** Whether some are members of a group, for which programs show the name that the sender gave it (RFC 6854). */
  readonly hasGroup: boolean
}

/** The authors of `message`. */
export function authorsOf({ fields }: Pick<Message, 'fields'>): Authors {
  const from = fields
    .filter(({ name }) => name === 'from')
    .map(({ rawBody }) => ({ body: rawBody, group: groupIn(rawBody) }))
  const mailboxes: Mailbox[] = []
  for (const { body, group } of from) {
    if (mailboxes.length >= ADDRESSES_MAX) break
    for (const mailbox of authorsIn(body, group?.name ?? '')) mailboxes.push(mailbox)
  }
  return {
    fields: from.length,
    mailboxes: mailboxes.slice(0, ADDRESSES_MAX),
    hasGroup: from.some(({ group }) => group?.isClosed === true),
  }
}

/** The authors in one From field, whose first group is called `group`. */
function authorsIn(body: string, group: string): Mailbox[] {
  const authors: Mailbox[] = []
  let words: string[] = []
  for (const mailbox of parseAddresses(body)) {
    if (mailbox.domain === '') words.push(mailbox.displayName)
    else {
      const name = mailbox.displayName === '' && words.length === 0 ? group : mailbox.displayName
      authors.push({ ...mailbox, displayName: joined([...words, name]) }, ...readOtherwise(mailbox))
      words = []
    }
  }
  const [first, ...others] = authors
  if (first === undefined) return []
  return [{ ...first, displayName: joined([first.displayName, ...words]) }, ...others]
}

function joined(words: readonly string[]): string {
  return words.filter((word) => word !== '').join(', ')
}

/** At signs in one address that are looked at. Honest ones have one. */
const SIGNS_MAX = 4

/** What ends an address within other text. */
const BESIDE_ADDRESS = /[\0-\x20!"#$%&'()*+,/:;<=>?[\\\]^`{|}~]+/

/**
 * What some programs may show of an address that is none: of `<service@example.com @example.net>`, or with a NUL before
 * the second '@', the first; of `<service@example.com/x>` what comes before the slash.
 */
function readOtherwise({ displayName, address, domain }: Mailbox): Mailbox[] {
  const pieces = address.split('@', SIGNS_MAX + 1)
  if (pieces.length <= 2 && !BESIDE_ADDRESS.test(domain)) return []
  return pieces.slice(1).flatMap((piece, at) => {
    const localPart = pieces[at]!.split(BESIDE_ADDRESS).at(-1) ?? ''
    const host = (piece.split(BESIDE_ADDRESS, 1)[0] ?? '').toLowerCase().replace(/\.$/, '')
    if (!host.includes('.') || host === domain) return []
    return [{ displayName, address: `${localPart}@${host}`, localPart, domain: host }]
  })
}
