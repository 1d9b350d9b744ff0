/** Pieces put together until there is enough of them. */

/** As many of `unit` as `bytes` have room for; one at least. */
export function many(unit: string, bytes: number): string {
  return unit.repeat(Math.max(1, Math.floor(bytes / unit.length)))
}

/** What `write` gives for 0, 1, 2 …, as many as `bytes` have room for; one at least. */
export function numbered(bytes: number, write: (number: number) => string): string {
  const pieces = [write(0)]
  let length = pieces[0]!.length
  for (let number = 1; ; number++) {
    const piece = write(number)
    length += piece.length
    if (length > bytes) return pieces.join('')
    pieces.push(piece)
  }
}

/** What `write` gives for 0 … `count` - 1. */
export function times(count: number, write: (number: number) => string): string {
  return Array.from({ length: count }, (_, number) => write(number)).join('')
}
