/**
 * Names for messages, by which a person finds in log and history what a sender was told (RFC 5321 §4.2: the text of
 * a reply is for people). They say nothing of message, sender or recipient.
 */
import { randomBytes } from 'node:crypto'

/** Digits and letters that nobody takes for one another when they are read aloud: none of i, l, o and u (Crockford's base 32). */
const DIGITS = '0123456789abcdefghjkmnpqrstvwxyz'

/** That is 50 bits: nobody guesses one, and among a million messages two have the same with a chance of 1 in 2,000. */
const LENGTH = 10

export function newReference(): string {
  return Array.from(randomBytes(LENGTH), (byte) => DIGITS[byte % DIGITS.length]).join('')
}
