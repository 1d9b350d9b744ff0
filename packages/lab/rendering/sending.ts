/** What all senders of a letter fill their header patterns with, and the message put together from it. */
import { arrival } from './arrival.ts'
import type { Dice } from './dice.ts'
import {
  encodedText,
  type HeaderField,
  headerText,
  mailboxText,
  type WordEncoding,
} from './header.ts'
import { dateText, type Letter, type Person } from './letter.ts'
import type { Entity } from './mime.ts'
import { fill, fillRows, type Values } from './pattern.ts'
import { drawsOf } from './templates.ts'
import type { WrittenMessage } from './written-message.ts'

/** How the sending program spells names and text. */
export interface Spelling {
  readonly words: WordEncoding
  readonly charset: string
  readonly quoteNames: boolean
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

/** Values by name for the patterns of `mail-clients.ts` and `mailing-providers.ts`. */
export function valuesOf(
  message: WrittenMessage,
  letter: Letter,
  spelling: Spelling,
  dice: Dice,
): Values {
  const { from, fromHost, sendingHost: host, sendingDomain: domain, sentAt, zoneMinutes } = letter
  const spell = (person: Person) =>
    mailboxText(person.name, person.address, {
      encoding: spelling.words,
      charset: spelling.charset,
      quote: spelling.quoteNames,
    })
  const to = dice.chance(NAMED_READER_SHARE) ? letter.to : { ...letter.to, name: '' }
  const replyTo = letter.replyTo === undefined ? undefined : spell(letter.replyTo)
  const subject = encodedText(message.subject, spelling.words, spelling.charset)
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
