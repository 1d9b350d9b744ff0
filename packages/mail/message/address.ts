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
  /** In lower case without the dot of the root, otherwise as written: Unicode or punycode; '' without '@'. */
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
    for (const mailbox of finished(draft, group)) mailboxes.push(mailbox)
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

function finished(draft: Draft, group: string): Mailbox[] {
  const { angle } = draft
  if (angle === undefined && draft.written === '') return []
  const bare = angle === undefined ? bareAddresses(draft.written) : undefined
  const phrase = bare === undefined ? draft.phrase : bare.rest
  const words = group === '' ? phrase : `${group}${phrase}`
  const [address = '', ...others] = bare?.addresses ?? [(angle ?? '').trim()]
  const displayName = shownName(words) || (address === '' ? '' : shownName(draft.comment))
  if (displayName === '' && address === '') return []
  return [newMailbox(displayName, address), ...others.map((other) => newMailbox('', other))]
}

function shownName(words: string): string {
  return decodeHeaderText(folded(words)).trim()
}

/** The addresses without brackets in `written`, and the words around them; undefined without an address. */
function bareAddresses(written: string): { addresses: string[]; rest: string } | undefined {
  const text = folded(written).replace(/ ?@ ?/g, '@').replace(/ \. ?/g, '.')
  const addresses: string[] = []
  const words: string[] = []
  let read = 0
  for (let sign = text.indexOf('@'); sign >= 0; sign = text.indexOf('@', read)) {
    const start = Math.max(read, localPartStart(text, sign))
    const end = hostEnd(text, sign)
    const address = text.slice(start, end)
    addresses.push(address.includes('"@') ? address : address.replaceAll('"', ''))
    words.push(text.slice(read, start))
    read = end
    if (addresses.length >= ADDRESSES_MAX) break
  }
  if (addresses.length === 0) return undefined
  return { addresses, rest: `${words.join(' ')} ${text.slice(read)}`.replaceAll('"', '') }
}

/** Where the host after the '@' at `sign` ends; 'example. com' goes on after its blank (RFC 5322 §4.4). */
function hostEnd(text: string, sign: number): number {
  const space = text.indexOf(' ', sign)
  if (space < 0) return text.length
  const host = text.slice(sign + 1, space)
  if (host.indexOf('.') !== host.length - 1) return space
  const next = text.indexOf(' ', space + 1)
  return next < 0 ? text.length : next
}

function localPartStart(text: string, sign: number): number {
  if (text.charAt(sign - 1) === '"') return Math.max(0, text.lastIndexOf('"', sign - 2))
  return text.lastIndexOf(' ', sign) + 1
}

function newMailbox(displayName: string, written: string): Mailbox {
  const address = withPlainSigns(decodeHeaderText(withoutRoute(withoutPadding(written))))
  const sign = address.lastIndexOf('@')
  if (sign < 0) return { displayName, address, localPart: address, domain: '' }
  const localPart = address.slice(0, sign)
  const domain = withoutRoot(address.slice(sign + 1).toLowerCase())
  return { displayName, address: `${localPart}@${domain}`, localPart, domain }
}

/** `text` with the '@' of other writing systems as a plain one: people read them alike. */
function withPlainSigns(text: string): string {
  return text.replace(/[\uff20\ufe6b]/g, '@')
}

/** `domain` without control characters, and without dots at its end: 'example.com.' is example.com (RFC 1034 §3.1). */
function withoutRoot(domain: string): string {
  const shown = domain.replace(/[\0-\x1f\x7f]/g, '')
  let end = shown.length
  while (end > 0 && shown.charAt(end - 1) === '.') end--
  return shown.slice(0, end)
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
  if (mailbox.address !== '') return undefined
  const shown = withPlainSigns(mailbox.displayName)
  if (!shown.includes('@')) return undefined
  const inner = readMailboxes(shown)
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

/** The first group in `addresses` (RFC 5322 §3.4). */
export interface Group {
  /** The words before its colon, decoded; '' when an address stands before it. */
  readonly name: string
  /** False where no semicolon follows: then the colon may be one of a display name. */
  readonly isClosed: boolean
}

/** The first group in `addresses`: a colon outside quotes, comments and brackets. Undefined when there is none. */
export function groupIn(addresses: string): Group | undefined {
  const end = addresses.length
  const closers = { quote: end, comment: end, angle: addresses.lastIndexOf('>') }
  const draft = newDraft()
  let name: string | undefined
  let isFirst = true
  for (let at = 0; at < end; ) {
    const token = nextToken(addresses, at, closers)
    if (token.kind === 'semicolon' && name !== undefined) return { name, isClosed: true }
    if (token.kind === 'colon') name ??= isFirst ? shownName(draft.phrase) : ''
    else if (token.kind === 'text' || token.kind === 'quoted') add(draft, token)
    else if (token.kind !== 'comment') isFirst = false
    at = token.end
  }
  return name === undefined ? undefined : { name, isClosed: false }
}
