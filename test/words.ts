/** A list of words as a text: one word a line would be a page of them. */
export function wordsOf(text: string): string[] {
  return text.trim().split(/\s+/)
}
