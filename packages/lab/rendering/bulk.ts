/** A notice or a campaign as a mailing provider sends it. */
import { isFreeMail } from '../../mail/signals/host-lists.ts'
import { BULK_MARKUP, bulkHtml, type Trimmings } from './bulk-html.ts'
import { type Dice, fill, type Shares, type Values } from './dice.ts'
import { formWithHidden, type PartedMessage, textEntities } from './hidden-part.ts'
import { type Layout, saysUnsubscribe } from './layout.ts'
import type { Letter } from './letter.ts'
import {
  type Block,
  blocksOf,
  escapeHtml,
  type PlainStyle,
  plainText,
  wrapped,
} from './markdown.ts'
import type { Entity } from './mime.ts'
import {
  drawsOf,
  type MailingProvider,
  type PartsForm,
  type Phrases,
  phrasesOf,
  readTemplate,
} from './programs.ts'
import { assembled, ownSignatureMissing, signature, valuesOf } from './sending.ts'

/** How often mail of a layout has what mailings may have, in [0, 1]. */
interface Habits {
  /** List-Unsubscribe; always where the text says how to unsubscribe, but for a rest. */
  readonly list: number
  readonly oneClick: number
  readonly tracked: number
  /** The share of the counted links that lead to a host of the sender. */
  readonly ownClickHost: number
  readonly logo: number
  readonly hero: number
  /** Pictures between the paragraphs, how many and how often. */
  readonly pictures: Shares<number>
  readonly preheader: number
  readonly viewInBrowser: number
  readonly social: number
  /** Tables and comments for Outlook around each row, how many deep and how often. */
  readonly frames: Shares<number>
  /** Rules of style that templates carry along, how many and how often. */
  readonly styleRules: Shares<number>
  /** Small print of the provider's where the text has none of its own. */
  readonly smallPrint: number
}

const HABITS: Readonly<Record<'campaign' | 'notice' | 'personal', Habits>> = JSON.parse(
  readTemplate('habits.json'),
)

/** Where mailings say they are sent from: streets that do not exist, in towns that do. */
const POSTAL_ADDRESSES = drawsOf<readonly string[]>('postal addresses')

/** How the plain-text part shows links: as the converters of the services do. */
const PLAIN_LINKS = drawsOf<Shares<string>>('plain links')

/** Signs of the relay's own, where there is no signature in the sender's name. */
const SERVICE_SIGNED_SHARE = 0.5

const PREHEADER_LENGTH = 110

/** Blanks behind the preview text, so that the mail program shows no more than it. */
const PREHEADER_PADDINGS = [
  '',
  '&nbsp;&zwnj;'.repeat(40),
  '&#847; &zwnj; &nbsp; '.repeat(60),
  '&#847;&zwnj;&nbsp;&#8199;&shy; '.repeat(90),
]

/** How a mailing goes out. */
export interface Sending {
  readonly provider: MailingProvider
  /** It is the platform's in whose name it is sent, which signs all that it sends. */
  readonly isPlatform: boolean
  readonly isPlain: boolean
}

/** One mailing, and what its patterns are filled with. */
interface Mailing extends Sending {
  readonly message: PartedMessage
  readonly letter: Letter
  readonly habits: Habits
  readonly values: Values
}

export function bulkMessage(
  message: PartedMessage,
  letter: Letter,
  layout: Extract<Layout, 'campaign' | 'notice' | 'personal'>,
  sending: Sending,
  dice: Dice,
): Uint8Array {
  const { provider, isPlain } = sending
  const service = provider.serviceSigner?.[0] ?? ''
  const values = { ...valuesOf(message, letter, provider, dice), service }
  const mailing = { ...sending, message, letter, habits: HABITS[layout], values }
  const all = {
    ...values,
    mgDomain: `mg.${letter.sendingDomain}`,
    hubspotRelay: dice.chance(0.5) ? 'hubspotemail.net' : `hubspotemail.${letter.sendingDomain}`,
    ...signaturesOf(mailing, dice.fork()),
    ...listValues(mailing, dice),
  }
  const drawn = isPlain ? 'plain' : dice.draw(provider.parts)
  const form = message.hidden === undefined ? drawn : formWithHidden(message.hidden, dice)
  const entity = bodyOf({ ...mailing, values: all }, form, dice)
  return assembled(provider.header, all, provider.relay, letter, entity, dice)
}

function signaturesOf({ message, letter, provider, isPlatform, values }: Mailing, dice: Dice) {
  const isMissing = dice.chance(isPlatform ? 0 : ownSignatureMissing(message))
  const isServiceSigned = dice.chance(SERVICE_SIGNED_SHARE)
  const signed = (domain: string, selector: string) =>
    signature(fill(domain, values, dice)!, fill(selector, values, dice)!, letter.sentAt, dice)
  const own = signed(letter.sendingDomain, provider.ownSelector)
  const service = provider.serviceSigner && signed(...provider.serviceSigner)
  const isOwn = !isMissing && !isFreeMail(letter.sendingDomain)
  return {
    ownSignature: isOwn ? own : undefined,
    serviceSignature: isServiceSigned || !isOwn ? service : undefined,
  }
}

function listValues({ message, provider, habits, values }: Mailing, dice: Dice): Values {
  const isList = dice.chance(
    saysUnsubscribe(message.body) ? Math.max(habits.list, HABITS.campaign.list) : habits.list,
  )
  const isOneClick = dice.chance(habits.oneClick)
  const listUrl = fill(provider.unsubscribe, values, dice)
  const listMail = fill(provider.unsubscribeMail, values, dice)
  if (!isList) return { listUrl: undefined, listMail: undefined, oneClick: undefined }
  return { listUrl, listMail, oneClick: isOneClick ? 'List-Unsubscribe=One-Click' : undefined }
}

function bodyOf(mailing: Mailing, form: PartsForm, dice: Dice): Entity {
  const { message, letter, provider } = mailing
  const blocks = blocksOf(message.body)
  const markupName = dice.draw(provider.markup)
  const trimmings = trimmingsOf(mailing, blocks, markupName, dice)
  return textEntities(form, message, letter.fromHost, provider.mime, dice, {
    plain: () => `${plainPart(blocks, trimmings, dice)}\n`,
    html: () => bulkHtml(blocks, BULK_MARKUP[markupName]!, trimmings, dice),
  })
}

function plainPart(blocks: readonly Block[], trimmings: Trimmings, dice: Dice): string {
  const style: PlainStyle = {
    link: dice.draw(PLAIN_LINKS),
    strong: dice.chance(0.25) ? '*' : '',
    bullet: dice.pick(['*', '-', '*', '•']),
    capitals: dice.chance(0.2),
    target: trimmings.target,
  }
  const footer = trimmings.footer.map(withoutTags)
  const text = [plainText(blocks, style), ...footer].join('\n\n')
  return dice.chance(0.4) ? wrapped(text, 76, false) : text
}

function withoutTags(html: string): string {
  return html
    .replace(/<a href="([^"]*)"[^>]*>(.*?)<\/a>/g, '$2 $1')
    .replace(/<[^>]*>/g, ' ')
    .replace(/&amp;/g, '&')
}

function trimmingsOf(
  mailing: Mailing,
  blocks: readonly Block[],
  markup: string,
  dice: Dice,
): Trimmings {
  const { message, letter, provider, habits, values } = mailing
  // Pages made by hand have nothing of a builder or a template.
  const isDesigned = markup !== 'bare' && markup !== 'simple'
  const click = clickPattern(mailing, dice)
  const clickHost = click && /^https:\/\/[^/]+/.exec(click)?.[0]
  const target = countedLinks(click, values, dice)
  const { pixel: pattern } = provider
  const pixel =
    pattern &&
    clickHost &&
    fill(pattern.startsWith('/') ? clickHost + pattern : pattern, values, dice)
  const phrases = phrasesOf(message.lang)
  const pictures = fill(provider.pictures, values, dice)!
  return {
    title: message.subject,
    lang: message.lang,
    senderName: letter.from.name,
    phrases,
    target,
    picture: (name) => `${pictures}/${name}`,
    pixel: pixel ? pixelHtml(pixel, dice) : '',
    home: `https://www.${isFreeMail(letter.fromDomain) ? 'facebook.com' : letter.fromDomain}/`,
    logo: dice.chance(habits.logo),
    hero: dice.chance(habits.hero),
    pictures: isDesigned ? dice.draw(habits.pictures) : 0,
    preheader: dice.chance(habits.preheader) ? preheaderOf(blocks, dice) : '',
    viewInBrowser: dice.chance(habits.viewInBrowser),
    social: dice.chance(habits.social),
    frames: isDesigned ? dice.draw(habits.frames) : 0,
    styleRules: isDesigned ? dice.draw(habits.styleRules) : 0,
    footer: footerOf(mailing, blocks, phrases, target, dice),
  }
}

function clickPattern({ letter, provider, habits }: Mailing, dice: Dice): string | undefined {
  const isTracked = dice.chance(habits.tracked)
  const isOwn = dice.chance(habits.ownClickHost) && !isFreeMail(letter.sendingDomain)
  if (!isTracked) return undefined
  return (isOwn ? provider.ownClick : provider.click) ?? provider.click ?? provider.ownClick
}

/** Each address gets one counted form, the same wherever it stands. */
function countedLinks(
  click: string | undefined,
  values: Values,
  dice: Dice,
): (href: string) => string {
  const counted = new Map<string, string>()
  return (href) => {
    if (click === undefined || !/^https?:/i.test(href)) return href
    const encoded = encodeURIComponent(href)
    const encodedHost = encodeURIComponent(href.replace(/^https?:\/\//i, ''))
    const made = counted.get(href) ?? fill(click, { ...values, encoded, encodedHost }, dice) ?? href
    counted.set(href, made)
    return made
  }
}

function pixelHtml(src: string, dice: Dice): string {
  const style = dice.pick([
    ' style="display:none"',
    ' border="0"',
    ' style="height:1px !important;width:1px !important;border-width:0 !important;"',
  ])
  return `<img src="${escapeHtml(src)}" alt="" width="1" height="1"${style}>\n`
}

/** The first words of the text, which the list of messages shows beside the subject. */
function preheaderOf(blocks: readonly Block[], dice: Dice): string {
  const style: PlainStyle = {
    link: '{text}',
    strong: '',
    bullet: '',
    capitals: false,
    target: (href) => href,
  }
  const text = plainText(blocks.slice(0, 3), style).replace(/\s+/g, ' ')
  const cut = text.length > PREHEADER_LENGTH ? `${text.slice(0, PREHEADER_LENGTH)}…` : text
  return escapeHtml(cut) + dice.pick(PREHEADER_PADDINGS)
}

/** Lines of small print, unless the text ends in some of its own. */
function footerOf(
  { message, letter, habits }: Mailing,
  blocks: readonly Block[],
  phrases: Phrases,
  target: (href: string) => string,
  dice: Dice,
): string[] {
  const year = letter.sentAt.getUTCFullYear()
  const name = escapeHtml(letter.from.name)
  const home = `https://${letter.fromHost}`
  const reason = escapeHtml(phrases.reason.replace('{address}', letter.to.address))
  const address = `${name}, ${dice.pick(POSTAL_ADDRESSES)}`
  const rights = `© ${year} ${name}. ${phrases.rights}`
  const link = (path: string, text: string) =>
    `<a href="${escapeHtml(target(`${home}/${path}`))}">${text}</a>`
  const lines = [
    ...(dice.chance(0.4) ? [reason] : []),
    ...(dice.chance(0.5) ? [rights] : []),
    ...(dice.chance(0.6) ? [address] : []),
    ...(dice.chance(0.25) ? [link('privacy', phrases.privacy)] : []),
  ]
  const isPrinted = dice.chance(habits.smallPrint)
  if (!isPrinted) return []
  const hasOwn = blocks.some((block) => block.type === 'smallPrint')
  return [
    ...(hasOwn ? [] : lines),
    ...(saysUnsubscribe(message.body) ? [] : [link('unsubscribe', phrases.unsubscribe)]),
  ]
}
