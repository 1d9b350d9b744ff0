/**
 * What programs add by themselves, in the language of the message: the small print of mailings and
 * the line a telephone puts under what is written on it (packages/lab/data/rendering/phrases.json).
 */
import { readTemplate } from './templates.ts'

export interface Phrases {
  readonly unsubscribe: string
  readonly viewInBrowser: string
  /** Why the reader has this. */
  readonly reason: string
  readonly rights: string
  readonly privacy: string
  /** Holds {device}. */
  readonly sentFrom: string
}

const PHRASES: Readonly<Record<string, Phrases>> = JSON.parse(readTemplate('phrases.json'))

/** The phrases of `language`, ISO 639-1; English ones if we have none. */
export function phrasesOf(language: string): Phrases {
  return PHRASES[language] ?? PHRASES.en!
}
