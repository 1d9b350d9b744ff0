/**
 * Texts as the databases can hold them, and as long as they may be.
 *
 * Patterns and domains come out of mail and may hold anything. PostgreSQL's text holds neither NUL
 * nor a lone surrogate; both become U+FFFD, on the way in and in every comparison.
 */

/** The longest user id in bytes of UTF-8: 256 characters, each with the most bytes that one can have, and a namespace. */
const USER_ID_BYTES_MAX = 1_024 + 66

/**
 * The longest line of a message (RFC 5322 §2.1.1): no address or Message-ID is longer. With the
 * user id it is below the 2,700 bytes that PostgreSQL allows in an index.
 */
const PATTERN_BYTES_MAX = 998

/** @throws RangeError when it is empty, too long or not Unicode. */
export function storedUserId(userId: string): string {
  if (userId === '' || !userId.isWellFormed() || userId.includes('\0')) {
    throw new RangeError(`Not a user id: ${JSON.stringify(userId)}`)
  }
  return bounded(userId, USER_ID_BYTES_MAX, 'user id')
}

/** @throws RangeError when it is too long. */
export function storedPattern(pattern: string): string {
  return bounded(storedText(pattern), PATTERN_BYTES_MAX, 'pattern')
}

export function storedText(text: string): string {
  return text.toWellFormed().replaceAll('\0', '\uFFFD')
}

function bounded(text: string, bytesMax: number, name: string): string {
  const length = Buffer.byteLength(text)
  if (length > bytesMax) {
    throw new RangeError(`A ${name} of ${length} bytes is longer than ${bytesMax}`)
  }
  return text
}
