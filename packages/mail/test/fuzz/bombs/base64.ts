/** Base64 in lines, as mail has it. */
const LINE_LENGTH = 76

export function btoaLines(text: string): string {
  const encoded = btoa(text)
  return Array.from({ length: Math.ceil(encoded.length / LINE_LENGTH) }, (_, line) =>
    encoded.slice(line * LINE_LENGTH, (line + 1) * LINE_LENGTH),
  ).join('\n')
}
