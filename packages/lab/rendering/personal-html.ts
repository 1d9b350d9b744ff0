/**
 * HTML as mail programs write it when a person types: each has its own skeleton, its own way to
 * set paragraphs and its own frame around what is quoted. After messages of these programs in
 * their versions of 2023 to 2025. They stand in packages/lab/data/rendering/personal-markup.
 */
import { escapeHtml, type InlineStyle, inlineHtml } from './inline-html.ts'
import { type Block, blocksOf } from './markdown.ts'
import { readMarkups } from './templates.ts'

/** A program's markup. {{body}} is what was typed, {{text}} a paragraph of it. */
export interface PersonalMarkup {
  readonly document: string
  readonly paragraph: string
  /** Between two paragraphs. */
  readonly gap: string
  /** Around the line above a quotation ('On … wrote:'). */
  readonly attribution: string
  readonly quote: string
  readonly strongTag: 'strong' | 'b'
}

export const PERSONAL_MARKUP: Readonly<Record<string, PersonalMarkup>> =
  readMarkups('personal-markup')

/** The HTML part of a letter. */
export function personalHtml(
  markdown: string,
  markup: PersonalMarkup,
  { lang, charset }: { lang: string; charset: string },
): string {
  const inline: InlineStyle = {
    linkAttributes: '',
    target: (href) => href,
    source: (src) => src,
    strongTag: markup.strongTag,
  }
  const body = blocksHtml(blocksOf(markdown), markup, inline)
  return markup.document
    .replace('{{lang}}', lang)
    .replace('{{charset}}', charset.replace(/"/g, ''))
    .replace('{{body}}', () => body)
}

function blocksHtml(blocks: readonly Block[], markup: PersonalMarkup, inline: InlineStyle): string {
  return blocks
    .map((block, at) => {
      const html = blockHtml(block, blocks[at + 1]?.kind === 'quote', markup, inline)
      return at === 0 || block.kind === 'quote' ? html : markup.gap + html
    })
    .join('')
}

function blockHtml(
  block: Block,
  isAboveQuote: boolean,
  markup: PersonalMarkup,
  inline: InlineStyle,
): string {
  const within = (pattern: string, text: string) => pattern.replace('{{text}}', () => text)
  switch (block.kind) {
    case 'paragraph':
    case 'small print': {
      const pattern = isAboveQuote ? markup.attribution : markup.paragraph
      return within(pattern, inlineHtml(block.inline, inline))
    }
    case 'heading':
      return within(markup.paragraph, `<b>${inlineHtml(block.inline, inline)}</b>`)
    case 'button':
      return within(
        markup.paragraph,
        `<a href="${escapeHtml(block.href)}">${inlineHtml(block.inline, inline)}</a>`,
      )
    case 'image':
      return within(
        markup.paragraph,
        `<img src="${escapeHtml(block.href)}" alt="${escapeHtml(block.alt)}">`,
      )
    case 'list':
      return listHtml(block.items, block.first, (item) =>
        item.map((part) => looseHtml(part, markup, inline)).join('<br>'),
      )
    case 'table':
      return tableHtml(
        block.rows.map((row) => row.map((cell) => inlineHtml(cell, inline))),
        ' border="1" cellspacing="0" cellpadding="4"',
        '',
      )
    case 'quote':
      return within(markup.quote, blocksHtml(block.blocks, markup, inline))
    case 'code':
      return `<pre>${escapeHtml(block.text)}</pre>`
    case 'rule':
      return '<hr>'
  }
}

/** A block inside a list item, where text has no paragraph of its own. */
function looseHtml(block: Block, markup: PersonalMarkup, inline: InlineStyle): string {
  return block.kind === 'paragraph'
    ? inlineHtml(block.inline, inline)
    : blockHtml(block, false, markup, inline)
}

export function listHtml(
  items: readonly (readonly Block[])[],
  first: number | undefined,
  itemHtml: (item: readonly Block[]) => string,
): string {
  const rows = items.map((item) => `<li>${itemHtml(item)}</li>`).join('\n')
  if (first === undefined) return `<ul>\n${rows}\n</ul>`
  return `<ol${first === 1 ? '' : ` start="${first}"`}>\n${rows}\n</ol>`
}

export function tableHtml(
  rows: readonly (readonly string[])[],
  attributes: string,
  cellAttributes: string,
): string {
  const lines = rows.map(
    (row) => `<tr>${row.map((cell) => `<td${cellAttributes}>${cell}</td>`).join('')}</tr>`,
  )
  return `<table${attributes}>\n${lines.join('\n')}\n</table>`
}
