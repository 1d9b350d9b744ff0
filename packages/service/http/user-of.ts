/** Finds the user of Tamis for a recipient as other programs name recipients. */
import { isUserId } from './metadata.ts'

/** What `TAMIS_USER_OF` may be: the part of an address that is the user id, and delimiters of an extension. */
export const USER_OF_PATTERN = '^(?:(?:address|localpart)[!-/:-?\\[-`{-~]{0,8}|none)$'

/**
 * The user id of `recipient`, an address with or without angle brackets, or a name; in lower case.
 * Undefined for a recipient that cannot be a user, and so has no corrections.
 *
 * @param userOf matches USER_OF_PATTERN
 */
export function userIdOf(recipient: string, userOf: string): string | undefined {
  const [part, delimiters] = partsOf(userOf)
  if (part === 'none') return undefined
  const address = withoutBrackets(recipient.trim()).toLowerCase()
  const at = address.lastIndexOf('@')
  const domain = at < 0 ? '' : address.slice(at)
  const local = withoutExtension(at < 0 ? address : address.slice(0, at), delimiters)
  const userId = part === 'address' ? local + domain : local
  return isUserId(userId) ? userId : undefined
}

/** The part before the @ of `address`, without its extension. */
export function localPartOf(address: string, userOf: string): string | undefined {
  return userIdOf(address, `localpart${partsOf(userOf)[1]}`)
}

function partsOf(userOf: string): readonly [part: string, delimiters: string] {
  const [, part = '', delimiters = ''] = /^([a-z]+)(.*)$/.exec(userOf) ?? []
  return [part, delimiters]
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
