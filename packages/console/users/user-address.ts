/** The address of a user's page, `#/users/<id>`: the id is percent-encoded, as a part of a path. */

const USERS = '#/users/'

export function userAddress(userId: string): string {
  return USERS + encodeURIComponent(userId)
}

/** The user whom the fragment of an address names; undefined if it names none. */
export function userIdIn(hash: string): string | undefined {
  if (!hash.startsWith(USERS) || hash === USERS) return undefined
  try {
    return decodeURIComponent(hash.slice(USERS.length))
  } catch {
    // Typed by hand, with a per cent sign that encodes nothing.
    return hash.slice(USERS.length)
  }
}
