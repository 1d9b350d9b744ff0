/**
 * Markdown -> the blocks a page is laid out from. What a mailing would make a button (a line that
 * is one link) and small print (the last lines, with the way to unsubscribe or an address) are
 * blocks of their own.
 */
import { marked, type Token, type Tokens } from 'marked'
import { saysUnsubscribe } from './layout.ts'

export type Block =
  | { readonly kind: 'paragraph' | 'small print'; readonly inline: readonly Token[] }
  | { readonly kind: 'heading'; readonly depth: number; readonly inline: readonly Token[] }
  | { readonly kind: 'button'; readonly href: string; readonly inline: readonly Token[] }
  | { readonly kind: 'image'; readonly href: string; readonly alt: string }
  | {
      readonly kind: 'list'
      readonly first: number | undefined
      readonly items: readonly Block[][]
    }
  | { readonly kind: 'table'; readonly rows: readonly (readonly (readonly Token[])[])[] }
  | { readonly kind: 'quote'; readonly blocks: readonly Block[] }
  | { readonly kind: 'code'; readonly text: string }
  | { readonly kind: 'rule' }

/** Paragraphs at the end that can be small print. */
const SMALL_PRINT_PARAGRAPHS = 3

/** A copyright sign, a post code, or that the message is automatic. */
const SMALL_PRINT = /©|\(c\) ?20\d\d|\b[A-Z]{2} \d{5}\b|\b[A-Z]{1,2}\d{1,2}[A-Z]? \d[A-Z]{2}\b/

export function blocksOf(markdown: string): Block[] {
  const blocks = marked.lexer(markdown, { gfm: true, breaks: true }).flatMap(blockOf)
  return blocks.map((block, at) =>
    block.kind === 'paragraph' &&
    at >= blocks.length - SMALL_PRINT_PARAGRAPHS &&
    at > 0 &&
    isSmallPrint(block.inline)
      ? { ...block, kind: 'small print' }
      : block,
  )
}

function isSmallPrint(inline: readonly Token[]): boolean {
  const text = inline.map((token) => token.raw).join('')
  return saysUnsubscribe(text) || SMALL_PRINT.test(text)
}

function blockOf(token: Token): Block[] {
  switch (token.type) {
    case 'heading':
      return [{ kind: 'heading', depth: (token as Tokens.Heading).depth, inline: token.tokens! }]
    case 'list':
      return [listOf(token as Tokens.List)]
    case 'table':
      return [tableOf(token as Tokens.Table)]
    case 'blockquote':
      return [{ kind: 'quote', blocks: token.tokens!.flatMap(blockOf) }]
    case 'code':
      return [{ kind: 'code', text: (token as Tokens.Code).text }]
    case 'hr':
      return [{ kind: 'rule' }]
    case 'space':
    case 'def':
      return []
    default:
      return [paragraphOf(token)]
  }
}

function listOf(token: Tokens.List): Block {
  return {
    kind: 'list',
    first: token.ordered ? Number(token.start || 1) : undefined,
    items: token.items.map((item) => item.tokens.flatMap(blockOf)),
  }
}

function tableOf(token: Tokens.Table): Block {
  const rows = [token.header, ...token.rows]
  return { kind: 'table', rows: rows.map((row) => row.map((cell) => cell.tokens)) }
}

/** A paragraph, a button or a picture; text that is none of Markdown's stays text. */
function paragraphOf(token: Token): Block {
  const inline = 'tokens' in token && token.tokens !== undefined ? token.tokens : [token]
  const only = loneToken(inline)
  if (only?.type === 'link' && only.raw.startsWith('[')) {
    return { kind: 'button', href: only.href, inline: only.tokens! }
  }
  if (only?.type === 'image') return { kind: 'image', href: only.href, alt: only.text }
  return { kind: 'paragraph', inline }
}

/** The one token of a paragraph, out of its emphasis. */
function loneToken(inline: readonly Token[]): Tokens.Generic | undefined {
  const said = inline.filter((token) => token.raw.trim() !== '')
  const [only] = said
  if (said.length !== 1 || only === undefined) return undefined
  return only.type === 'strong' || only.type === 'em' ? loneToken(only.tokens ?? []) : only
}
