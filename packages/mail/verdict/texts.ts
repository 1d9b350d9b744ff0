/**
 * What is told of a verdict, in the languages that it is told in: a file of texts for each (languages/), which a
 * translator can edit. English is complete; a text that another language lacks is told in English.
 *
 * A key begins with what the text is for: `level` and `decided` are verdicts, `signal`, `spam` and `ham` clauses
 * that read on after a colon, `reason` whole sentences.
 */

/** By their names in RFC 5646, the one first that the others fall back to. */
export const LANGUAGES = ['en', 'de', 'fr', 'es'] as const

export type Language = (typeof LANGUAGES)[number]

export type TextKey = keyof typeof import('./languages/en.json', { with: { type: 'json' }})

/** All texts of a language, by key. */
export type Texts = Readonly<Record<TextKey, string>>

/** The texts of a language file, with those of `english` for what it lacks. */
export function completed(english: Texts, texts: Readonly<Partial<Texts>>): Texts {
  return { ...english, ...texts }
}

/** The text at `key`, with `values` at its placeholders; a placeholder in capitals, `{Reasons}`, begins with a capital. */
export function say(texts: Texts, key: TextKey, values: Readonly<Record<string, string>>): string {
  return texts[key].replace(/\{(\w+)\}/g, (placeholder, name: string) => {
    const value = values[name.toLowerCase()]
    if (value === undefined) return placeholder
    return name === name.toLowerCase() ? value : capital(value)
  })
}

/** The text at a key that is made from a name, which may be that of another version. */
export function textFor(texts: Texts, key: string): string | undefined {
  const known: Readonly<Record<string, string>> = texts
  return Object.hasOwn(known, key) ? known[key] : undefined
}

export function capital(words: string): string {
  return words.charAt(0).toUpperCase() + words.slice(1)
}
