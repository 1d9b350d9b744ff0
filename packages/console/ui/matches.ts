/** Whether every word of `sought` stands in one of `fields`. */
export function matches(sought: string, fields: readonly string[]): boolean {
  const text = fields.join(' ').toLowerCase()
  return sought
    .toLowerCase()
    .split(/\s+/)
    .every((word) => text.includes(word))
}
