/**
 * Mailboxes of an address field: From, To, Reply-To … (RFC 5322 §3.4, obsolete forms §4.4,
 * internationalized RFC 6532).
 *
 * Honest and hostile senders alike break this grammar: brackets or quotes are left out or never
 * closed, names hold commas, '@' and whole addresses. The name that a mail program would show and the
 * address that a reply would go to are kept apart, and nothing is rejected. The field is read in one
 * pass without recursion, so that comments may nest to any depth.
 */
import { decodeHeaderText } from './encoded-words.ts'
import { ADDRESSES_MAX } from './limits.ts'

/** One mailbox of an address field. */
export interface Mailbox {
  /** The name, decoded, without quotes, white space folded; '' when there is none. */
  readonly displayName: string
  /** `localPart@domain`; '' when the field has no address to reply to. */
  readonly address: string
  /** As written, with its quotes. */
  readonly localPart: string
  /** In lower case, otherwise as written: Unicode or punycode; '' without '@'. */
  readonly domain: string
}

type TokenKind = 'text' | 'quoted' | 'comment' | 'angle' | 'comma' | 'colon' | 'semicolon'

/** A piece of the field up to `end`, with its delimiters. */
interface Token {
  readonly kind: TokenKind
  readonly raw: string
  readonly end: number
}

/** What has been read of one mailbox so far. */
interface Draft {
  /** Words outside brackets, quotes removed: the display name. */
  phrase: string
  /** The same words as written: a bare address is looked for here. */
  written: string
  comment: string
  angle: string | undefined
}

/** The position of the last closing character of each kind: nothing after it can open. */
interface Closers {
  quote: number
  comment: number
  readonly angle: number
}

/**
 * The mailboxes of an address field, in order, at most ADDRESSES_MAX. Members of a group are
 * given, its name is not; a colon that opens no list belongs to the display name.
 *
 * @param body the raw body, so that an encoded comma does not divide a name.
 */
export function parseAddresses(body: string): Mailbox[] {
  const mailboxes = readMailboxes(body)
  return mailboxes.flatMap((mailbox) => encodedAddress(mailbox) ?? mailbox).slice(0, ADDRESSES_MAX)
}

function readMailboxes(body: string): Mailbox[] {
  const mailboxes: Mailbox[] = []
  const closers = { quote: body.length, comment: body.length, angle: body.lastIndexOf('>') }
  let draft = newDraft()
  let group = ''
  const finish = () => {
    const mailbox = finished(draft, group)
    if (mailbox !== undefined) mailboxes.push(mailbox)
    draft = newDraft()
  }
  for (let at = 0; at < body.length && mailboxes.length < ADDRESSES_MAX; ) {
    const token = nextToken(body, at, closers)
    at = token.end
    if (token.kind === 'colon') {
      group = `${draft.phrase}:`
      draft = newDraft()
    } else if (token.kind === 'comma' || token.kind === 'semicolon') {
      group = ''
      finish()
    } else {
      if (token.kind === 'angle' && draft.angle !== undefined) finish()
      add(draft, token)
    }
  }
  if (mailboxes.length < ADDRESSES_MAX) finish()
  return mailboxes
}

function newDraft(): Draft {
  return { phrase: '', written: '', comment: '', angle: undefined }
}

function add(draft: Draft, { kind, raw }: Token): void {
  if (kind === 'angle') draft.angle = raw
  else if (kind === 'comment') draft.comment ||= unescaped(raw.slice(1, -1))
  else {
    draft.phrase += kind === 'quoted' ? unescaped(raw.slice(1, -1)) : raw
    draft.written += raw
  }
}

/** The token at `at`. A quote, comment or bracket that never closes is ordinary text. */
function nextToken(body: string, at: number, closers: Closers): Token {
  const character = body.charAt(at)
  if (character === ',') return { kind: 'comma', raw: ',', end: at + 1 }
  if (character === ';') return { kind: 'semicolon', raw: ';', end: at + 1 }
  if (character === ':') return { kind: 'colon', raw: ':', end: at + 1 }
  if (character === '"') return quotedToken(body, at, closers)
  if (character === '(') return commentToken(body, at, closers)
  if (character === '<') return angleToken(body, at, closers)
  return textToken(body, at, closers)
}

function textToken(body: string, at: number, closers: Closers): Token {
  let end = at + 1
  while (end < body.length && !opensToken(body.charCodeAt(end), end, closers)) end++
  return { kind: 'text', raw: body.slice(at, end), end }
}

/** One of , ; : < or a quote or parenthesis that closes again. */
function opensToken(code: number, at: number, closers: Closers): boolean {
  if (code === 0x22) return at < closers.quote
  if (code === 0x28) return at < closers.comment
  return code === 0x2c || code === 0x3b || code === 0x3a || code === 0x3c
}

function quotedToken(body: string, at: number, closers: Closers): Token {
  if (at >= closers.quote) return textToken(body, at, closers)
  for (let end = at + 1; end < body.length; end++) {
    const character = body.charAt(end)
    if (character === '\\') end++
    else if (character === '"')
      return { kind: 'quoted', raw: body.slice(at, end + 1), end: end + 1 }
  }
  closers.quote = at
  return textToken(body, at, closers)
}

function commentToken(body: string, at: number, closers: Closers): Token {
  if (at >= closers.comment) return textToken(body, at, closers)
  let depth = 0
  for (let end = at; end < body.length; end++) {
    const character = body.charAt(end)
    if (character === '\\') end++
    else if (character === '(') depth++
    else if (character === ')' && --depth === 0) {
      return { kind: 'comment', raw: body.slice(at, end + 1), end: end + 1 }
    }
  }
  closers.comment = at
  return textToken(body, at, closers)
}

/** The content of the brackets; without a closing one up to the next comma. */
function angleToken(body: string, at: number, closers: Closers): Token {
  if (at >= closers.angle) {
    const comma = body.indexOf(',', at)
    const open = comma < 0 ? body.length : comma
    return { kind: 'angle', raw: body.slice(at + 1, open), end: open }
  }
  const close = body.indexOf('>', at)
  let end = close + 1
  while (body.charAt(end) === '>') end++
  return { kind: 'angle', raw: body.slice(at + 1, close), end }
}

function finished(draft: Draft, group: string): Mailbox | undefined {
  const { angle } = draft
  if (angle === undefined && draft.written === '') return undefined
  const bare = angle === undefined ? bareAddress(draft.written) : undefined
  const phrase = angle === undefined && bare !== undefined ? bare.rest : draft.phrase
  const words = group === '' ? phrase : `${group}${phrase}`
  const address = (angle ?? bare?.address ?? '').trim()
  const displayName = shownName(words) || (address === '' ? '' : shownName(draft.comment))
  if (displayName === '' && address === '') return undefined
  return newMailbox(displayName, address)
}

function shownName(words: string): string {
  return decodeHeaderText(folded(words)).trim()
}

/** An address without brackets in `written`, and the words around it. */
function bareAddress(written: string): { address: string; rest: string } | undefined {
  const text = folded(written).replace(/ ?@ ?/g, '@')
  const sign = text.indexOf('@')
  if (sign < 0) return undefined
  const start = localPartStart(text, sign)
  const space = text.indexOf(' ', sign)
  const end = space < 0 ? text.length : space
  const rest = `${text.slice(0, start)} ${text.slice(end)}`.replaceAll('"', '')
  const address = text.slice(start, end)
  return { address: address.includes('"@') ? address : address.replaceAll('"', ''), rest }
}

function localPartStart(text: string, sign: number): number {
  if (text.charAt(sign - 1) === '"') return Math.max(0, text.lastIndexOf('"', sign - 2))
  return text.lastIndexOf(' ', sign) + 1
}

function newMailbox(displayName: string, written: string): Mailbox {
  const address = decodeHeaderText(withoutRoute(withoutPadding(written)))
  const sign = address.lastIndexOf('@')
  if (sign < 0) return { displayName, address, localPart: address, domain: '' }
  const localPart = address.slice(0, sign)
  const domain = address.slice(sign + 1).toLowerCase()
  return { displayName, address: `${localPart}@${domain}`, localPart, domain }
}

/** What nearly no address has: all that is removed of one. */
const PADDING = /[ \t\r\n<>:]/

/** Removes comments, and white space around dots and '@' (RFC 5322 §4.4); keeps other space. */
function withoutPadding(written: string): string {
  const trimmed = written.trim()
  if (trimmed.startsWith('"')) return trimmed
  const bare = trimmed.includes('(') ? withoutComments(trimmed) : trimmed
  if (!PADDING.test(bare)) return bare.trim()
  return bare
    .replace(/[ \t\r\n]+/g, ' ')
    .replace(/ ?([.@]) ?/g, '$1')
    .replace(/[<>]/g, '')
    .replace(/^mailto:/i, '')
    .trim()
}

function withoutComments(text: string): string {
  const closers = { quote: -1, comment: text.length, angle: -1 }
  const kept: string[] = []
  for (let at = 0; at < text.length; ) {
    const token = nextToken(text, at, closers)
    if (token.kind !== 'comment') kept.push(token.raw)
    at = token.end
  }
  return kept.join('')
}

/** The obsolete source route '@relay,@other:' before the address, RFC 5322 §4.4. */
function withoutRoute(address: string): string {
  return address.startsWith('@') ? address.slice(address.indexOf(':') + 1) : address
}

/** A whole mailbox inside one encoded word: '=?utf-8?Q?Ada_=3Cada@example.com=3E?='. */
function encodedAddress(mailbox: Mailbox): Mailbox[] | undefined {
  if (mailbox.address !== '' || !mailbox.displayName.includes('@')) return undefined
  const inner = readMailboxes(mailbox.displayName)
  return inner.some(({ address }) => address !== '') ? inner : undefined
}

function unescaped(content: string): string {
  return content.includes('\\') ? content.replace(/\\(.)/gs, '$1') : content
}

function folded(text: string): string {
  return (UNFOLDED.test(text) ? text.replace(/[ \t\r\n]+/g, ' ') : text).trim()
}

/** White space other than single spaces. */
const UNFOLDED = /[\t\r\n]| {2}/

/** True for a colon or semicolon outside quotes, comments and brackets: it opens or ends a group (RFC 5322 §3.4). */
export function hasGroup(addresses: string): boolean {
  let comments = 0
  let closer = ''
  for (let at = 0; at < addresses.length; at++) {
    const character = addresses.charAt(at)
    if (character === '\\') at++
    else if (closer !== '') closer = character === closer ? '' : closer
    else if (character === '(') comments++
    else if (comments > 0) comments -= character === ')' ? 1 : 0
    else if (character === '"') closer = '"'
    else if (character === '<') closer = '>'
    else if (character === ':' || character === ';') return true
  }
  return false
}
