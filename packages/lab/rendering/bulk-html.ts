/**
 * Blocks -> the HTML page of a mailing: header picture, the text laid out in tables, buttons, small
 * print, hidden preview text, and the pixel that counts opened messages.
 */

import type { Dice, Shares } from './dice.ts'
import type { Block } from './markdown.ts'
import { type BlockMarkup, blockHtml, escapeHtml, filled, type InlineStyle } from './markdown.ts'
import { drawsOf, type Phrases, readMarkups } from './programs.ts'

/** What stands around the text of this one message. */
export interface Trimmings {
  readonly title: string
  readonly lang: string
  readonly senderName: string
  readonly phrases: Phrases
  /** Counted or plain form of a link, and of a picture's address. */
  readonly target: (href: string) => string
  readonly picture: (name: string) => string
  readonly pixel: string
  readonly home: string
  readonly logo: boolean
  readonly hero: boolean
  /** Pictures between the paragraphs: of goods, of places, for ornament. */
  readonly pictures: number
  /** Tables and comments for Outlook around each row. */
  readonly frames: number
  /** Rules of style that no element of the page has. */
  readonly styleRules: number
  readonly preheader: string
  readonly viewInBrowser: boolean
  readonly social: boolean
  /** Lines of small print below the text's own, as HTML. */
  readonly footer: readonly string[]
}

/** Page, text and accent colours, and fonts: what senders choose from most. */
const PAGES = drawsOf<Shares<string>>('page colours')
const INKS = drawsOf<readonly string[]>('text colours')
const ACCENTS = drawsOf<readonly string[]>('accent colours')
const FONTS = drawsOf<readonly string[]>('fonts')

/** Pixels: a mark at the top, a picture over the whole page, a sign of a social network. */
const LOGO_WIDTHS = [120, 150, 180, 200, 240]
const HERO_WIDTHS = [560, 600, 640]
const SOCIAL_WIDTH = 24
const PICTURE_WIDTHS = [140, 180, 270, 280, 300, 560]

const NETWORKS = ['Facebook', 'Instagram', 'X', 'YouTube', 'LinkedIn', 'TikTok', 'Pinterest']

export function bulkHtml(
  blocks: readonly Block[],
  markup: BulkMarkup,
  trimmings: Trimmings,
  dice: Dice,
): string {
  const look: Record<string, string> = {
    page: dice.draw(PAGES),
    ink: dice.pick(INKS),
    accent: dice.pick(ACCENTS),
    font: dice.pick(FONTS),
  }
  const styled = withLook(markup, look)
  const rows = pageRows(blocks, styled, trimmings, dice)
  const page = filled(styled.document, {
    lang: trimmings.lang,
    title: escapeHtml(trimmings.title),
    preheader: trimmings.preheader,
    pixel: trimmings.pixel,
    rows: rows
      .map((content) => filled(styled.row, { content: framed(content, trimmings) }))
      .join(''),
  })
  return page.replace('</style>', () => `${styleSheet(trimmings.styleRules, dice)}</style>`)
}

/** `content` in the tables that keep columns in place, with those that Outlook alone reads. */
function framed(content: string, { frames }: Trimmings): string {
  const open = `<!--[if (gte mso 9)|(IE)]><table width="600" align="center" cellpadding="0" cellspacing="0" border="0"><tr><td align="left" valign="top"><![endif]--><table role="presentation" width="100%" cellpadding="0" cellspacing="0" border="0" style="border-collapse:collapse;mso-table-lspace:0pt;mso-table-rspace:0pt;table-layout:fixed;"><tbody><tr><td align="left" valign="top" style="padding:0px 0px 0px 0px;line-height:22px;text-align:inherit;">`
  const close = '</td></tr></tbody></table><!--[if (gte mso 9)|(IE)]></td></tr></table><![endif]-->'
  return `${open.repeat(frames)}${content}${close.repeat(frames)}`
}

/** Rules for columns and telephones as builders carry them along. */
function styleSheet(rules: number, dice: Dice): string {
  return Array.from({ length: rules }, (_, at) => {
    const width = dice.integer(10, 100)
    const side = dice.pick(['padding', 'margin', 'font-size', 'line-height', 'width', 'max-width'])
    return `.${dice.pick(['col', 'column', 'u-row', 'es-m-p', 'gmail-fix', 'r'])}-${at}{width:${width}%;min-width:${width}%;${side}:${width}px !important}\n`
  }).join('')
}

function withLook(markup: BulkMarkup, look: Readonly<Record<string, string>>): BulkMarkup {
  const entries = Object.entries(markup).map(([key, text]) => [key, filled(text, look)])
  return Object.fromEntries(entries) as unknown as BulkMarkup
}

function pageRows(
  blocks: readonly Block[],
  markup: BulkMarkup,
  trimmings: Trimmings,
  dice: Dice,
): string[] {
  const rows: string[] = []
  if (trimmings.viewInBrowser) {
    const text = link(trimmings.target(trimmings.home), trimmings.phrases.viewInBrowser, markup)
    rows.push(filled(markup.smallPrint, { text }))
  }
  // A picture at the top of the text is the sender's mark already.
  if (trimmings.logo && blocks[0]?.type !== 'image') {
    rows.push(pictureHtml(trimmings, 'logo.png', dice.pick(LOGO_WIDTHS), markup))
  }
  if (trimmings.hero) rows.push(pictureHtml(trimmings, 'hero.jpg', dice.pick(HERO_WIDTHS), markup))
  const { linkAttributes } = markup
  const inline: InlineStyle = { linkAttributes, target: trimmings.target, strongTag: 'strong' }
  const pieces = { ...markup, list: markup.paragraph }
  const quoteHtml = (quoted: readonly Block[]) =>
    `<blockquote>${quoted.map(html).join('\n')}</blockquote>`
  const html = (block: Block): string => blockHtml(block, pieces, inline, quoteHtml)
  const texts = blocks.map(html)
  rows.push(...withPictures(texts, markup, trimmings, dice))
  if (trimmings.social) rows.push(socialHtml(trimmings, markup, dice))
  rows.push(...trimmings.footer.map((text) => filled(markup.smallPrint, { text })))
  return rows
}

/** The pictures spread over the gaps behind `rows`, several to a gap where they are many. */
function withPictures(
  rows: readonly string[],
  markup: BulkMarkup,
  trimmings: Trimmings,
  dice: Dice,
): string[] {
  const all = [...rows]
  for (let made = 0; made < trimmings.pictures; made += 1) {
    const html = pictureHtml(trimmings, `image_${made + 1}.jpg`, dice.pick(PICTURE_WIDTHS), markup)
    all.splice(dice.integer(1, all.length), 0, html)
  }
  return all
}

function pictureHtml(
  { target, home, picture, senderName }: Trimmings,
  name: string,
  width: number,
  markup: BulkMarkup,
): string {
  const image = filled(markup.image, {
    src: picture(name),
    alt: escapeHtml(/^logo|[13579]\.jpg$/.test(name) ? senderName : ''),
    width: String(width),
  })
  const page = name.startsWith('image_') ? `${home}${name.replace(/\D/g, '')}` : home
  return `<a href="${escapeHtml(target(page))}" target="_blank">${image}</a>`
}

function socialHtml(trimmings: Trimmings, markup: BulkMarkup, dice: Dice): string {
  const first = dice.integer(0, 3)
  return NETWORKS.slice(first, first + dice.integer(2, 4))
    .map((network) => {
      const icon = network.toLowerCase()
      const image = `<img src="${trimmings.picture(`${icon}.png`)}" alt="${network}" width="${SOCIAL_WIDTH}" height="${SOCIAL_WIDTH}">`
      return link(trimmings.target(`https://www.${icon}.com/${slugOf(trimmings)}`), image, markup)
    })
    .join('&nbsp; ')
}

function slugOf({ home }: Trimmings): string {
  return new URL(home).hostname.split('.').at(-2) ?? ''
}

function link(href: string, html: string, markup: BulkMarkup): string {
  return `<a href="${escapeHtml(href)}"${markup.linkAttributes}>${html}</a>`
}

/**
 * The page templates of mailings: the markup that the builders of mailing services and the
 * templates of web frameworks put around a text. After their open-source or published forms
 * (MJML, Postmark's transactional templates, the classic Mailchimp and Salesforce skeletons). They stand
 * in packages/lab/data/rendering/bulk-markup.
 *
 * {{…}} are places for colours, fonts and content; `row` goes around every block.
 */

export interface BulkMarkup extends Omit<BlockMarkup, 'list'> {
  /** Holds {{lang}} {{title}} {{preheader}} {{rows}} {{pixel}}. */
  readonly document: string
  readonly row: string
  readonly linkAttributes: string
}

export const BULK_MARKUP: Readonly<Record<string, BulkMarkup>> = readMarkups('bulk-markup')
