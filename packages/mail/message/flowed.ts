/**
 * format=flowed (RFC 3676): a line that ends in a space continues in the next line of the same
 * quotation depth.
 */

/** The signature line "-- " ends in a space and yet is not flowed, RFC 3676 §4.3. */
const SIGNATURE = '-- '

/**
 * `text` (lines ended by LF) with flowed lines joined, quotation marks normalised to one run of
 * '>' and a space.
 *
 * @param deleteSpace DelSp=yes: the space before the break was added and is removed, RFC 3676 §4.1.
 */
export function joinFlowedLines(text: string, deleteSpace: boolean): string {
  const paragraphs: string[] = []
  let pieces: string[] = []
  let depth = -1
  for (const line of text.split('\n')) {
    const lineDepth = quoteDepth(line)
    const content = stuffedContent(line, lineDepth)
    if (pieces.length > 0 && (lineDepth !== depth || content === SIGNATURE)) {
      paragraphs.push(quoted(pieces.join(''), depth))
      pieces = []
    }
    depth = lineDepth
    const flowed = content.endsWith(' ') && content !== SIGNATURE
    pieces.push(flowed && deleteSpace ? content.slice(0, -1) : content)
    if (!flowed) {
      paragraphs.push(quoted(pieces.join(''), depth))
      pieces = []
    }
  }
  if (pieces.length > 0) paragraphs.push(quoted(pieces.join(''), depth))
  return paragraphs.join('\n')
}

function quoteDepth(line: string): number {
  let depth = 0
  while (line.charAt(depth) === '>') depth++
  return depth
}

/** The line without its quotation marks and the stuffed space after them, RFC 3676 §4.4. */
function stuffedContent(line: string, depth: number): string {
  return line.charAt(depth) === ' ' ? line.slice(depth + 1) : line.slice(depth)
}

function quoted(content: string, depth: number): string {
  return depth > 0 ? `${'>'.repeat(depth)} ${content}` : content
}
