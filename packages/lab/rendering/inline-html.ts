/** The inline part of Markdown as HTML. */
import type { Token } from 'marked'

export interface InlineStyle {
  /** Attributes of a link beside its address: ' style="color:#0b57d0"'. */
  readonly linkAttributes: string
  /** What an address is to become: itself, or the one by which clicks are counted. */
  readonly target: (href: string) => string
  /** The tags of emphasis: 'strong' or 'b'. */
  readonly strongTag: 'strong' | 'b'
}

/** Pictures in running text; shown no wider than this many pixels. */
const IMAGE_WIDTH = 200

export function inlineHtml(inline: readonly Token[], style: InlineStyle): string {
  return inline.map((token) => tokenHtml(token, style)).join('')
}

function tokenHtml(token: Token, style: InlineStyle): string {
  const inner = () => inlineHtml(('tokens' in token && token.tokens) || [], style)
  switch (token.type) {
    case 'strong':
      return `<${style.strongTag}>${inner()}</${style.strongTag}>`
    case 'em':
      return style.strongTag === 'b' ? `<i>${inner()}</i>` : `<em>${inner()}</em>`
    case 'del':
      return `<s>${inner()}</s>`
    case 'link':
      return `<a href="${escapeHtml(style.target(token.href))}"${style.linkAttributes}>${inner()}</a>`
    case 'image':
      return `<img src="${escapeHtml(token.href)}" alt="${escapeHtml(token.text)}" width="${IMAGE_WIDTH}">`
    case 'br':
      return '<br>'
    case 'codespan':
      return `<code>${escapeHtml(token.text)}</code>`
    default:
      return 'tokens' in token && token.tokens !== undefined
        ? inner()
        : escapeHtml('text' in token ? token.text : token.raw).replace(/\n/g, '<br>')
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
