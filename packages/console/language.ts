/**
 * The language in which the service and this page tell of a verdict: the first of the browser's languages that there
 * is, or else English. The page's own labels are in English.
 */
import { completed, LANGUAGES, type Language, type Texts } from '../mail/verdict/texts.ts'

export const LANGUAGE = chosen(navigator.languages)

/** 'de' for a browser that wants Austrian German, then English. */
export function chosen(wanted: readonly string[]): Language {
  const names = wanted.map((tag) => tag.toLowerCase().split('-')[0])
  return names.flatMap((name) => LANGUAGES.find((language) => language === name) ?? [])[0] ?? 'en'
}

type TextsFile = { readonly default: Readonly<Partial<Texts>> }

const FILES: Readonly<Record<Exclude<Language, 'en'>, () => Promise<TextsFile>>> = {
  de: () => import('../mail/verdict/languages/de.json', { with: { type: 'json' } }),
  fr: () => import('../mail/verdict/languages/fr.json', { with: { type: 'json' } }),
  es: () => import('../mail/verdict/languages/es.json', { with: { type: 'json' } }),
}

let loaded: Texts | undefined

/** The texts of LANGUAGE. @throws TypeError before they are loaded. */
export function texts(): Texts {
  if (loaded === undefined) throw new TypeError('The texts are not loaded')
  return loaded
}

/** What stands between a verdict and its reasons: ': ', in French with a space before it. */
export function colon(): string {
  return /\{verdict\}(.*)\{reasons\}/.exec(texts().sentence)?.[1] ?? ': '
}

/** Loads them once, with the first message: other pages have their sentences from the service. */
export async function loadTexts(language: Language = LANGUAGE): Promise<void> {
  if (loaded !== undefined) return
  const [english, own] = await Promise.all([
    import('../mail/verdict/languages/en.json', { with: { type: 'json' } }),
    language === 'en' ? undefined : FILES[language](),
  ])
  loaded = completed(english.default, own?.default ?? {})
}
