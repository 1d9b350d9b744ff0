/**
 * Headers of a request that are nearly one of ours (`X-UserID`): they are ignored, as HTTP asks (RFC 9110 §5.1), and
 * the answer and the log say so, because a verdict without the user, or without the client's address, looks like any other.
 */
import { distance } from 'fastest-levenshtein'
import { HTTP_OPERATIONS } from './operations.ts'

export interface IgnoredHeader {
  /** As it was sent. */
  readonly name: string
  /** The header that was meant. */
  readonly meant: string
}

/** The header of the answer that names them. */
export const IGNORED_FIELD = 'X-Tamis-Ignored'

/** Stops a request of thousands of headers from costing more than its message. */
const LOOKED_AT_MAX = 100
const NAMED_MAX = 8

/** No header of ours is half as long. */
const NAME_LENGTH_MAX = 40

/** `X-User-ID` by `userid`. */
const KNOWN: ReadonlyMap<string, string> = new Map(
  HTTP_OPERATIONS.flatMap(({ headers }) => Object.keys(headers?.properties ?? {})).map((name) => [
    lettersOf(name),
    name,
  ]),
)

const NAMES: ReadonlySet<string> = new Set([...KNOWN.values()].map((name) => name.toLowerCase()))

/** @param rawHeaders names and values in turn, as Node has them. */
export function ignoredHeaders(rawHeaders: readonly string[]): IgnoredHeader[] {
  const found: IgnoredHeader[] = []
  const end = Math.min(rawHeaders.length, 2 * LOOKED_AT_MAX)
  for (let at = 0; at < end && found.length < NAMED_MAX; at += 2) {
    const name = rawHeaders[at]!
    const meant = meantBy(name.toLowerCase())
    if (meant !== undefined) found.push({ name, meant })
  }
  return found
}

/** 'X-UserID (X-User-ID?)'. A name is a token (RFC 9110 §5.6.2), so that it may stand in a header as it is. */
export function ignoredText(ignored: readonly IgnoredHeader[]): string {
  return ignored.map(({ name, meant }) => `${name} (${meant}?)`).join(', ')
}

/** The header of ours that differs from `name` by one letter, or only by its hyphens and the X at its front. */
function meantBy(name: string): string | undefined {
  if (name.length > NAME_LENGTH_MAX || NAMES.has(name)) return undefined
  const letters = lettersOf(name)
  const same = KNOWN.get(letters)
  if (same !== undefined || !name.startsWith('x')) return same
  for (const [known, meant] of KNOWN) {
    if (Math.abs(known.length - letters.length) > 1) continue
    if (distance(known, letters) === 1) return meant
  }
  return undefined
}

function lettersOf(name: string): string {
  return name
    .toLowerCase()
    .replace(/^x[-_]?(?=[a-z])/, '')
    .replaceAll(/[-_]/g, '')
}
