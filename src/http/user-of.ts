/** Which user of Tamis a recipient is, as other programs name recipients. */
import { isUserId } from './metadata.ts'

/** What of an address is the user id: all of it, what stands before its @, or nothing. */
export type UserOf = 'address' | 'localpart' | 'none'

/**
 * The user id of `recipient`, an address with or without angle brackets, or a name; in lower case.
 * Undefined for one that cannot be a user: that one has taught nothing.
 */
export function userIdOf(recipient: string, userOf: UserOf): string | undefined {
  if (userOf === 'none') return undefined
  const address = withoutBrackets(recipient.trim()).toLowerCase()
  const at = address.lastIndexOf('@')
  const userId = userOf === 'localpart' && at > 0 ? address.slice(0, at) : address
  return isUserId(userId) ? userId : undefined
}

/** An address of an envelope, '' for the null sender. */
export function withoutBrackets(path: string): string {
  return path.startsWith('<') && path.endsWith('>') ? path.slice(1, -1) : path
}
