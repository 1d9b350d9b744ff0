/**
 * What is told of a verdict (texts.json; the clauses of signals are in signals/signals.tsv).
 *
 * A key begins with what the text is for: `level` and `decided` are verdicts, `spam` and `ham` clauses
 * that read on after a colon, `reason` whole sentences.
 */
import type { ReadingName } from '../features/readings.ts'
import texts from './texts.json' with { type: 'json' }

export type TextKey = keyof typeof texts

export const TEXTS: Readonly<Record<TextKey, string>> = texts

/** The text at `key`, with `values` at its placeholders. */
export function say(key: TextKey, values: Readonly<Record<string, string>>): string {
  return TEXTS[key].replace(
    /\{(\w+)\}/g,
    (placeholder, name: string) => values[name] ?? placeholder,
  )
}

/** The text at a key that is made from a name, which may be that of another version. */
export function textFor(key: string): string | undefined {
  const known: Readonly<Record<string, string>> = TEXTS
  return Object.hasOwn(known, key) ? known[key] : undefined
}

export function capital(words: string): string {
  return words.charAt(0).toUpperCase() + words.slice(1)
}

/** The names of reasons that are no signals, by which clients of other filters know them. */
export type OwnSymbol =
  Extract<TextKey, `reason.TAMIS_${string}`> extends `reason.${infer Name}` ? Name : never

/** What a DNS list says. */
export function listWords(list: string, meaning: string): string {
  return say('reason.list', { list, meaning })
}

/** What a score of the operator's says. */
export function scoreWords(name: string): string {
  return say('reason.rule', { name })
}

/** What the virus scanner says. */
export function scanWords(result: 'virus' | 'suspicion', signature: string): string {
  return say(`reason.${result}`, { signature })
}

/** What reads like spam by itself. It counts for a little less than the whole message would, so its margin speaks against spam. */
export function readingWords(reading: ReadingName): string {
  return say('reading', { reading: TEXTS[`reading.${reading}`] })
}
