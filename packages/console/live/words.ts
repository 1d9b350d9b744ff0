/** Verdicts and reasons of the last half hour in words. */
import type { RecentMessages } from '../../client/client.ts'
import { count, counted } from '../format.ts'
import type { Tone } from '../ui/tone.ts'

export type RecentMessage = RecentMessages['messages'][number]
export type RecentReason = RecentMessages['reasons'][number]

/** Probability from which what is no spam is suspicious. */
const SUSPICIOUS = 0.5

/** 'Not spam'. */
export function verdictWords(message: RecentMessage): string {
  const { verdict } = message
  if (verdict === null) return 'Class only'
  if (verdict === 'mixed') return 'Spam for some'
  if (verdict === 'spam') return 'Spam'
  return isSuspicious(message) ? 'Suspicious' : 'Not spam'
}

/** The thresholds of the recipients are not known here, which ui/tone.ts goes by. */
export function messageTone(message: RecentMessage): Tone {
  const { verdict, shouldEscalate } = message
  if (verdict === null) return 'plain'
  if (verdict !== 'ham') return 'spam'
  return isSuspicious(message) || shouldEscalate ? 'warn' : 'ham'
}

function isSuspicious({ spamProbability, bypassReason }: RecentMessage): boolean {
  const isOfModels = bypassReason === null || bypassReason === 'parse_error'
  return isOfModels && (spamProbability ?? 0) >= SUSPICIOUS
}

/** What the reason is: as it is told of a single message. */
export function reasonWords({ name, description }: Pick<RecentReason, 'name' | 'description'>) {
  const words = description.replace(/\.$/, '')
  return words === '' ? name : words
}

/** '31 messages towards spam, 4 away from it'. */
export function movedWords({ forSpam, againstSpam }: RecentReason): string {
  if (againstSpam === 0) return `${counted(forSpam, 'message')} towards spam`
  if (forSpam === 0) return `${counted(againstSpam, 'message')} away from spam`
  return `${counted(forSpam, 'message')} towards spam, ${count(againstSpam)} away from it`
}
