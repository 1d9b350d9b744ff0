/**
 * The namespace of a key stands before the ids of its users, from the request down to the store, and is in no answer. So keys
 * of two namespaces may both have a user `ann`, and neither reads, changes or detects the other's. A user id has no control
 * characters (http/metadata.ts), so none spells a user of another namespace. Without a namespace an id is stored as it is.
 */

/** A namespace stands in commands and in the list of keys. */
export const NAMESPACE = /^[a-z0-9][a-z0-9._-]{0,63}$/

const MARK = '\u0001'

/** Sorts after all ids with a namespace and before all without. */
const FIRST_PLAIN = '\u0002'

/** Who has a namespace, or none: a key, a caller. */
export interface Namespaced {
  readonly namespace?: string | undefined
}

/** Ids of users from one on, in the order of their bytes, up to another if there is one. */
export interface UserRange {
  readonly from: string
  readonly below?: string
}

/** What stands before the ids of the users; '' without a namespace. */
export function prefixOf({ namespace }: Namespaced): string {
  return namespace === undefined ? '' : `${MARK}${namespace}${MARK}`
}

/** The user as the store knows it. */
export function storedUser(of: Namespaced, userId: string): string {
  return prefixOf(of) + userId
}

/** The user as the callers of its namespace know it. */
export function shownUser(stored: string): string {
  return stored.startsWith(MARK) ? stored.slice(stored.indexOf(MARK, 1) + 1) : stored
}

export function namespaceOf(stored: string): string | undefined {
  return stored.startsWith(MARK) ? stored.slice(1, stored.indexOf(MARK, 1)) : undefined
}

/** Sorts after all that may follow in an id. */
const LAST = '\u{10ffff}'

/** All users of the namespace, or those whose ids begin with `start`. */
export function usersOf(of: Namespaced, start = ''): UserRange {
  if (start !== '') {
    const from = storedUser(of, start)
    return { from, below: from + LAST }
  }
  const prefix = prefixOf(of)
  return prefix === ''
    ? { from: FIRST_PLAIN }
    : { from: prefix, below: `${prefix.slice(0, -1)}${FIRST_PLAIN}` }
}
