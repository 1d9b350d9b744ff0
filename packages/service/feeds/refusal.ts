/** Why a feed was refused. The feed that was in use before stays in use. */

export const REFUSALS = {
  NETWORK: 'The server could not be reached, or the connection broke.',
  TIMEOUT: 'The download stood still, or took longer than it may.',
  RATE_LIMITED: 'The server asks to come back later (403, 429 or 509).',
  HTTP_STATUS: 'The server answered with another status than 200 or 304.',
  REDIRECT: 'The server sends elsewhere too often, nowhere, or to another scheme.',
  FILE: 'The local file cannot be read.',
  TOO_LARGE: 'The feed has more bytes or entries than it may.',
  TRUNCATED: 'The feed breaks off before its end.',
  HTML_PAGE: 'It is a web page.',
  NOT_A_FEED: 'It is in none of the forms of a feed, or too few of its entries are URLs.',
  BROKEN: 'It cannot be read as its form has it.',
  EMPTY: 'It has no entry.',
  SHRUNK: 'It has less than half of the entries that it had.',
  DAMAGED: 'The copy on disk is not what was put there.',
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
