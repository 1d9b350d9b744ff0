/**
 * Cards and reports, which are Markdown, as elements. Markup in them stays text, and only links to
 * the web are links: nothing is fetched but the plots that come with the console.
 */
import { lexer, type Token, type Tokens } from 'marked'
import type { ComponentChildren } from 'preact'
import { Table } from './parts.tsx'

/** The address of a picture that a document names; undefined where there is none. */
export type Pictures = (name: string) => string | undefined

interface MarkdownProps {
  readonly source: string
  readonly pictures?: Pictures
  /** Level of the document's own title. */
  readonly level?: number
}

export function Markdown({ source, pictures = () => undefined, level = 3 }: MarkdownProps) {
  return <div class="markdown">{blocks(lexer(source), { pictures, level })}</div>
}

interface Context {
  readonly pictures: Pictures
  readonly level: number
}

function blocks(tokens: readonly Token[], context: Context): ComponentChildren[] {
  return tokens.map((token, i) => <Block key={i} token={token} context={context} />)
}

function Block({ token, context }: { token: Token; context: Context }) {
  const inner = () => inline((token as { tokens?: Token[] }).tokens ?? [], context)
  switch (token.type) {
    case 'space':
    case 'def':
      return null
    case 'hr':
      return <hr />
    case 'heading':
      return (
        <Heading level={(token as Tokens.Heading).depth + context.level - 1}>{inner()}</Heading>
      )
    case 'paragraph':
      return <p>{inner()}</p>
    case 'code':
      return (
        // biome-ignore lint/a11y/noNoninteractiveTabindex: what can be scrolled must be within reach of the keyboard
        <pre tabIndex={0}>
          <code>{token.text}</code>
        </pre>
      )
    case 'blockquote':
      return <blockquote>{blocks((token as Tokens.Blockquote).tokens, context)}</blockquote>
    case 'list':
      return (
        <ul>
          {(token as Tokens.List).items.map((item, i) => (
            <li key={i}>{blocks(item.tokens, context)}</li>
          ))}
        </ul>
      )
    case 'table':
      return <DocumentTable table={token as Tokens.Table} context={context} />
    case 'text':
      return <>{'tokens' in token ? inner() : token.raw}</>
    default:
      return <p>{token.raw}</p>
  }
}

function Heading({ level, children }: { level: number; children: ComponentChildren }) {
  if (level <= 2) return <h2>{children}</h2>
  return level === 3 ? <h3>{children}</h3> : <h4>{children}</h4>
}

function DocumentTable({ table, context }: { table: Tokens.Table; context: Context }) {
  return (
    <Table label="Table">
      <thead>
        <tr>
          {table.header.map((cell, i) => (
            <th key={i} scope="col" class={cell.align ?? ''}>
              {inline(cell.tokens, context)}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {table.rows.map((row, i) => (
          <tr key={i}>
            {row.map((cell, j) => (
              <td key={j} class={cell.align ?? ''}>
                {inline(cell.tokens, context)}
              </td>
            ))}
          </tr>
        ))}
      </tbody>
    </Table>
  )
}

function inline(tokens: readonly Token[], context: Context): ComponentChildren[] {
  return tokens.map((token, i) => <Inline key={i} token={token} context={context} />)
}

function Inline({ token, context }: { token: Token; context: Context }) {
  const inner = () => inline((token as { tokens?: Token[] }).tokens ?? [], context)
  switch (token.type) {
    case 'strong':
      return <strong>{inner()}</strong>
    case 'em':
      return <em>{inner()}</em>
    case 'codespan':
      return <code>{token.text}</code>
    case 'br':
      return <br />
    case 'escape':
      return <>{token.text}</>
    case 'link':
      return <WebLink href={(token as Tokens.Link).href}>{inner()}</WebLink>
    case 'image':
      return <Picture {...(token as Tokens.Image)} pictures={context.pictures} />
    case 'text':
      return <>{'tokens' in token && token.tokens ? inner() : unescaped(token.text)}</>
    default:
      return <>{token.raw}</>
  }
}

function WebLink({ href, children }: { href: string; children: ComponentChildren }) {
  if (!/^https?:\/\//i.test(href)) return <span class="reference">{children}</span>
  return (
    <a href={href} rel="noreferrer noopener" target="_blank">
      {children}
    </a>
  )
}

function Picture({ href, text, pictures }: { href: string; text: string; pictures: Pictures }) {
  const address = pictures(href)
  if (address === undefined) return <em>{text}</em>
  return <img src={address} alt={text} loading="lazy" />
}

const ENTITIES: Readonly<Record<string, string>> = {
  '&amp;': '&',
  '&lt;': '<',
  '&gt;': '>',
  '&quot;': '"',
  '&#39;': "'",
}

/** What marked has written for HTML. */
function unescaped(text: string): string {
  return text.replace(/&(?:amp|lt|gt|quot|#39);/g, (entity) => ENTITIES[entity] ?? entity)
}
