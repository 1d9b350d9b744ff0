/** A letter as the mail program of a person sends it. */
import { isFreeMail } from '../../mail/signals/host-lists.ts'
import { type Dice, fill, type Shares, type Values } from './dice.ts'
import { mailboxText } from './header.ts'
import { formWithHidden, type PartedMessage, textEntities } from './hidden-part.ts'
import { FREE_MAIL_SENT_ELSEWHERE, labelOf, UNDISCLOSED_SHARE } from './layout.ts'
import type { Letter } from './letter.ts'
import { wrapped } from './markdown.ts'
import { type Entity, fileEntity, type MimeHabit, multipart, textEntity } from './mime.ts'
import { PERSONAL_MARKUP, personalHtml } from './personal-html.ts'
import {
  drawsOf,
  MAIL_CLIENTS,
  MAILBOX_SYSTEMS,
  type MailboxSystem,
  type MailClient,
  type PartsForm,
  phrasesOf,
  readTemplate,
  systemOfHost,
} from './programs.ts'
import { assembled, ownSignatureMissing, signature, valuesOf } from './sending.ts'
import type { WrittenMessage } from './written-message.ts'

/** Owners of a telephone who leave the line that it puts under a message. */
const DEVICE_LINE_SHARE = 0.45

/** Unsigned rather than signed by the carrier, where the sender's own signature is missing. */
const UNSIGNED_SHARE = 0.5

/** Machines through which hosts send for the domains they keep. */
const HOSTED_RELAYS = drawsOf<Shares<string>>('hosted relays')

export function personalMessage(
  message: PartedMessage,
  letter: Letter,
  dice: Dice,
  only?: 'plain',
): Uint8Array {
  const system = MAILBOX_SYSTEMS[systemOf(message, letter, dice)]!
  const client = MAIL_CLIENTS[dice.draw(system.clients)]!
  const values: Values = {
    ...valuesOf(message, letter, client, dice),
    ...threadOf(message, dice),
  }
  const isUndisclosed = dice.chance(UNDISCLOSED_SHARE[labelOf(message.spam)])
  const hostedRelay = fill(dice.draw(HOSTED_RELAYS), values, dice)
  const all = {
    ...values,
    ...(isUndisclosed ? { to: 'undisclosed-recipients:;', cc: undefined } : {}),
    hostedRelay,
    returnPath: message.forged === true ? `www-data@${letter.sendingHost}` : letter.from.address,
    signature: signatureOf(message, letter, system, values, dice.fork()),
  }
  const body = withDeviceLine(message, client, dice)
  const drawn = only ?? dice.draw(client.parts)
  const form = message.hidden === undefined ? drawn : formWithHidden(message.hidden, dice)
  const text = textOf(message, body, letter, client, form, dice)
  const files = attachmentsOf(message, dice)
  const entity = files.length === 0 ? text : multipart('mixed', [text, ...files], client.mime, dice)
  return assembled(
    `${system.transit.trim()}\n${client.header.trim()}`,
    all,
    system.relay,
    letter,
    entity,
    dice,
  )
}

function systemOf({ spam, forged }: WrittenMessage, letter: Letter, dice: Dice): string {
  const { fromHost, fromDomain } = letter
  const own = systemOfHost(fromHost)
  const elsewhere = dice.chance(FREE_MAIL_SENT_ELSEWHERE[labelOf(spam)])
  const drawn = dice.draw(drawsOf<Shares<string>>('own domain systems'))
  if (forged === true) return 'hosted'
  if (own !== undefined) return elsewhere ? 'hosted' : own
  return isFreeMail(fromDomain) ? 'hosted' : drawn
}

/** In the sender's name, or in the carrier's, or none. */
function signatureOf(
  message: WrittenMessage,
  letter: Letter,
  system: MailboxSystem,
  values: Values,
  dice: Dice,
): string | undefined {
  const isMissing = dice.chance(ownSignatureMissing(message))
  const isUnsigned = dice.chance(UNSIGNED_SHARE)
  const isElsewhere = system.signer === '{domain}' && isForeign(letter, system)
  const pattern = isMissing || isElsewhere ? system.defaultSigner : system.signer
  if (pattern === undefined || (isMissing && isUnsigned)) return undefined
  return signature(fill(pattern, values, dice)!, system.selector, letter.sentAt, dice)
}

/** The provider's own machines alone can sign for a free-mail domain. */
function isForeign({ sendingHost }: Letter, system: MailboxSystem): boolean {
  const own = systemOfHost(sendingHost)
  return own !== undefined && MAILBOX_SYSTEMS[own] !== system
}

/** What an answer refers to, where the subject or a quotation says that it is one. */
function threadOf({ subject, body }: WrittenMessage, dice: Dice): Values {
  const isReply = /^(?:re|aw|sv|antw|odp|res|rif|回复|ynt)\s*:/i.test(subject) || /^>/m.test(body)
  if (!isReply) return {}
  const parent = fill('<{base62:24}@{host}>', { host: dice.pick(PARENT_HOSTS) }, dice)!
  const root = fill('<{base62:20}@{host}>', { host: dice.pick(PARENT_HOSTS) }, dice)!
  return { inReplyTo: parent, references: dice.chance(0.5) ? parent : `${root} ${parent}` }
}

const PARENT_HOSTS = ['mail.gmail.com', 'icloud.com', 'mail.yahoo.com', 'eurprd03.prod.outlook.com']

function withDeviceLine({ body, lang }: WrittenMessage, client: MailClient, dice: Dice): string {
  const isKept = dice.chance(DEVICE_LINE_SHARE)
  if (
    client.device === undefined ||
    !isKept ||
    /^(?:sent|envoy|gesendet|von meinem)/im.test(body)
  ) {
    return body
  }
  const line = phrasesOf(lang).sentFrom.replace('{device}', client.device)
  const quote = body.search(/^(?:.*\n)?\n?>/m)
  if (quote < 0) return `${body.trimEnd()}\n\n${line}`
  return `${body.slice(0, quote).trimEnd()}\n\n${line}\n\n${body.slice(quote)}`
}

function textOf(
  message: PartedMessage,
  body: string,
  { fromHost }: Letter,
  { wrapAt, flowed = false, mime, markup }: MailClient,
  form: PartsForm,
  dice: Dice,
): Entity {
  const typed = typedText(body)
  const parameters = flowed ? '; format=flowed' : ''
  const texts = {
    plain: () => `${wrapAt === undefined ? typed : wrapped(typed, wrapAt, flowed)}\n`,
    html: () =>
      personalHtml(body, PERSONAL_MARKUP[markup]!, { lang: message.lang, charset: mime.charset }),
  }
  return textEntities(form, message, fromHost, mime, dice, texts, parameters)
}

/** Markdown as somebody types it: marks of emphasis fall away, addresses stand behind their words. */
export function typedText(markdown: string): string {
  return markdown
    .replace(/!\[([^\]]*)\]\([^)]*\)/g, '$1')
    .replace(/\[([^\]]*)\]\(([^)\s]*)\)/g, (_, text: string, href: string) =>
      text === href ? href : `${text} <${href}>`,
    )
    .replace(/\*\*|~~/g, '')
    .replace(/^#{1,4} /gm, '')
}

const MENTION =
  /\battach(?:ed|ment)|im anhang|angehängt|beigefügt|adjunt|anexo|em anexo|pièce jointe|ci-joint|allegat|bijlage|załącz|вложени|прикреп|bifog/i

/** The share with an attachment among the messages that mention one; the others forgot it. */
const ATTACHED_SHARE = 0.7

interface FileKind {
  readonly type: string
  readonly extension: string
  /** The octets by which files of the type begin. */
  readonly magic: string
}

const FILE_KINDS = drawsOf<Shares<FileKind>>('files')

const NAMES = ['document', 'scan', 'IMG', 'invoice', 'notes', 'draft', 'form', 'report', 'plan']

/** Small, since size is what an attachment could least be told by. */
const OCTETS_MIN = 1_000
const OCTETS_MAX = 6_000

export function attachmentsOf({ body }: WrittenMessage, dice: Dice): Entity[] {
  if (!MENTION.test(body) || !dice.chance(ATTACHED_SHARE)) return []
  const kind = dice.draw(FILE_KINDS)
  const name = `${dice.pick(NAMES)}_${dice.integer(1, 9999)}.${kind.extension}`
  const filling = dice.characters(
    '0123456789abcdefghijklmnopqrstuvwxyz\n',
    dice.integer(OCTETS_MIN, OCTETS_MAX),
  )
  return [fileEntity(kind.type, name, Buffer.from(kind.magic + filling, 'latin1'))]
}

const PLAIN_MIME: MimeHabit = {
  boundary: '{HEX:10}.{digits:10}/{hostLabel}',
  charset: '"utf-8"',
  narrowCharsets: true,
  plainEncoding: '8bit',
  htmlEncoding: '8bit',
}

const SPELLING = { words: 'Q', mime: PLAIN_MIME } as const

/** Mailman 2 in front of whatever the author sent. */
const LIST_HEADER = readTemplate('list-header.txt')

const BOUNCE_HEADER = readTemplate('bounce-header.txt')

/** Bounces that come as a report (RFC 3464), as those of all but the oldest systems do. */
const REPORT_SHARE = 0.7

/** Posts that name the list in To, as Mailman leaves them; the others name the reader. */
const TO_LIST_SHARE = 0.7

/** Announcements, which nobody answers, that come from the list's own address. */
const FROM_LIST_SHARE = 0.3

export function listMessage(message: WrittenMessage, letter: Letter, dice: Dice): Uint8Array {
  const usual = valuesOf(message, letter, SPELLING, dice)
  const isReply = /^re:/i.test(message.subject)
  const references = isReply
    ? `<${dice.characters('abcdef0123456789', 24)}@${letter.fromHost}>`
    : undefined
  const address = `${usual.slug}@lists.${usual.domain}`
  const isFromList = dice.chance(FROM_LIST_SHARE) && !isReply
  const spelling = { encoding: 'Q', charset: 'utf-8', quote: false } as const
  const values = {
    ...usual,
    references,
    to: dice.chance(TO_LIST_SHARE) ? address : usual.to,
    from: isFromList ? mailboxText(letter.from.name, address, spelling) : usual.from,
  }
  const entity = textEntity('plain', `${typedText(message.body)}\n`, PLAIN_MIME)
  return assembled(LIST_HEADER, values, 'lists.{domain}', letter, entity, dice)
}

export function bounceMessage(message: WrittenMessage, letter: Letter, dice: Dice): Uint8Array {
  const values = valuesOf(message, letter, SPELLING, dice)
  const text = textEntity('plain', `${typedText(message.body)}\n`, PLAIN_MIME)
  const mime = { ...PLAIN_MIME, boundary: '{HEX:10}.{digits:10}/mail' }
  const entity = dice.chance(REPORT_SHARE)
    ? multipart('report', [text, statusOf(letter)], mime, dice, ' report-type=delivery-status;')
    : text
  return assembled(
    BOUNCE_HEADER,
    { ...values, returnPath: '' },
    'mail.{domain}',
    letter,
    entity,
    dice,
  )
}

function statusOf(letter: Letter) {
  const body = `Reporting-MTA: dns; mail.${letter.fromDomain}\r\n\r\nFinal-Recipient: rfc822; reader@${letter.fromDomain}\r\nAction: failed\r\nStatus: 5.1.1\r\n`
  return { type: 'message/delivery-status', encoding: undefined, otherFields: [], body }
}
