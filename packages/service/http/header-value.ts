/**
 * Text as it may stand in a header field of a message or of an answer (RFC 5322 §2.2, RFC 9110
 * §5.5): of whatever a message says, none of it ends the field it is put into and begins another.
 * All that goes into a field, here or at another program to which an answer tells it, comes by here.
 */

/** Control characters of ASCII and Latin-1, and what programs take for the end of a line beside them. */
const CONTROLS = /[\p{Cc}\u2028\u2029]+/gu

/** `text` on one line, with a space for each run of control characters, and none at its ends. */
export function headerValue(text: string): string {
  return text.toWellFormed().replace(CONTROLS, ' ').trim()
}

/** The same for a place that takes ASCII alone: a report, or what stands beside a status (RFC 9112 §4). */
export function asciiHeaderValue(text: string): string {
  return headerValue(text).replace(/[^ -~]/gu, '?')
}
