/**
 * The message as all later stages see it: header fields, a tree of parts, the text that a
 * reader would see, and what is odd about how it was put together.
 *
 * Terms are those of RFC 5322 (header field: name and body) and RFC 2045 (part, media type,
 * transfer encoding). Nothing here refers to bytes that a later stage would have to keep: a
 * Message can outlive the buffer it was read from.
 */
import type { HtmlDocument } from './html.ts'

/** A header field, RFC 5322 §2.2. */
export interface HeaderField {
  /** Lower-cased: 'content-type'. */
  readonly name: string
  /** As the sender spelled it: 'Content-type'. */
  readonly spelledName: string
  /** Unfolded, trimmed, not decoded; each byte is one code unit (Latin-1). */
  readonly rawBody: string
  /** `rawBody` with encoded words (RFC 2047) and raw 8-bit text (RFC 6532) decoded. */
  readonly body: string
  /** The charset of raw text in `rawBody` where that is neither ASCII nor UTF-8. */
  readonly rawCharset?: string
}

/** One MIME part, RFC 2045 §2.4; the message itself is the root. */
export interface Part {
  readonly fields: readonly HeaderField[]
  /** Media type in lower case, 'text/plain' where none is given (RFC 2045 §5.2). */
  readonly type: string
  /** Parameters of Content-Type, names in lower case, RFC 2231 decoded. */
  readonly parameters: ReadonlyMap<string, string>
  /** 'inline', 'attachment', another token in lower case, or '' where the field is absent. */
  readonly disposition: string
  /** The name the part asks to be saved under: filename of Content-Disposition, else name of Content-Type. */
  readonly fileName: string | undefined
  /** Content-Transfer-Encoding in lower case, '7bit' where absent. */
  readonly transferEncoding: string
  /** 0 for the message, 1 for its parts, and so on through nested messages. */
  readonly depth: number
  /** Length of the body in bytes, before decoding. */
  readonly bodyBytes: number
  readonly parts: readonly Part[]
}

/** A text body that a reader would be shown, decoded to Unicode. */
export interface TextBody {
  readonly kind: 'plain' | 'html'
  /** Charset it was decoded with, lower case: 'utf-8'. */
  readonly charset: string
  /** The decoded source: plain text (format=flowed joined, RFC 3676; calendars unfolded), or HTML markup. When `truncated`, only its first and last stretch. */
  readonly source: string
  /** The text as a reader sees it: `source` for plain text, the visible text for HTML, title and description of an event. */
  readonly visible: string
  /** What the HTML scanner found; undefined for plain text. */
  readonly html: HtmlDocument | undefined
  /** True when bytes between the first and the last stretch were not looked at. */
  readonly truncated: boolean
  /** True where mail programs show another form of the text instead: the HTML of the same multipart/alternative. */
  readonly replaced: boolean
}

/** What an attached message (message/rfc822) says, and the messages in it. */
export interface AttachedMessage {
  /** Decoded Subject, '' when absent. */
  readonly subject: string
  readonly texts: readonly TextBody[]
  readonly links: readonly Link[]
}

/** A file that a reader would be offered to save or open: a part, or encoded in a text (enclosed-files.ts). */
export interface Attachment {
  /** The declared name, decoded; '' when it has none. */
  readonly fileName: string
  /** Other names that its header gives it, by which some programs go. */
  readonly otherNames: readonly string[]
  /** Media type as declared, lower case; of a file in a text, text/plain or text/html where it is that, else ''. */
  readonly type: string
  readonly disposition: string
  /** Whether it is shown as text too, so that nobody has to open it. */
  readonly shown: boolean
  /** Size after decoding, in bytes; of more than ATTACHMENT_READ_BYTES an estimate. */
  readonly bytes: number
  /** SHA-256 of `head` in hexadecimal. */
  readonly headHash: string
  /** The first decoded bytes, at most ATTACHMENT_HEAD_BYTES: for magic numbers and archive headers. */
  readonly head: Uint8Array
}

/** An http, https or other link, wherever in the message it stands. */
export interface Link {
  /** The link with character references resolved, trimmed, at most LINK_LENGTH_MAX characters. */
  readonly href: string
  /** The text that a reader sees for it; the same as `href` for a bare URL in text; '' where a form or the page itself leads there. */
  readonly text: string
  /** Whether markup says it, or a mail client makes a link of text (of HTML too) or Subject. */
  readonly source: 'html' | 'text'
}

/** A conflict in the structure of a message: evidence, never an error. */
export type Oddity =
  | 'BARE_CR'
  | 'NUL_BYTE'
  | 'HEADER_LINE_MALFORMED'
  | 'HEADER_UNTERMINATED'
  | 'CONTENT_TYPE_REPEATED'
  | 'CONTENT_TYPE_MALFORMED'
  | 'TRANSFER_ENCODING_REPEATED'
  | 'TRANSFER_ENCODING_UNKNOWN'
  | 'MULTIPART_ENCODED'
  | 'BOUNDARY_REPEATED'
  | 'BOUNDARY_MISSING'
  | 'BOUNDARY_NEVER_USED'
  | 'BOUNDARY_INSIDE_LINE'
  | 'BOUNDARY_UNTERMINATED'
  | 'BASE64_MALFORMED'
  | 'QUOTED_PRINTABLE_MALFORMED'
  | 'ENCODED_WORD_MALFORMED'
  | 'CHARSET_UNKNOWN'
  | 'CHARSET_MISMATCH'
  | 'TEXT_AFTER_END'

/** A limit that stopped the reading; each is a constant in limits.ts. */
export type LimitReached = 'HEADER_BYTES' | 'FIELDS' | 'PARTS' | 'DEPTH' | 'READINGS' | 'CPU'

/** A message as far as it was read. */
export interface Message {
  readonly bytes: number
  /** Fields of the message's own header, in order. */
  readonly fields: readonly HeaderField[]
  /** Decoded Subject, '' when absent. */
  readonly subject: string
  readonly root: Part
  /** Every part, depth first, the root at 0. */
  readonly parts: readonly Part[]
  /** Text bodies in reading order, without those of attached messages; with them where the message has no other text. */
  readonly texts: readonly TextBody[]
  /** Messages that are attached to one with a text of its own, at most ATTACHED_MESSAGES_MAX. */
  readonly attachedMessages: readonly AttachedMessage[]
  readonly attachments: readonly Attachment[]
  /** Attached plain text and HTML, also encoded in a text, which is read after one click: at most ATTACHED_TEXTS_MAX. */
  readonly attachedTexts: readonly TextBody[]
  /** Links of the Subject and of `texts`, in this order, at most LINKS_MAX; of HTML anchors come first, then others. */
  readonly links: readonly Link[]
  /** No value twice. */
  readonly oddities: readonly Oddity[]
  /** Limits that stopped the reading, so that parts of the message were not looked at. */
  readonly limitsReached: readonly LimitReached[]
  /** True when the body is not empty, but neither a text nor an attachment was found in it. */
  readonly bodyUnread: boolean
}

/** Decoded body of the first field of that name (lower case), undefined when there is none. */
export function headerBody(message: Pick<Message, 'fields'>, name: string): string | undefined {
  return message.fields.find((field) => field.name === name)?.body
}
