/**
 * The lexical parts that Authentication-Results (RFC 8601 §2.2) and Received-SPF (RFC 7208 §9.1)
 * are made of: comments and white space (CFWS, RFC 5322 §3.2.2), keywords and values.
 *
 * Each function goes forward from an offset and never back, so that reading a field always takes time
 * proportional to its length. A comment or a quoted string that never closes runs to the end: what a
 * forger hides behind it is not read as a result.
 */

/** Skips white space and comments from `at`. Comments may nest to any depth. */
export function skipComments(text: string, at: number): number {
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
export function keywordEnd(text: string, at: number): number {
  let end = at
  while (end < text.length && isKeywordCharacter(text.charCodeAt(end))) end++
  return end
}

/**
 * The value at `at`: a quoted string without its quotes, or the text up to the next white space,
 * semicolon or comment. A quoted local part is read together with the '@domain' after it.
 */
export function readValue(text: string, at: number): { value: string; end: number } {
  if (text.charAt(at) !== '"') {
    const end = bareEnd(text, at)
    return { value: text.slice(at, end), end }
  }
  const quoted = readQuoted(text, at)
  const end = bareEnd(text, quoted.end)
  return { value: quoted.value + text.slice(quoted.end, end), end }
}

/** The next semicolon outside comments and quoted strings; the end when there is none. */
export function semicolonFrom(text: string, at: number): number {
  let next = skipComments(text, at)
  while (next < text.length && text.charAt(next) !== ';') {
    next = text.charAt(next) === '"' ? readQuoted(text, next).end : next + 1
    next = skipComments(text, next)
  }
  return next
}

/** The comments in `text`, with their brackets; what stands in quoted strings is none. */
export function commentsOf(text: string): string {
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
