/**
 * Authentication-Results (RFC 8601 §2.2): what a host on the way found out about a message, and the name
 * of that host, its authserv-id.
 *
 * ARC-Authentication-Results (RFC 8617 §4.1.1) is the same after an instance number. Anybody can write
 * such a field; trusted-results.ts decides whether to believe it.
 */

/** Characters read of one field. Hosts write up to some 2,000. Stops a field as long as the header may be. */
const FIELD_LENGTH_MAX = 16 * 1024

/** Statements read of one field: four methods and a few signatures. Stops thousands of 'dkim=pass'. */
const STATEMENTS_MAX = 32

/** Properties read of one statement; hosts write up to six. Stops thousands of them. */
const PROPERTIES_MAX = 16

/** The only version of the syntax so far; a field of another version is not understood. */
const VERSION = '1'

/** What the field says of one method: `dkim=pass header.d=example.com`. */
export interface Statement {
  /** Lower case: 'dkim'. */
  readonly method: string
  /** Lower case, whether the standard knows it or not: 'pass'. */
  readonly result: string
  /** 'header.d', in lower case, -> value without quotes. The first of a repeated name. */
  readonly properties: ReadonlyMap<string, string>
  /** Notes for people, in which hosts write what has no property: '(p=REJECT dis=NONE)'. */
  readonly comments: string
}

export interface AuthenticationResults {
  /** Lower case. */
  readonly authservId: string
  /** Empty for `none`: nothing was checked. */
  readonly statements: readonly Statement[]
}

/** Parses a field; undefined when it names no host or has an unknown version. */
export function parseAuthenticationResults(rawBody: string): AuthenticationResults | undefined {
  return readPayload(rawBody.slice(0, FIELD_LENGTH_MAX), 0)
}

/** The same for ARC-Authentication-Results, with the instance that it begins with. */
export function parseArcAuthenticationResults(
  rawBody: string,
): (AuthenticationResults & { readonly instance: number }) | undefined {
  const body = rawBody.slice(0, FIELD_LENGTH_MAX)
  const end = semicolonFrom(body, 0)
  const instance = /^\s{0,99}i\s{0,99}=\s{0,99}(\d{1,2})\s{0,99}$/.exec(body.slice(0, end))?.[1]
  const payload = instance === undefined ? undefined : readPayload(body, end + 1)
  return payload === undefined ? undefined : { ...payload, instance: Number(instance) }
}

function readPayload(body: string, start: number): AuthenticationResults | undefined {
  const id = readValue(body, skipComments(body, start))
  // Some hosts leave out their name, and the first statement is in its place.
  if (id.value === '' || id.value.includes('=')) return undefined
  let at = skipComments(body, id.end)
  if (at < body.length && body.charAt(at) !== ';') {
    const version = readValue(body, at)
    at = skipComments(body, version.end)
    if (version.value !== VERSION || (at < body.length && body.charAt(at) !== ';')) return undefined
  }
  return { authservId: id.value.toLowerCase(), statements: readStatements(body, at) }
}

/** The statements from the semicolon at `start`. Anything else is skipped. */
function readStatements(body: string, start: number): Statement[] {
  const statements: Statement[] = []
  let at = start
  while (at < body.length && statements.length < STATEMENTS_MAX) {
    const end = semicolonFrom(body, at + 1)
    const statement = readStatement(body.slice(at + 1, end))
    if (statement !== undefined) statements.push(statement)
    at = end
  }
  return statements
}

/** Parses `text` between two semicolons: method, result, perhaps a reason, properties. */
function readStatement(text: string): Statement | undefined {
  const methodStart = skipComments(text, 0)
  const methodEnd = keywordEnd(text, methodStart)
  const equals = skipMethodVersion(text, skipComments(text, methodEnd))
  if (methodEnd === methodStart || text.charAt(equals) !== '=') return undefined
  const resultStart = skipComments(text, equals + 1)
  const resultEnd = keywordEnd(text, resultStart)
  if (resultEnd === resultStart) return undefined
  return {
    method: text.slice(methodStart, methodEnd).toLowerCase(),
    result: text.slice(resultStart, resultEnd).toLowerCase(),
    properties: readProperties(text, resultEnd),
    comments: commentsOf(text.slice(resultEnd)),
  }
}

/** Skips '/1' after the name of a method. Another version may mean anything and is not skipped. */
function skipMethodVersion(text: string, at: number): number {
  if (text.charAt(at) !== '/') return at
  const version = skipComments(text, at + 1)
  const end = keywordEnd(text, version)
  return text.slice(version, end) === VERSION ? skipComments(text, end) : at
}

/** Properties up to the first thing that is neither one nor the reason. */
function readProperties(text: string, start: number): Map<string, string> {
  const properties = new Map<string, string>()
  let at = skipComments(text, start)
  while (at < text.length && properties.size < PROPERTIES_MAX) {
    const name = readPropertyName(text, at)
    if (name === undefined) break
    const { value, end } = readValue(text, skipComments(text, name.end))
    if (!properties.has(name.name)) properties.set(name.name, value)
    at = skipComments(text, end)
  }
  return properties
}

/** Reads 'ptype.property' or 'reason', and gives the offset after its '='. */
function readPropertyName(text: string, at: number): { name: string; end: number } | undefined {
  const typeEnd = keywordEnd(text, at)
  let name = text.slice(at, typeEnd)
  let next = skipComments(text, typeEnd)
  if (text.charAt(next) === '.') {
    const propertyStart = skipComments(text, next + 1)
    const propertyEnd = keywordEnd(text, propertyStart)
    name += `.${text.slice(propertyStart, propertyEnd)}`
    next = skipComments(text, propertyEnd)
  }
  if (typeEnd === at || text.charAt(next) !== '=') return undefined
  return { name: name.toLowerCase(), end: next + 1 }
}

/**
 * The lexical parts that Authentication-Results (RFC 8601 §2.2) and Received-SPF (RFC 7208 §9.1)
 * are made of: comments and white space (CFWS, RFC 5322 §3.2.2), keywords and values.
 *
 * Each function goes forward from an offset and never back, so that reading a field always takes time
 * proportional to its length. A comment or a quoted string that never closes runs to the end: what a
 * forger hides behind it is not read as a result.
 */

/** Skips white space and comments from `at`. Comments may nest to any depth. */
function skipComments(text: string, at: number): number {
  let depth = 0
  let next = at
  while (next < text.length) {
    const character = text.charAt(next)
    if (character === '(') depth++
    else if (depth === 0 && !isSpace(character)) break
    else if (character === ')') depth--
    else if (character === '\\') next++
    next++
  }
  return Math.min(next, text.length)
}

/** Where the keyword at `at` ends (RFC 8601 §2.2: letters, digits, hyphens; some hosts write '_'). */
function keywordEnd(text: string, at: number): number {
  let end = at
  while (end < text.length && isKeywordCharacter(text.charCodeAt(end))) end++
  return end
}

/**
 * The value at `at`: a quoted string without its quotes, or the text up to the next white space,
 * semicolon or comment. A quoted local part is read together with the '@domain' after it.
 */
function readValue(text: string, at: number): { value: string; end: number } {
  if (text.charAt(at) !== '"') {
    const end = bareEnd(text, at)
    return { value: text.slice(at, end), end }
  }
  const quoted = readQuoted(text, at)
  const end = bareEnd(text, quoted.end)
  return { value: quoted.value + text.slice(quoted.end, end), end }
}

/** The next semicolon outside comments and quoted strings; the end when there is none. */
function semicolonFrom(text: string, at: number): number {
  let next = skipComments(text, at)
  while (next < text.length && text.charAt(next) !== ';') {
    next = text.charAt(next) === '"' ? readQuoted(text, next).end : next + 1
    next = skipComments(text, next)
  }
  return next
}

/** The comments in `text`, with their brackets; what stands in quoted strings is none. */
function commentsOf(text: string): string {
  const comments: string[] = []
  let next = 0
  while (next < text.length) {
    const character = text.charAt(next)
    if (character === '"') next = readQuoted(text, next).end
    else if (character === '(') {
      const end = skipComments(text, next)
      comments.push(text.slice(next, end))
      next = end
    } else next++
  }
  return comments.join(' ')
}

function readQuoted(text: string, at: number): { value: string; end: number } {
  const pieces: string[] = []
  let from = at + 1
  for (let next = from; next < text.length; next++) {
    const character = text.charAt(next)
    if (character === '"') {
      return { value: pieces.join('') + text.slice(from, next), end: next + 1 }
    }
    if (character === '\\') {
      pieces.push(text.slice(from, next))
      next++
      from = next
    }
  }
  return { value: '', end: text.length }
}

function bareEnd(text: string, at: number): number {
  let end = at
  while (end < text.length && !endsBareValue(text.charAt(end))) end++
  return end
}

function endsBareValue(character: string): boolean {
  return isSpace(character) || character === ';' || character === '('
}

function isSpace(character: string): boolean {
  return character === ' ' || character === '\t' || character === '\r' || character === '\n'
}

function isKeywordCharacter(code: number): boolean {
  return (
    (code >= 0x61 && code <= 0x7a) ||
    (code >= 0x41 && code <= 0x5a) ||
    (code >= 0x30 && code <= 0x39) ||
    code === 0x2d ||
    code === 0x5f
  )
}
