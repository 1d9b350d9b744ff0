/** Finds the user of Tamis for a recipient as other programs name recipients. */
import { isUserId } from './metadata.ts'

/** The part of an address that is the user id: all of it, the part before its @, or none. */
export type UserOf = 'address' | 'localpart' | 'none'

/**
 * The user id of `recipient`, an address with or without angle brackets, or a name; in lower case.
 * Undefined for a recipient that cannot be a user, and so has no corrections.
 *
 * @param recipientDelimiter characters that separate an address from its extension; '' for none.
 */
export function userIdOf(
  recipient: string,
  userOf: UserOf,
  recipientDelimiter = '',
): string | undefined {
  if (userOf === 'none') return undefined
  const address = withoutBrackets(recipient.trim()).toLowerCase()
  const at = address.lastIndexOf('@')
  const domain = at < 0 ? '' : address.slice(at)
  const local = withoutExtension(at < 0 ? address : address.slice(0, at), recipientDelimiter)
  const userId = userOf === 'address' ? local + domain : local
  return isUserId(userId) ? userId : undefined
}

/** The address of an envelope; '' for the null sender. */
export function withoutBrackets(path: string): string {
  return path.startsWith('<') && path.endsWith('>') ? path.slice(1, -1) : path
}

/** 'ann' of 'ann+shop'. A local part that begins with a delimiter has no extension, as in Postfix. */
function withoutExtension(local: string, delimiters: string): string {
  const starts = [...delimiters].map((each) => local.indexOf(each, 1)).filter((at) => at > 0)
  return starts.length === 0 ? local : local.slice(0, Math.min(...starts))
}
