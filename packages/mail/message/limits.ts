/**
 * How much of a message is looked at, and the attack that each bound stops.
 *
 * A message that reaches a bound is still judged by what was read. Some bounds end the reading of a
 * structure and are recorded in `Message.limitsReached`; the others only shorten what is looked at.
 */

/** Header of the message and of every part, in bytes. Stops headers without end (Dovecot CVE-2024-23184); ARC chains and long recipient lists of real mail stay below 150 KB. */
export const HEADER_BYTES_MAX = 512 * 1024

/** Fields in one header. Stops millions of one-byte fields, each of which costs an object. */
export const FIELDS_MAX = 2_000

/** Fields in the header of a part. */
export const PART_FIELDS_MAX = 256

/** Fields in the headers of all parts together: a digest of a hundred messages has 5,000. Stops a thousand parts with 256 fields each. */
export const PART_FIELDS_TOTAL_MAX = 20_000

/** Bytes of the headers of all parts together. Stops a thousand parts of 512 KiB of header each. */
export const PART_HEADERS_BYTES_MAX = 1024 * 1024

/** How often the bytes of a message may be read as headers of parts: once as by mail programs that want a boundary on a line of its own, and once as by the others. Stops headers that overlap. */
export const HEADER_READINGS_MAX = 2

/** Bytes of the message's header that are read first; four times as many are read each time until its end is found. Most headers are shorter. */
export const HEADER_FIRST_READ_BYTES = 4 * 1024

/** The same for the header of a part. Stops a thousand parts of a byte from being read as a thousand times 4 KiB. */
export const PART_HEADER_FIRST_READ_BYTES = 512

/** Size of the window in which delimiters, or the end of an over-long header, are searched for. */
export const WINDOW_BYTES = 64 * 1024

/** Parts in a message, nested messages included. Stops millions of empty parts (Snyk 2018, five Node parsers). */
export const PARTS_MAX = 1_000

/**
 * How often the bytes of a message may be walked as they stand after decoding them gave no message. Once
 * is enough for all that are not encoded as they say, side by side. Stops such messages in each other.
 */
export const PLAIN_WALKS_MAX = 1

/** Nesting of multiparts and messages. Stops recursion bombs and cyclic structures (Stalwart CVE-2026-26312). */
export const DEPTH_MAX = 32

/** Content-Type and Content-Disposition fields of one part that are taken into account. Stops a part of 256 media types. */
export const REPEATED_FIELDS_MAX = 4

/** Transfer encodings with which one body is decoded when the field is repeated. */
export const TRANSFER_ENCODINGS_MAX = 2

/** Different boundaries of one part that delimit it. Real mail has one. */
export const BOUNDARIES_MAX = 4

/** Different file names of one part that are looked at. Stops 64 parameters of different names. */
export const FILE_NAMES_MAX = 4

/** Boundaries that are open at the same time, as many as multiparts nest. Stops hundreds from being compared at each line. */
export const OPEN_BOUNDARIES_MAX = 32

/** Parameters read of one Content-Type or Content-Disposition field. Stops RFC 2231 continuation floods. */
export const PARAMETERS_MAX = 64

/** Characters of one structured field body that are parsed for parameters. */
export const PARAMETER_FIELD_LENGTH_MAX = 16 * 1024

/** Encoded words decoded in one field. Stops fields of 100,000 words of four bytes, each with its own decoder. */
export const ENCODED_WORDS_MAX = 500

/** Characters of a charset's name, language tag included. Stops an endless search for the end of a name. */
export const CHARSET_LENGTH_MAX = 64

/** Addresses read of one field. Stops recipient lists of 500,000 addresses (Dovecot CVE-2024-23184). */
export const ADDRESSES_MAX = 500

/** Boundary length compared. RFC 2046 §5.1.1 allows 70; some senders use more. */
export const BOUNDARY_LENGTH_MAX = 256

/** First bytes of a text body that are looked at, before decoding. A body of 256 KiB is longer than any that a person reads. */
export const TEXT_HEAD_BYTES = 256 * 1024

/** Last bytes that are looked at when a text body is longer. Stops padding that pushes the text out of sight (MIMEDefang#67, rspamd#4740). */
export const TEXT_TAIL_BYTES = 64 * 1024

/** Bytes of all text bodies together, each of which may use half of what is left. Stops a thousand text parts of full length each, and a few of them from leaving nothing for the next. */
export const TEXT_BYTES_MAX = 1024 * 1024

/** Bytes looked at in each text body even when TEXT_BYTES_MAX is used up. Stops a text from hiding behind others. */
export const TEXT_BYTES_MIN = 2 * 1024

/**
 * Bytes of bodies that are read again in another way, all together: under a second Content-Type or
 * transfer encoding, or because a style sheet comes after text. As much as one body may use of
 * TEXT_BYTES_MAX. Stops a thousand parts from being read in eight ways each.
 */
export const REPEATED_BYTES_MAX = 512 * 1024

/** Attached texts that are read. Stops a thousand of them. */
export const ATTACHED_TEXTS_MAX = 2

/** Attached messages that are read apart. A digest has more; the eighth says no more of a message than the seventh. Stops a thousand. */
export const ATTACHED_MESSAGES_MAX = 8

/** Bytes looked at in each attached text, before decoding: an offer or a threat is shorter. Stops logs and tables of megabytes. */
export const ATTACHED_TEXT_BYTES = 16 * 1024

/** Bytes of all encoded messages (message/rfc822 in base64) and containers (S/MIME, winmail.dat) that are decoded and walked. Stops messages packed in messages. */
export const ENCODED_MESSAGE_BYTES_MAX = 1024 * 1024

/** Decoded bytes kept of an attachment: enough for magic numbers and the first entry of an archive. */
export const ATTACHMENT_HEAD_BYTES = 1024

/** Bytes read of an attachment, before decoding: more than ATTACHMENT_HEAD_BYTES in any encoding. */
export const ATTACHMENT_READ_BYTES = 4 * 1024

/** Links kept of a message. Stops half a million anchors. */
export const LINKS_MAX = 1_000

/** Characters kept of one link; browsers cut at about 2,000 in practice. */
export const LINK_LENGTH_MAX = 4_096

/** Attributes read of one tag; real ones have fewer than 40. Stops attribute floods. */
export const ATTRIBUTES_MAX = 128

/** Longest tag name that is counted; the longest of HTML, 'blockquote', has 10. Stops tags whose name is the whole message. */
export const TAG_NAME_LENGTH_MAX = 32

/** Different tag names counted in one body. Stops a table of 200,000 made-up names. */
export const TAG_NAMES_MAX = 256

/**
 * Elements opened again in one body because formatting continued inside or around them. Stops `<b>` a
 * thousand times inside a thousand blocks; past this bound formatting ends with its block.
 */
export const REOPENED_MAX = 50_000

/** Characters of a domain name that is not ASCII. DNS allows 255 bytes (RFC 1035 §2.3.4), and a character beyond ASCII takes at least one. */
export const DOMAIN_LENGTH_MAX = 255

/** Characters kept of the text of one link. Stops a link around the whole message from doubling it. */
export const LINK_TEXT_LENGTH_MAX = 1_024

/** Images kept of one body. Stops half a million of them. */
export const IMAGES_MAX = 1_000

/** Forms kept of one body. Stops 100,000 of them. */
export const FORMS_MAX = 100

/** Characters of one style sheet that are read for rules. Stops megabytes of rules for no element. */
export const STYLE_SHEET_LENGTH_MAX = 128 * 1024

/** Rules kept of all style sheets in a body. Stops a table of 100,000 classes. */
export const STYLE_RULES_MAX = 2_000

/**
 * Matches tried between selectors of several steps and the elements of one body. Stops a thousand
 * rules for each of ten thousand elements; past this bound what the rules might hide is in doubt.
 */
export const SELECTOR_CHECKS_MAX = 50_000

/**
 * The same for all bodies of a message, and what a rule counts for that is read: as long as eight matches
 * take. Stops a thousand bodies that each stay below the limits of a body; four of them may use all of it.
 */
export const STYLE_STEPS_MAX = 200_000
export const STYLE_RULE_STEPS = 8

/** Steps and conditions read of one selector; a longer selector may apply anywhere. */
export const SELECTOR_STEPS_MAX = 16

/** Nested at-rules that are read. Stops `@media` nested without end. */
export const AT_RULE_DEPTH_MAX = 4

/** Class names looked up of one element. Stops a class attribute of a megabyte. */
export const CLASSES_MAX = 32

/** Characters of one style attribute that are read; generated ones reach 2,000. */
export const STYLE_LENGTH_MAX = 8 * 1024

/** Characters of one JSON-LD script that are read for types. */
export const JSON_LD_LENGTH_MAX = 64 * 1024

/** Different schema.org types kept of one body; real mail names fewer than 20. */
export const SCHEMA_TYPES_MAX = 64

/**
 * What the bodies of one message may cost beyond a single look at their bytes: a thousand small parts
 * would each stay below the limits of a body, and cost a thousand times as much together.
 */
export class ReadingBudget {
  #bytesLeft = REPEATED_BYTES_MAX
  #styleStepsLeft = STYLE_STEPS_MAX
  #isExceeded = false

  /** True when something was left unread. */
  get isExceeded(): boolean {
    return this.#isExceeded
  }

  /** Whether so many bytes that have been read in one way may be read in another; a few cost as much as TEXT_BYTES_MIN. */
  allowsRepeating(bytes: number): boolean {
    this.#bytesLeft -= Math.max(bytes, TEXT_BYTES_MIN)
    return this.#isAllowed(this.#bytesLeft)
  }

  /** Whether one more rule of a style sheet may be read. */
  allowsRule(): boolean {
    return this.allowsMatches(STYLE_RULE_STEPS)
  }

  /** Whether so many selectors may be matched with an element. */
  allowsMatches(count: number): boolean {
    this.#styleStepsLeft -= count
    return this.#isAllowed(this.#styleStepsLeft)
  }

  #isAllowed(left: number): boolean {
    this.#isExceeded ||= left < 0
    return left >= 0
  }
}
