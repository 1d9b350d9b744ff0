/** Why a feed was refused. The feed that was in use before stays in use. */

export const REFUSALS = {
  NETWORK: 'The server could not be reached, or the connection broke.',
  TIMEOUT: 'The download stalled or took too long.',
  RATE_LIMITED: 'The server asks to try later (403, 429 or 509).',
  HTTP_STATUS: 'The server answered with a status other than 200 or 304.',
  REDIRECT: 'The server redirects too often, without an address, or to another scheme.',
  FILE: 'The local file cannot be read.',
  TOO_LARGE: 'The feed has too many bytes or entries.',
  TRUNCATED: 'The feed is cut off before its end.',
  HTML_PAGE: 'The file is a web page.',
  NOT_A_FEED: 'The file has none of the formats of a feed, or too few of its entries are URLs.',
  BROKEN: 'The file does not follow its format.',
  EMPTY: 'The feed has no entries.',
  SHRUNK: 'The feed has less than half as many entries as before.',
  DAMAGED: 'The copy on disk is not the one that was written.',
} as const

export type RefusalReason = keyof typeof REFUSALS

/** What a log may contain besides the reason: never an address, which may hold a key. */
export interface RefusalDetails {
  /** HTTP status. */
  readonly status?: number
  /** Code of the system's or the library's error: 'ECONNREFUSED'. */
  readonly cause?: string
  readonly entries?: number
  readonly entriesBefore?: number
  /** How long the server asks clients to wait. */
  readonly retryAfterMs?: number
}

export class FeedRefusal extends Error {
  readonly reason: RefusalReason
  readonly details: RefusalDetails

  constructor(reason: RefusalReason, details: RefusalDetails = {}) {
    super(REFUSALS[reason])
    this.name = 'FeedRefusal'
    this.reason = reason
    this.details = details
  }
}

/** Details with the code of `error`. Nothing else of it is safe to log: its text may quote an address. */
export function causeOf(error: unknown): RefusalDetails {
  const candidates = [error, error instanceof Error ? error.cause : undefined]
  for (const each of candidates) {
    if (each instanceof Error && 'code' in each && typeof each.code === 'string') {
      return { cause: each.code }
    }
  }
  return error instanceof Error ? { cause: error.name } : {}
}
