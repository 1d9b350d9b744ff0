/** How a verdict looks: a colour and a sign. No tick stands beside a doubt. */
import { isInDoubt } from '../../mail/verdict/standing.ts'
import type { IconName } from './parts.tsx'

export type Tone = 'spam' | 'warn' | 'ham' | 'plain'

export const TONE_ICONS: Readonly<Record<Tone, IconName>> = {
  spam: 'spam',
  warn: 'warning',
  ham: 'ham',
  plain: 'file',
}

interface JudgedMessage {
  readonly isSpam: boolean
  readonly spamProbability: number
  readonly threshold: number
  readonly bypassReason: string | null
  readonly shouldEscalate: boolean
}

/** In doubt is what is no spam and may be: it is suspicious, or a person should review it. */
export function toneOf(judged: JudgedMessage): Tone {
  if (judged.isSpam) return 'spam'
  return judged.shouldEscalate || isInDoubt(judged) ? 'warn' : 'ham'
}
