/**
 * Where markup begins and ends: tags, comments and raw text (WHATWG HTML §13.2.5).
 */
const GREATER = 0x3e
const SLASH = 0x2f
const EXCLAMATION = 0x21
const QUESTION = 0x3f

/** Index after the comment whose text begins at `start` (WHATWG HTML §13.2.5.43 and on). */
export function commentEnd(source: string, start: number): number {
  if (source.charCodeAt(start) === GREATER) return start + 1
  if (source.startsWith('->', start)) return start + 2
  let at = source.indexOf('--', start)
  while (at >= 0) {
    if (source.charCodeAt(at + 2) === GREATER) return at + 3
    if (source.startsWith('!>', at + 2)) return at + 4
    at = source.indexOf('--', at + 1)
  }
  return source.length
}

/** Index of the end tag that closes the raw text from `start` on; the length of `source` when there is none. */
export function rawTextEnd(source: string, name: string, start: number): number {
  let at = source.indexOf('</', start)
  while (at >= 0) {
    const end = at + 2 + name.length
    if (endsTagName(source.charCodeAt(end)) && equalsIgnoringCase(source, at + 2, name)) return at
    at = source.indexOf('</', at + 2)
  }
  return source.length
}

function equalsIgnoringCase(source: string, start: number, name: string): boolean {
  return source.slice(start, start + name.length).toLowerCase() === name
}

/** Whether a `<` before this character begins markup; otherwise it is text. */
export function opensMarkup(code: number): boolean {
  return code === SLASH || code === EXCLAMATION || code === QUESTION || isLetter(code)
}

export function isLetter(code: number): boolean {
  const lower = code | 0x20
  return lower >= 0x61 && lower <= 0x7a && code < 0x80
}

function endsTagName(code: number): boolean {
  return code <= 0x20 || code === GREATER || code === SLASH
}
