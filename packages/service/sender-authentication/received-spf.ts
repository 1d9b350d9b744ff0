/**
 * Received-SPF (RFC 7208 §9.1): the result of SPF alone, which hosts wrote before there was
 * Authentication-Results, and some still write.
 */
import { keywordEnd, readValue, semicolonFrom, skipComments } from './structured-field.ts'

/** Characters read of one field. Hosts write up to some 600. Stops a field as long as the header may be. */
const FIELD_LENGTH_MAX = 4 * 1024

/** Key-value pairs read of one field; the RFC defines seven. Stops thousands of them. */
const PAIRS_MAX = 16

export interface ReceivedSpf {
  /** Lower case, whether the standard knows it or not. */
  readonly result: string
  /** 'receiver', 'envelope-from' …, in lower case, -> value without quotes. */
  readonly pairs: ReadonlyMap<string, string>
}

/** Parses a field; undefined when it does not begin with a result. */
export function parseReceivedSpf(rawBody: string): ReceivedSpf | undefined {
  const body = rawBody.slice(0, FIELD_LENGTH_MAX)
  const start = skipComments(body, 0)
  const end = keywordEnd(body, start)
  if (end === start) return undefined
  return { result: body.slice(start, end).toLowerCase(), pairs: readPairs(body, end) }
}

function readPairs(body: string, start: number): Map<string, string> {
  const pairs = new Map<string, string>()
  let at = skipComments(body, start)
  while (at < body.length && pairs.size < PAIRS_MAX) {
    const nameEnd = keywordEnd(body, at)
    const equals = skipComments(body, nameEnd)
    if (body.charAt(equals) !== '=') break
    const name = body.slice(at, nameEnd).toLowerCase()
    const { value, end } = readValue(body, skipComments(body, equals + 1))
    if (!pairs.has(name)) pairs.set(name, withoutBrackets(value))
    at = skipComments(body, semicolonFrom(body, end) + 1)
  }
  return pairs
}

function withoutBrackets(value: string): string {
  return value.startsWith('<') && value.endsWith('>') ? value.slice(1, -1) : value
}
