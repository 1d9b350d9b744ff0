/** The texts of all languages. The console loads only those that it shows. */
import { completed, type Language, type Texts } from '../texts.ts'
import german from './de.json' with { type: 'json' }
import english from './en.json' with { type: 'json' }
import spanish from './es.json' with { type: 'json' }
import french from './fr.json' with { type: 'json' }

export const ENGLISH: Texts = english

const TEXTS: Readonly<Record<Language, Texts>> = {
  en: ENGLISH,
  de: completed(ENGLISH, german),
  fr: completed(ENGLISH, french),
  es: completed(ENGLISH, spanish),
}

export function textsIn(language: Language): Texts {
  return TEXTS[language]
}
