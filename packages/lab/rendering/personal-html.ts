/**
 * HTML as mail programs write it when a person types: each has its own skeleton, its own way to
 * set paragraphs and its own frame around what is quoted. After messages of these programs in
 * their versions of 2023 to 2025. They stand in packages/lab/data/rendering/personal-markup.
 */

import type { InlineStyle } from './markdown.ts'
import { type Block, type BlockMarkup, blockHtml, blocksOf, filled } from './markdown.ts'
import { readMarkups } from './programs.ts'

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
    strongTag: markup.strongTag,
  }
  const body = blocksHtml(blocksOf(markdown), markup, inline)
  return filled(markup.document, { lang, charset: charset.replace(/"/g, ''), body })
}

function blocksHtml(blocks: readonly Block[], markup: PersonalMarkup, inline: InlineStyle): string {
  const quoteHtml = (quoted: readonly Block[]) =>
    filled(markup.quote, { text: blocksHtml(quoted, markup, inline) })
  return blocks
    .map((block, at) => {
      const isAboveQuote = blocks[at + 1]?.type === 'blockquote'
      const html = blockHtml(block, typedMarkup(markup, isAboveQuote), inline, quoteHtml)
      return at === 0 || block.type === 'blockquote' ? html : markup.gap + html
    })
    .join('')
}

/** What a program makes of blocks that a person who types seldom has. */
function typedMarkup(
  { paragraph, attribution }: PersonalMarkup,
  isAboveQuote: boolean,
): BlockMarkup {
  const inParagraph = (text: string) => filled(paragraph, { text })
  const text = isAboveQuote ? attribution : paragraph
  return {
    paragraph: text,
    smallPrint: text,
    heading: inParagraph('<b>{{text}}</b>'),
    button: inParagraph('<a href="{{href}}">{{text}}</a>'),
    image: inParagraph('<img src="{{src}}" alt="{{alt}}">'),
    list: '{{text}}',
    rule: '<hr>',
    table: ' border="1" cellspacing="0" cellpadding="4"',
    cell: '',
  }
}
