/** Blocks -> the plain-text part, in the several ways in which mailing services and mail programs make it. */
import type { Token } from 'marked'
import type { Block } from './markdown.ts'

/** How links, emphasis and lists are written; 'Markdown' leaves them as they were typed. */
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
  switch (block.kind) {
    case 'heading': {
      const text = inlineText(block.inline, style)
      return style.capitals ? text.toUpperCase() : text
    }
    case 'paragraph':
    case 'small print':
      return inlineText(block.inline, style)
    case 'button':
      return linkText(inlineText(block.inline, style), block.href, style)
    case 'image':
      return block.alt
    case 'list':
      return block.items.map((item, at) => itemText(item, block.first, at, style)).join('\n')
    case 'table':
      return block.rows
        .map((row) => row.map((cell) => inlineText(cell, style)).join('   '))
        .join('\n')
    case 'quote':
      return plainText(block.blocks, style).replace(/^(>*)/gm, (marks) =>
        marks === '' ? '> ' : `>${marks}`,
      )
    case 'code':
      return block.text
    case 'rule':
      return '-'.repeat(40)
  }
}

function itemText(
  item: readonly Block[],
  first: number | undefined,
  at: number,
  style: PlainStyle,
): string {
  const mark = first === undefined ? style.bullet : `${first + at}.`
  return `${mark} ${item.map((block) => blockText(block, style)).join('\n')}`
}

function inlineText(inline: readonly Token[], style: PlainStyle): string {
  return inline.map((token) => tokenText(token, style)).join('')
}

function tokenText(token: Token, style: PlainStyle): string {
  switch (token.type) {
    case 'strong':
      return `${style.strong}${inlineText(token.tokens ?? [], style)}${style.strong}`
    case 'em':
    case 'del':
      return inlineText(token.tokens ?? [], style)
    case 'link':
      return token.raw.startsWith('[')
        ? linkText(inlineText(token.tokens ?? [], style), token.href, style)
        : token.text
    case 'image':
      return token.text
    case 'br':
      return '\n'
    case 'codespan':
      return token.text
    default:
      return 'tokens' in token && token.tokens !== undefined
        ? inlineText(token.tokens, style)
        : unescaped('text' in token ? token.text : token.raw)
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

/** `text` in lines of at most `width` characters, broken at spaces; quoted lines stay whole. */
export function wrapped(text: string, width: number, flowed: boolean): string {
  return text
    .split('\n')
    .map((line) => (line.startsWith('>') ? line : wrappedLine(line, width, flowed)))
    .join('\n')
}

/** Flowed lines (RFC 3676) keep the space before the break. */
function wrappedLine(line: string, width: number, flowed: boolean): string {
  const lines: string[] = []
  let rest = flowed && line !== '-- ' ? line.trimEnd() : line
  while (rest.length > width) {
    const space = rest.lastIndexOf(' ', width)
    const cut = space > 0 ? space : rest.indexOf(' ', width)
    if (cut < 0) break
    lines.push(rest.slice(0, cut))
    rest = rest.slice(cut + 1)
  }
  return [...lines, rest].join(flowed ? ' \n' : '\n')
}
