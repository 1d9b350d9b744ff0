/**
 * Authentication-Results (RFC 8601 §2.2), what a host on the way found out about a message, and ARC-Authentication-Results
 * (RFC 8617 §4.1.1). Anybody can write such a field; trusted-results.ts decides whether to believe it.
 */

/** Characters read of one field. Hosts write up to some 2,000. Stops a field as long as the header may be. */
const FIELD_LENGTH_MAX = 16 * 1024

/** Statements read of one field: four methods and a few signatures. Stops thousands of 'dkim=pass'. */
const STATEMENTS_MAX = 32

/** Properties read of one statement; hosts write up to six. Stops thousands of them. */
const PROPERTIES_MAX = 16

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
  return readPayload(segmentsOf(rawBody))
}

/** The same for ARC-Authentication-Results, with the instance that it begins with. */
export function parseArcAuthenticationResults(
  rawBody: string,
): (AuthenticationResults & { readonly instance: number }) | undefined {
  const [first, ...others] = segmentsOf(rawBody)
  const instance = /^ ?i ?= ?(\d{1,2}) ?$/.exec(first!.text)?.[1]
  const payload = instance === undefined ? undefined : readPayload(others)
  return payload && { ...payload, instance: Number(instance) }
}

/** What stands between two semicolons. */
interface Segment {
  /** Without comments; white space outside quoted strings is one blank, so that patterns read it in linear time. */
  text: string
  comments: string
}

/** The segments of a field. A comment or a quoted string that never closes runs to the end, and is read as no result. */
function segmentsOf(rawBody: string): Segment[] {
  const body = rawBody.slice(0, FIELD_LENGTH_MAX)
  let segment: Segment = { text: '', comments: '' }
  const segments = [segment]
  let depth = 0
  let quote = -1
  let isAfterBlank = false
  for (let at = 0; at < body.length; at++) {
    const isEscape = (depth > 0 || quote >= 0) && body.charAt(at) === '\\'
    const character = isEscape ? body.slice(at, ++at + 1) : body.charAt(at)
    if (character === '(' && quote < 0) depth++
    if (depth > 0) {
      segment.comments += character
      if (character === ')') depth--
    } else if (character === ';' && quote < 0) {
      segment = { text: '', comments: '' }
      segments.push(segment)
      isAfterBlank = false
      continue
    } else if (quote >= 0 || !/[ \t\r\n]/.test(character)) {
      if (character === '"') quote = quote < 0 ? segment.text.length : -1
      segment.text += character
      isAfterBlank = false
      continue
    }
    if (!isAfterBlank) segment.text += ' '
    isAfterBlank = true
  }
  if (quote >= 0) segment.text = segment.text.slice(0, quote)
  return segments
}

/** A value: a quoted string, text up to the next blank, or a quoted local part with the '@domain' after it. */
const VALUE = '(?:"((?:[^"\\\\]|\\\\.)*)")?([^ ]*)'

function readValue(quoted = '', bare = ''): string {
  return quoted.replace(/\\(.)/gs, '$1') + bare
}

/** The name of a host, perhaps with the version of the syntax, of which there is one. */
const HOST = new RegExp(`^ ?${VALUE}(?: ?1)? ?$`, 's')

function readPayload([first, ...others]: readonly Segment[]): AuthenticationResults | undefined {
  const [, quoted, bare] = HOST.exec(first?.text ?? '') ?? []
  const authservId = readValue(quoted, bare).toLowerCase()
  // Some hosts leave out their name, and the first statement is in its place.
  if (authservId === '' || authservId.includes('=')) return undefined
  const statements: Statement[] = []
  for (const segment of others) {
    const statement = readStatement(segment)
    if (statement !== undefined) statements.push(statement)
    if (statements.length === STATEMENTS_MAX) break
  }
  return { authservId, statements }
}

/** Method, perhaps its version, of which there is one, and result; some hosts write '_' in names. */
const METHOD = /^ ?([\w-]+) ?(?:\/ ?1 ?)?= ?([\w-]+)/

/** 'ptype.property=value', or 'reason=value'. */
const PROPERTY = new RegExp(` ?([\\w-]+)(?: ?\\. ?([\\w-]+))? ?= ?${VALUE}`, 'sy')

/** Method, result and properties, up to the first thing that is none. */
function readStatement({ text, comments }: Segment): Statement | undefined {
  const [start = '', method = '', result = ''] = METHOD.exec(text) ?? []
  if (start === '') return undefined
  const properties = new Map<string, string>()
  PROPERTY.lastIndex = start.length
  while (properties.size < PROPERTIES_MAX) {
    const [found, type, property, quoted, bare] = PROPERTY.exec(text) ?? []
    if (found === undefined) break
    const name = (property === undefined ? type! : `${type}.${property}`).toLowerCase()
    if (!properties.has(name)) properties.set(name, readValue(quoted, bare))
  }
  return { method: method.toLowerCase(), result: result.toLowerCase(), properties, comments }
}
