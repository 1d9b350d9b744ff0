/** The values that are allowed, in words: 'true or false', 'one of primary, promotions, updates'. */
export function oneOf(choices: readonly unknown[]): string {
  return choices.length > 2 ? `one of ${choices.join(', ')}` : choices.join(' or ')
}
