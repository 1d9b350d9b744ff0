/** Blocks of a text -> HTML, by the pieces of a template: those of a mail program or of a mailing. */
import { escapeHtml, type InlineStyle, inlineHtml } from './inline-html.ts'
import type { Block } from './markdown.ts'

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

const IMAGE_WIDTH = 300

export function blockHtml(
  block: Block,
  markup: BlockMarkup,
  inline: InlineStyle,
  quoteHtml: (blocks: readonly Block[]) => string,
): string {
  const text = 'inline' in block ? inlineHtml(block.inline, inline) : ''
  switch (block.kind) {
    case 'paragraph':
      return filled(markup.paragraph, { text })
    case 'small print':
      return filled(markup.smallPrint, { text })
    case 'heading':
      return filled(markup.heading, { text, depth: String(Math.min(block.depth, 4)) })
    case 'button':
      return filled(markup.button, { href: escapeHtml(inline.target(block.href)), text })
    case 'image':
      return filled(markup.image, {
        src: escapeHtml(block.href),
        alt: escapeHtml(block.alt),
        width: String(IMAGE_WIDTH),
      })
    case 'list': {
      // Text in an item has no paragraph of its own.
      const partHtml = (part: Block) =>
        part.kind === 'paragraph'
          ? inlineHtml(part.inline, inline)
          : blockHtml(part, markup, inline, quoteHtml)
      const items = block.items.map((item) => `<li>${item.map(partHtml).join('<br>')}</li>`)
      return filled(markup.list, { text: listHtml(items, block.first) })
    }
    case 'table': {
      const cellHtml = (cell: (typeof block.rows)[number][number]) =>
        `<td${markup.cell}>${inlineHtml(cell, inline)}</td>`
      const rows = block.rows.map((row) => `<tr>${row.map(cellHtml).join('')}</tr>`)
      return `<table${markup.table}>\n${rows.join('\n')}\n</table>`
    }
    case 'quote':
      return quoteHtml(block.blocks)
    case 'code':
      return `<pre>${escapeHtml(block.text)}</pre>`
    case 'rule':
      return markup.rule
  }
}

function listHtml(items: readonly string[], first: number | undefined): string {
  if (first === undefined) return `<ul>\n${items.join('\n')}\n</ul>`
  return `<ol${first === 1 ? '' : ` start="${first}"`}>\n${items.join('\n')}\n</ol>`
}

/** Places without a value stay, for a later filling. */
export function filled(pattern: string, values: Readonly<Record<string, string>>): string {
  return pattern.replace(/\{\{(\w+)\}\}/g, (place, name: string) => values[name] ?? place)
}
