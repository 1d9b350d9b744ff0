/**
 * Markdown -> the blocks a page is laid out from -> HTML, by the pieces of a template, or plain text, in the several ways in which
 * mailing services and mail programs make it. What a mailing would make a button (a line that is one link) and small print (the
 * last lines, with the way to unsubscribe or an address) are blocks of their own.
 */
import { marked, type Token, type Tokens } from 'marked'
import { saysUnsubscribe } from './layout.ts'

/** A token of Markdown; the types `button` and `smallPrint` are ours. */
export type Block = Tokens.Generic

/** Paragraphs at the end that can be small print. */
const SMALL_PRINT_PARAGRAPHS = 3

/** A copyright sign, a post code, or that the message is automatic. */
const SMALL_PRINT = /©|\(c\) ?20\d\d|\b[A-Z]{2} \d{5}\b|\b[A-Z]{1,2}\d{1,2}[A-Z]? \d[A-Z]{2}\b/

export function blocksOf(markdown: string): Block[] {
  const blocks = blocksIn(marked.lexer(markdown, { gfm: true, breaks: true }))
  return blocks.map((block, at) => {
    const mayBe = block.type === 'paragraph' && at >= blocks.length - SMALL_PRINT_PARAGRAPHS
    return mayBe && at > 0 && isSmallPrint(block.tokens!) ? { ...block, type: 'smallPrint' } : block
  })
}

function isSmallPrint(inline: readonly Token[]): boolean {
  const text = inline.map((token) => token.raw).join('')
  return saysUnsubscribe(text) || SMALL_PRINT.test(text)
}

const OWN_BLOCKS = ['heading', 'list', 'table', 'blockquote', 'code', 'hr']

function blocksIn(tokens: readonly Token[] = []): Block[] {
  return tokens
    .filter(({ type }) => type !== 'space' && type !== 'def')
    .map((token) => (OWN_BLOCKS.includes(token.type) ? token : paragraphOf(token)))
}

/** A paragraph, a button or a picture; text that is none of Markdown's stays text. */
function paragraphOf(token: Block): Block {
  const tokens = token.tokens ?? [token]
  const only = loneToken(tokens)
  if (only?.type === 'link' && only.raw.startsWith('[')) return { ...only, type: 'button' }
  return only?.type === 'image' ? only : { type: 'paragraph', raw: token.raw, tokens }
}

/** The one token of a paragraph, out of its emphasis. */
function loneToken(inline: readonly Token[]): Block | undefined {
  const [only, other] = inline.filter((token) => token.raw.trim() !== '')
  if (only === undefined || other !== undefined) return undefined
  return only.type === 'strong' || only.type === 'em' ? loneToken(only.tokens ?? []) : only
}

/** Pieces of markup with places: {{text}}, and what else of the block stands in it. */
export interface BlockMarkup {
  readonly paragraph: string
  readonly smallPrint: string
  /** Holds {{depth}} where it has levels. */
  readonly heading: string
  /** Holds {{href}}. */
  readonly button: string
  /** Holds {{src}} and {{alt}}, and {{width}} where it has one. */
  readonly image: string
  readonly list: string
  readonly rule: string
  /** Attributes of a table of items, and of its cells. */
  readonly table: string
  readonly cell: string
}

export interface InlineStyle {
  /** Attributes of a link beside its address: ' style="color:#0b57d0"'. */
  readonly linkAttributes: string
  /** What an address is to become: itself, or the one by which clicks are counted. */
  readonly target: (href: string) => string
  /** The tags of emphasis: 'strong' or 'b'. */
  readonly strongTag: 'strong' | 'b'
}

/** Pixels of pictures of their own, and in running text. */
const IMAGE_WIDTH = '300'
const INLINE_IMAGE_WIDTH = '200'

export function blockHtml(
  block: Block,
  markup: BlockMarkup,
  inline: InlineStyle,
  quoteHtml: (blocks: readonly Block[]) => string,
): string {
  const of = (tokens: readonly Token[] = []) => inlineHtml(tokens, inline)
  switch (block.type) {
    case 'heading':
      return filled(markup.heading, {
        text: of(block.tokens),
        depth: String(Math.min(block['depth'], 4)),
      })
    case 'button': {
      const href = escapeHtml(inline.target(block['href']))
      return filled(markup.button, { href, text: of(block.tokens) })
    }
    case 'image': {
      const [src, alt] = [escapeHtml(block['href']), escapeHtml(block['text'])]
      return filled(markup.image, { src, alt, width: IMAGE_WIDTH })
    }
    case 'list': {
      // Text in an item has no paragraph of its own.
      const partHtml = (part: Block) =>
        part.type === 'paragraph' ? of(part.tokens) : blockHtml(part, markup, inline, quoteHtml)
      const { ordered, start, items } = block as Tokens.List
      const lines = items.map(
        ({ tokens }) => `<li>${blocksIn(tokens).map(partHtml).join('<br>')}</li>`,
      )
      const first = Number(start || 1) === 1 ? '' : ` start="${start}"`
      const [open, close] = ordered ? [`<ol${first}>`, '</ol>'] : ['<ul>', '</ul>']
      return filled(markup.list, { text: `${open}\n${lines.join('\n')}\n${close}` })
    }
    case 'table': {
      const rows = cellsOf(block).map(
        (row) => `<tr>${row.map((cell) => `<td${markup.cell}>${of(cell)}</td>`).join('')}</tr>`,
      )
      return `<table${markup.table}>\n${rows.join('\n')}\n</table>`
    }
    case 'blockquote':
      return quoteHtml(blocksIn(block.tokens))
    case 'code':
      return `<pre>${escapeHtml(block['text'])}</pre>`
    case 'hr':
      return markup.rule
    default:
      return filled(markup[block.type as 'paragraph' | 'smallPrint'], { text: of(block.tokens) })
  }
}

function cellsOf(block: Block): Token[][][] {
  const { header, rows } = block as Tokens.Table
  return [header, ...rows].map((row) => row.map(({ tokens }) => tokens))
}

/** Places without a value stay, for a later filling. */
export function filled(pattern: string, values: Readonly<Record<string, string>>): string {
  return pattern.replace(/\{\{(\w+)\}\}/g, (place, name: string) => values[name] ?? place)
}

function inlineHtml(inline: readonly Token[], style: InlineStyle): string {
  return inline.map((token) => tokenHtml(token, style)).join('')
}

function tokenHtml(token: Block, style: InlineStyle): string {
  const inner = () => inlineHtml(token.tokens ?? [], style)
  switch (token.type) {
    case 'strong':
      return `<${style.strongTag}>${inner()}</${style.strongTag}>`
    case 'em':
      return style.strongTag === 'b' ? `<i>${inner()}</i>` : `<em>${inner()}</em>`
    case 'del':
      return `<s>${inner()}</s>`
    case 'link':
      return `<a href="${escapeHtml(style.target(token['href']))}"${style.linkAttributes}>${inner()}</a>`
    case 'image':
      return `<img src="${escapeHtml(token['href'])}" alt="${escapeHtml(token['text'])}" width="${INLINE_IMAGE_WIDTH}">`
    case 'br':
      return '<br>'
    case 'codespan':
      return `<code>${escapeHtml(token['text'])}</code>`
    default:
      if (token.tokens !== undefined) return inner()
      return escapeHtml(token['text'] ?? token.raw).replace(/\n/g, '<br>')
  }
}

/** Entities that stand in `text` already stay. */
export function escapeHtml(text: string): string {
  return text
    .replace(/&(?!(?:amp|lt|gt|quot|#\d{1,6});)/g, '&amp;')
    .replace(/</g, '&lt;')
    .replace(/>/g, '&gt;')
    .replace(/"/g, '&quot;')
}

/** How links, emphasis and lists are written in plain text. */
export interface PlainStyle {
  /** Holds {text} and {href}. */
  readonly link: string
  readonly strong: string
  readonly bullet: string
  /** Headings in capitals, as converters from HTML have it. */
  readonly capitals: boolean
  /** What an address is to become: itself, or the one by which clicks are counted. */
  readonly target: (href: string) => string
}

export function plainText(blocks: readonly Block[], style: PlainStyle): string {
  return blocks.map((block) => blockText(block, style)).join('\n\n')
}

function blockText(block: Block, style: PlainStyle): string {
  const of = (tokens: readonly Token[] = []) => inlineText(tokens, style)
  switch (block.type) {
    case 'heading':
      return style.capitals ? of(block.tokens).toUpperCase() : of(block.tokens)
    case 'button':
      return linkText(of(block.tokens), block['href'], style)
    case 'image':
    case 'code':
      return block['text']
    case 'list': {
      const { ordered, start, items } = block as Tokens.List
      const mark = (at: number) => (ordered ? `${Number(start || 1) + at}.` : style.bullet)
      const textOf = (part: Block) => blockText(part, style)
      return items
        .map(({ tokens }, at) => `${mark(at)} ${blocksIn(tokens).map(textOf).join('\n')}`)
        .join('\n')
    }
    case 'table':
      return cellsOf(block)
        .map((row) => row.map(of).join('   '))
        .join('\n')
    case 'blockquote':
      return plainText(blocksIn(block.tokens), style).replace(/^(>*)/gm, (marks) =>
        marks === '' ? '> ' : `>${marks}`,
      )
    case 'hr':
      return '-'.repeat(40)
    default:
      return of(block.tokens)
  }
}

function inlineText(inline: readonly Token[], style: PlainStyle): string {
  return inline.map((token) => tokenText(token, style)).join('')
}

function tokenText(token: Block, style: PlainStyle): string {
  const inner = () => inlineText(token.tokens ?? [], style)
  switch (token.type) {
    case 'strong':
      return `${style.strong}${inner()}${style.strong}`
    case 'link':
      return token.raw.startsWith('[') ? linkText(inner(), token['href'], style) : token['text']
    case 'image':
    case 'codespan':
      return token['text']
    case 'br':
      return '\n'
    default:
      return token.tokens === undefined ? unescaped(token['text'] ?? token.raw) : inner()
  }
}

function linkText(text: string, href: string, style: PlainStyle): string {
  const target = style.target(href)
  const named = text === href ? target : text
  return style.link.replace('{text}', () => named).replace('{href}', () => target)
}

/** The lexer leaves some text as HTML would have it. */
function unescaped(text: string): string {
  return text
    .replace(/&lt;/g, '<')
    .replace(/&gt;/g, '>')
    .replace(/&quot;/g, '"')
    .replace(/&#39;/g, "'")
    .replace(/&amp;/g, '&')
}

/** `text` in lines of at most `width` characters, broken at spaces; quoted lines stay whole. Flowed lines (RFC 3676) keep the space. */
export function wrapped(text: string, width: number, flowed: boolean): string {
  return text
    .split('\n')
    .map((line) => {
      const rest = flowed && line !== '-- ' ? line.trimEnd() : line
      if (line.startsWith('>')) return line
      return brokenAtSpaces(rest, width).join(flowed ? ' \n' : '\n')
    })
    .join('\n')
}

/** `line` in pieces of at most `width` characters where it has spaces, which fall away. */
function brokenAtSpaces(line: string, width: number): string[] {
  const lines: string[] = []
  let rest = line
  while (rest.length > width) {
    const space = rest.lastIndexOf(' ', width)
    const cut = space > 0 ? space : rest.indexOf(' ', width)
    if (cut < 0) break
    lines.push(rest.slice(0, cut))
    rest = rest.slice(cut + 1)
  }
  return [...lines, rest]
}
