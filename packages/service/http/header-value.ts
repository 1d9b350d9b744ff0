/**
 * Text as it may stand in a header field of a message or of an answer (RFC 5322 §2.2, RFC 9110
 * §5.5): no text of a message can end the field that it is put into and begin another.
 * Every text passes through here that goes into a field, here or in another program that reads an
 * answer.
 */

/** Control characters of ASCII and Latin-1, and other characters that programs take for the end of a line. */
const CONTROLS = /[\p{Cc}\u2028\u2029]+/gu

/** `text` on one line, with a space for each run of control characters, and none at its ends. */
export function headerValue(text: string): string {
  return text.toWellFormed().replace(CONTROLS, ' ').trim()
}

/** The same for places that only take ASCII: a report, or the reason phrase of a status (RFC 9112 §4). */
export function asciiHeaderValue(text: string): string {
  return headerValue(text).replace(/[^ -~]/gu, '?')
}
