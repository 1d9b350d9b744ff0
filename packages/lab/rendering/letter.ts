/**
 * Who writes to whom, and when. Readers come from one pool, whatever the label: who receives a
 * message says nothing about it.
 */
import { registrableDomain } from '../../mail/message/domain.ts'
import { Dice, type Shares } from './dice.ts'
import { drawsOf } from './programs.ts'
import type { WrittenMessage } from './written-message.ts'

export interface Person {
  /** '' where only the address is known. */
  readonly name: string
  readonly address: string
}

export interface Letter {
  readonly from: Person
  /** The host of the From address, 'mail.example.co.uk', and its registrable domain. */
  readonly fromHost: string
  readonly fromDomain: string
  /** Whose machines send it: those of From, or of somebody else where From is forged. */
  readonly sendingHost: string
  readonly sendingDomain: string
  readonly replyTo: Person | undefined
  readonly to: Person
  readonly cc: readonly Person[]
  readonly sentAt: Date
  /** Offset of the sender's clock from UTC, in minutes. */
  readonly zoneMinutes: number
}

const GIVEN_NAMES = drawsOf<readonly string[]>('given names')

const FAMILY_NAMES = drawsOf<readonly string[]>('family names')

/** Where readers have their mailboxes: free mail mostly, then houses and firms of their own. */
const READER_HOSTS = drawsOf<Shares<string>>('reader hosts')

/** Address forms: {given} and {family} in small letters, {g} the initial. */
const ADDRESS_FORMS = drawsOf<Shares<string>>('address forms')

/** Written mail has no date of its own: it spreads over these three years. */
const FIRST_DATE_MS = Date.UTC(2023, 0, 1)
const DATE_RANGE_MINUTES = 3 * 365 * 24 * 60
const MINUTE_MS = 60_000

/** East of Greenwich positive, by language; English from both sides of the Atlantic. */
const ZONES = drawsOf<Readonly<Record<string, Shares<number>>>>('zones')

const EUROPEAN = drawsOf<Shares<number>>('European zones')

/** Letters to more than one reader, in 100, among those a person writes. */
const COPIED_SHARE = 0.08

export function letterOf(message: WrittenMessage, variant: number): Letter {
  const dice = new Dice('letter', message.id, variant)
  const fromHost = message.from_addr.slice(message.from_addr.lastIndexOf('@') + 1).toLowerCase()
  const sendingHost =
    message.forged === true ? strangerDomain(new Dice('stranger', message.id, variant)) : fromHost
  const to = reader(dice, message.to_name)
  const copied = dice.chance(COPIED_SHARE)
  const other = reader(dice, null)
  const minutes = dice.integer(0, DATE_RANGE_MINUTES)
  return {
    from: { name: message.from_name.trim(), address: message.from_addr },
    fromHost,
    fromDomain: registrableDomain(fromHost),
    sendingHost,
    sendingDomain: registrableDomain(sendingHost),
    replyTo: message.reply_to === null ? undefined : personOf(message.reply_to),
    to,
    cc: copied && !message.bulk ? [other] : [],
    sentAt: new Date(FIRST_DATE_MS + minutes * MINUTE_MS + dice.integer(0, 59) * 1000),
    zoneMinutes: dice.draw(ZONES[message.lang] ?? EUROPEAN),
  }
}

/** A Reply-To may come with a name. */
function personOf(text: string): Person {
  const [, name = '', address = text] = /^(.*?)\s*<([^>]+)>$/.exec(text) ?? []
  return { name: name.replace(/"/g, ''), address: address.trim() }
}

/** Somebody of the pool, by the given name in the message where it is one. */
function reader(dice: Dice, calledName: string | null): Person {
  const drawn = dice.pick(GIVEN_NAMES)
  const given = isGivenName(calledName) ? calledName : drawn
  const family = dice.pick(FAMILY_NAMES)
  const ascii = given
    .normalize('NFKD')
    .toLowerCase()
    .replace(/[^a-z]/g, '')
  const local = dice
    .draw(ADDRESS_FORMS)
    .replace('{given}', ascii === '' ? drawn.toLowerCase() : ascii)
    .replace('{family}', family.toLowerCase())
    .replace('{g}', (ascii === '' ? drawn : ascii).charAt(0).toLowerCase())
    .replace('{digits}', String(dice.integer(1, 99)))
  return { name: `${given} ${family}`, address: `${local}@${dice.draw(READER_HOSTS)}` }
}

/** What readers are called who are not known: no part of an address. */
const CALLED_ANYHOW =
  /^(?:all|customer|client|director|dear|driver|editor|everyone|friend|guest|homeowner|investor|madam|manager|member|neighbour|owner|parents?|recipient|reader|resident|shopper|sir|subscriber|taxpayer|team|user|valued|winner)$/i

function isGivenName(name: string | null): name is string {
  return name !== null && /^\p{Lu}\p{Ll}{2,10}$/u.test(name) && !CALLED_ANYHOW.test(name)
}

const DAYS = ['Sun', 'Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat']
const MONTHS = 'Jan Feb Mar Apr May Jun Jul Aug Sep Oct Nov Dec'.split(' ')

/** 'Mon, 6 Jan 2025 09:30:00 +0100', or with the day in two digits (RFC 5322 §3.3). */
export function dateText(date: Date, zoneMinutes: number, padded: boolean): string {
  const local = new Date(date.getTime() + zoneMinutes * MINUTE_MS)
  const two = (value: number) => String(value).padStart(2, '0')
  const day = padded ? two(local.getUTCDate()) : local.getUTCDate()
  const time = [local.getUTCHours(), local.getUTCMinutes(), local.getUTCSeconds()].map(two)
  const ahead = Math.abs(zoneMinutes)
  const zone = `${zoneMinutes < 0 ? '-' : '+'}${two(Math.floor(ahead / 60))}${two(ahead % 60)}`
  return `${DAYS[local.getUTCDay()]}, ${day} ${MONTHS[local.getUTCMonth()]} ${local.getUTCFullYear()} ${time.join(':')} ${zone}`
}

/**
 * Host names as mail really has them, for the written mail: names under the reserved top-level
 * domains (RFC 2606), which nearly all written spam has and no real mail, move to ordinary ones.
 *
 * They spread over top-level domains as those of real spam do, the same way for both labels. Names
 * that are ordinary already stay as they were written. The look-alikes of free-mail providers
 * ('gmail.example') become the providers.
 */

/**
 * Where domains seen in spam are registered, in percent: after the counts of Spamhaus (Domain
 * Reputation Update, 2023-2025) and SURBL by top-level domain, rounded. Half are in com; the new
 * cheap ones together have a quarter.
 */
const TOP_LEVELS = drawsOf<Shares<string>>('top levels')

/** The country's own domain, for a text in its language; English is everywhere. */
const LANGUAGE_TOP_LEVELS =
  drawsOf<Readonly<Record<string, readonly string[]>>>('top levels by language')

/** The share of names in a text of such a language that are in a domain of the country. */
const LANGUAGE_SHARE = 0.45

/** Stand-ins of free-mail providers, by the label before the reserved top-level domain. */
const FREE_MAIL = drawsOf<Readonly<Record<string, string>>>('free mail')

/** Lazy at the front, since a name may end in several of them. */
const RESERVED_HOST =
  /\b([a-z0-9](?:[a-z0-9.-]{0,200}?[a-z0-9])??)(?:\.(?:example|invalid|test))+(?:\.(?:com|org|net))?\b/gi

/** `message` with ordinary host names throughout; in another variant they are others. */
export function withOrdinaryHosts(message: WrittenMessage, variant: number): WrittenMessage {
  const move = hostMover(message, variant)
  return {
    ...message,
    from_name: move(message.from_name),
    from_addr: move(message.from_addr),
    reply_to: message.reply_to === null ? null : move(message.reply_to),
    to_name: message.to_name === null ? null : move(message.to_name),
    subject: move(message.subject),
    body: move(message.body),
  }
}

function hostMover(message: WrittenMessage, variant: number): (text: string) => string {
  const topLevelOf = (label: string) => topLevel(label, message.lang, variant)
  return (text) =>
    text.replace(RESERVED_HOST, (_, name: string) => {
      const label = name.slice(name.lastIndexOf('.') + 1).toLowerCase()
      return name === label && label in FREE_MAIL
        ? FREE_MAIL[label]!
        : `${name}.${topLevelOf(label)}`
    })
}

function topLevel(label: string, language: string, variant: number): string {
  const dice = new Dice('host', label, variant)
  const own = LANGUAGE_TOP_LEVELS[language]
  const isOwn = dice.chance(LANGUAGE_SHARE)
  return own !== undefined && isOwn ? dice.pick(own) : dice.draw(TOP_LEVELS)
}

const STRANGER_FIRST = drawsOf<readonly string[]>('stranger, first word')
const STRANGER_SECOND = drawsOf<readonly string[]>('stranger, second word')

/** A domain of somebody else: a small firm's whose server was broken into, or one taken for the purpose. */
export function strangerDomain(dice: Dice): string {
  const joint = dice.pick(['', '', '-'])
  return `${dice.pick(STRANGER_FIRST)}${joint}${dice.pick(STRANGER_SECOND)}.${dice.draw(TOP_LEVELS)}`
}
