/**
 * Signals from the display name of From: most mail programs show it instead of the address.
 */
import type { Mailbox } from '../../message/address.ts'
import type { Message } from '../../message/message.ts'
import { brandInName, ownsDomain } from '../brands.ts'
import { tally } from '../characters.ts'
import { domainOf, ownLabel } from '../domains.ts'
import { isEncodedNeedlessly } from '../encoded-needlessly.ts'
import type { Origin } from '../origin.ts'
import { type Signal, signal } from '../signal.ts'
import { looksAscii } from '../skeleton.ts'

/** Letters a name needs for capitals to be shouting: 'IBM', 'ADAC' and initials are shorter. */
const CAPITALS_MIN = 6

/** Characters of a display name that are looked at. Mail programs show some forty. */
const NAME_LENGTH_MAX = 256

/** Signals from the display name of `mailbox`, the one in From. */
export function displayNameSignals(message: Message, origin: Origin, mailbox: Mailbox): Signal[] {
  const name = mailbox.displayName.slice(0, NAME_LENGTH_MAX).trim()
  if (name === '') return [signal('FROM_NAME_MISSING', mailbox.address)]

  const found: Signal[] = []
  const other = otherAddressInName(name, mailbox)
  if (other !== undefined) found.push(other)
  else {
    const named = otherDomainInName(message, name, origin.domain)
    if (named !== undefined)
      found.push(signal('FROM_NAME_OTHER_DOMAIN', `${named}, ${origin.domain}`))
  }
  found.push(...brandSignals(name, origin))

  const counted = tally(name)
  if (counted.upper >= CAPITALS_MIN && counted.lower === 0) {
    found.push(signal('FROM_NAME_CAPITALS', name))
  }
  if (counted.mixedWords.some(looksAscii)) found.push(signal('FROM_NAME_SCRIPTS_MIXED', name))
  if (counted.styled > 0) found.push(signal('FROM_NAME_STYLED', name))
  if (counted.pictographs > 0) found.push(signal('FROM_NAME_EMOJI', name))
  if (counted.invisibleInWords > 0) found.push(signal('FROM_NAME_INVISIBLE', name))
  if (isEncodedNeedlessly(message, 'from')) found.push(signal('FROM_ENCODED_NEEDLESSLY', name))
  if (name.includes(' via ')) found.push(signal('FROM_NAME_VIA', name))
  return found
}

const ADDRESS_IN_NAME =
  /[\p{L}\p{N}._%+-]{1,64}@([\p{L}\p{N}-]{1,63}(?:\.[\p{L}\p{N}-]{1,63}){1,5})/u

function otherAddressInName(name: string, mailbox: Mailbox): Signal | undefined {
  const read = asRead(name)
  const address = read.includes('@') ? ADDRESS_IN_NAME.exec(read)?.[0] : undefined
  if (address === undefined) return undefined
  return address === mailbox.address.toLowerCase()
    ? signal('FROM_NAME_IS_ADDRESS', name)
    : signal('FROM_NAME_OTHER_ADDRESS', `${address}, ${mailbox.address}`)
}

const PLAIN = /^[\x20-\x7e]*$/

/** `name` as people read it, in lower case: signs of other widths as plain ones, without what cannot be seen or stands around an '@'. */
function asRead(name: string): string {
  const shown = PLAIN.test(name)
    ? name
    : name
        .normalize('NFKC')
        .replace(/\p{Default_Ignorable_Code_Point}/gu, '')
        .replaceAll('\u3002', '.')
  return shown.toLowerCase().replace(/ ?(?:@|\(at\)|\[at\]) ?/g, '@')
}

const DOMAIN_IN_NAME =
  /(?:^|[\s("'/@])((?:[a-z0-9-]{1,63}\.){1,4}(?:com|net|org|de|fr|co\.uk|it|es|nl|eu|io|gov|edu|info|biz|ru|jp|cn|br|pl))(?=$|[\s)"'/,!:])/i

/** A domain in the display name that is not the sender's: 'paypal.com', 'www.example.org'. */
function otherDomainInName(message: Message, name: string, domain: string): string | undefined {
  const host = name.includes('.') ? DOMAIN_IN_NAME.exec(name)?.[1]?.toLowerCase() : undefined
  if (host === undefined) return undefined
  const named = domainOf(message, host)
  return named === domain || ownLabel(named) === ownLabel(domain) ? undefined : host
}

function brandSignals(name: string, origin: Origin): Signal[] {
  const mention = brandInName(name)
  if (mention === undefined) return []
  const evidence = `${name}, ${origin.domain}`
  if (mention.lookAlike) return [signal('FROM_NAME_LOOKS_LIKE_BRAND', evidence)]
  if (ownsDomain(mention.brand, origin.domain)) return [signal('FROM_NAME_OWN_BRAND', evidence)]
  return [signal('FROM_NAME_OTHER_BRAND', evidence)]
}
