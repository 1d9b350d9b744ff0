/** What all senders of a letter fill their header patterns with, and the message put together from it. */
import { type Dice, fill, fillRows, type Shares, type Values } from './dice.ts'
import {
  encodedText,
  type HeaderField,
  headerText,
  mailboxText,
  type WordEncoding,
} from './header.ts'
import { labelOf, OWN_SIGNATURE_MISSING } from './layout.ts'
import { dateText, type Letter, type Person } from './letter.ts'
import type { Entity } from './mime.ts'
import { drawsOf } from './programs.ts'
import type { WrittenMessage } from './written-message.ts'

/** How the sending program spells names and text. */
interface Spelling {
  readonly words: WordEncoding
  readonly mime: { readonly charset: string }
  readonly quoteNames?: boolean
}

/** Readers are addressed by name in this share of mail, from any sender. */
const NAMED_READER_SHARE = 0.25

/** Names of machines and of hosts made for counting clicks, and for the public. */
const HOST_LABELS = drawsOf<readonly string[]>('host labels')
const SERVER_LABELS = drawsOf<readonly string[]>('server labels')
const CLICK_LABELS = drawsOf<readonly string[]>('click labels')

/** Households' lines, as their providers name them; and addresses behind the router. */
const LINES = drawsOf<readonly string[]>('lines')

const LOCALES = drawsOf<Readonly<Record<string, string>>>('locales')

/** Values by name for the patterns of programs. */
export function valuesOf(
  message: WrittenMessage,
  letter: Letter,
  { words, mime, quoteNames = false }: Spelling,
  dice: Dice,
): Values {
  const { from, fromHost, sendingHost: host, sendingDomain: domain, sentAt, zoneMinutes } = letter
  const charset = mime.charset.replace(/"/g, '')
  const spell = ({ name, address }: Person) =>
    mailboxText(name, address, { encoding: words, charset, quote: quoteNames })
  const to = dice.chance(NAMED_READER_SHARE) ? letter.to : { ...letter.to, name: '' }
  const replyTo = letter.replyTo === undefined ? undefined : spell(letter.replyTo)
  const subject = encodedText(message.subject, words, charset)
  const slug = domain.slice(0, domain.indexOf('.')).replace(/[^a-z0-9]/g, '')
  return {
    host,
    domain,
    slug,
    dashed: domain.replace(/\./g, '-'),
    tenant: slug,
    www: dice.pick(['www', 'www', 'app', 'my']),
    hostLabel: dice.pick(HOST_LABELS),
    serverLabel: dice.pick(SERVER_LABELS),
    clickLabel: dice.pick(CLICK_LABELS),
    line: fill(dice.pick(LINES), {}, dice),
    homeAddress: dice
      .pick(['192.168.1.{d}', '192.168.0.{d}', '10.0.0.{d}'])
      .replace('{d}', String(dice.integer(2, 250))),
    ip: publicAddress(dice),
    rcpt: letter.to.address,
    from: spell(from),
    fromAddress: from.address,
    fromHost: message.forged === true ? host : fromHost,
    to: spell(to),
    cc: letter.cc.length === 0 ? undefined : letter.cc.map(spell).join(', '),
    replyTo,
    replyToOrFrom: replyTo ?? answerAddress(spell(from), fromHost, dice),
    subject,
    topic: subject.replace(/^(?:(?:re|fwd?|aw|wg|sv|rv|tr)\s*:\s*)+/i, ''),
    date: dateText(sentAt, zoneMinutes, false),
    datePadded: dateText(sentAt, -360, true),
    dateUtc: dateText(sentAt, 0, true),
    epochMs: String(sentAt.getTime()),
    stamp: sentAt.toISOString().slice(0, 19).replace(/\D/g, ''),
    dotted: sentAt.toISOString().slice(0, 10).replace(/-/g, '.'),
    locale: LOCALES[message.lang] ?? 'en-US',
  }
}

/**
 * Reply-To of a mailing that names none of its own: what is in From in a third of the promotions and
 * spam of the corpora, a mailbox beside it in a fifth, none in the rest.
 */
function answerAddress(from: string, host: string, dice: Dice): string | undefined {
  return dice.draw<string | undefined>([
    [from, 35],
    [`${dice.pick(['reply', 'info', 'hello', 'support'])}@${host}`, 20],
    [undefined, 45],
  ])
}

/** Four numbers that are in no reserved range. */
function publicAddress(dice: Dice): string {
  const first = dice.pick([45, 52, 54, 66, 74, 81, 93, 104, 149, 159, 167, 185, 198, 209])
  return [first, dice.integer(20, 250), dice.integer(0, 250), dice.integer(1, 250)].join('.')
}

/** Where mailings that cannot be delivered go back to. */
const BOUNCE_ADDRESS = 'bounce-{digits:8}@{relay}'

/** Header and body as octets, with what the reader's server puts on top: Return-Path and Received. */
export function assembled(
  rows: string,
  values: Values,
  relay: string,
  letter: Letter,
  entity: Entity,
  dice: Dice,
): Uint8Array {
  const relayName = fill(relay, values, dice) ?? 'unknown'
  const all: Values = {
    ...values,
    relay: relayName,
    contentType: entity.type,
    transferEncoding: entity.encoding,
    attached: entity.type.startsWith('multipart/mixed') ? 'yes' : undefined,
  }
  const ip = values.ip!
  const received = arrival(
    { relay: relayName, ip, rcpt: letter.to.address, sentAt: letter.sentAt },
    dice,
  )
  const returnPath = values.returnPath ?? fill(BOUNCE_ADDRESS, all, dice)!
  const fields = fillRows(rows, all, dice).map(fieldOf)
  const text = `${headerText([['Return-Path', `<${returnPath}>`], ['Received', received], ...fields])}\r\n${entity.body}`
  // Bodies are one character an octet; header fields are ASCII.
  return Buffer.from(text, 'latin1')
}

function fieldOf(row: string): HeaderField {
  const colon = row.indexOf(':')
  return [row.slice(0, colon), row.slice(colon + 1).trim()]
}

/**
 * The last hop: the Received field that the reader's server puts on top. One spread of servers for
 * all mail; nothing else of the receiving side is there but Return-Path.
 */

/** How servers word the field (RFC 5321 §4.4). */
const WORDINGS = drawsOf<Shares<string>>('received')

const SERVERS = drawsOf<readonly string[]>('receiving servers')

/** Seconds between the sender's clock and the last hop. */
const TRANSIT_SECONDS = [1, 2, 3, 4, 6, 9, 15, 40, 130]

const SECOND_MS = 1000

/** The body of the Received field for a message from `relay` to `rcpt`. */
export function arrival(
  { relay, ip, rcpt, sentAt }: { relay: string; ip: string; rcpt: string; sentAt: Date },
  dice: Dice,
): string {
  const at = new Date(sentAt.getTime() + dice.pick(TRANSIT_SECONDS) * SECOND_MS)
  const domain = rcpt.slice(rcpt.indexOf('@') + 1)
  const server = fill(dice.pick(SERVERS), { domain }, dice)
  const dotted = at.toISOString().slice(0, 10).replace(/-/g, '.')
  const zoneMinutes = dice.pick([0, -480, -300, 60, 120])
  const date = dateText(at, zoneMinutes, dice.chance(0.5))
  return fill(dice.draw(WORDINGS), { relay, ip, rcpt, server, dotted, date }, dice)!
}

/**
 * DKIM-Signature fields (RFC 6376 §3.5) in the name of the sender, of the service, or of neither.
 * They are filled with random characters: nothing in training verifies them. Who forges an address
 * cannot sign for it.
 */

/** Of mail with a forged From, what is signed in the name of whoever sends it: it is not aligned. */
const FORGED_SIGNED_SHARE = 0.35

/** The probability that there is no signature in the sender's name. */
export function ownSignatureMissing({ spam, forged }: WrittenMessage): number {
  return forged === true ? 1 - FORGED_SIGNED_SHARE : OWN_SIGNATURE_MISSING[labelOf(spam)]
}

/** Fields that signers cover, one habit each. */
const SIGNED_FIELDS = drawsOf<readonly string[]>('signed fields')

const CANONICALISATIONS = ['relaxed/relaxed', 'relaxed/relaxed', 'relaxed/simple']

/** A third of signers say until when the signature holds. Seven days is usual. */
const EXPIRY_SHARE = 0.3
const EXPIRY_SECONDS = 7 * 24 * 3600

/** The body of a DKIM-Signature field for `domain`. */
export function signature(domain: string, selector: string, sentAt: Date, dice: Dice): string {
  const epoch = Math.floor(sentAt.getTime() / 1000)
  const times = dice.chance(EXPIRY_SHARE) ? ` t=${epoch}; x=${epoch + EXPIRY_SECONDS};` : ''
  const tags = `v=1; a=rsa-sha256; c=${dice.pick(CANONICALISATIONS)}; d=${domain}; s=${selector};${times}`
  const signed = `h=${dice.pick(SIGNED_FIELDS)}; bh={base64:43}=;`
  const value = 'b={base64:66} {base64:72} {base64:72} {base64:72} {base64:58}=='
  return fill(`${tags} ${signed} ${value}`, {}, dice)!
}
