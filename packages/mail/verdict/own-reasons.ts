/** Reasons that are no signals, by the names that clients of other filters know them by; what they say is in texts.ts. */
import type { ReadingName } from '../features/readings.ts'
import { say, TEXTS, type TextKey } from './texts.ts'

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
