/** Verdicts and reasons of the last half hour in words. */
import type { RecentMessagesResult } from '../../client/types.ts'
import { isSignal, signalClause } from '../../mail/signals/clauses.ts'
import { count, counted } from '../format.ts'

export type RecentMessage = RecentMessagesResult['messages'][number]
export type RecentReason = RecentMessagesResult['reasons'][number]

/** Probability from which what is no spam is suspicious. */
const SUSPICIOUS = 0.5

/** Reasons that are no signals and speak one way alone. */
const ONE_WAY: Readonly<Record<string, string>> = {
  TAMIS_GTUBE: 'it has the test text for spam filters',
  TAMIS_READER_FAILED: 'the second reading failed',
  TAMIS_READER_LATE: 'the second reading was not done in time',
  TAMIS_SENDER_FAILED: 'it does not come from the domain in From',
  TAMIS_SENDER_PASSED: 'it comes from a known domain',
  TAMIS_SITE_RULE: 'a site rule decided',
  TAMIS_URL_FEED: 'a link is in a URL feed',
}

/** Those that speak either way. */
const EITHER_WAY: Readonly<Record<string, string>> = {
  TAMIS_TEXT: 'the wording of the message',
  TAMIS_READER: 'what the text means',
  TAMIS_FORM: 'how the message is built',
}

/** 'Not spam'. */
export function verdictWords({ verdict, spamProbability, bypassReason }: RecentMessage): string {
  if (verdict === null) return 'Class only'
  if (verdict === 'mixed') return 'Spam for some'
  if (verdict === 'spam') return 'Spam'
  const isSuspicious = bypassReason === null && (spamProbability ?? 0) >= SUSPICIOUS
  return isSuspicious ? 'Suspicious, but not spam' : 'Not spam'
}

/** What the reason is, whichever way it spoke. */
export function reasonWords(reason: Pick<RecentReason, 'name' | 'description'>): string {
  return EITHER_WAY[reason.name] ?? clause(reason)
}

/** '31 messages towards spam, 4 away from it'. */
export function movedWords({ forSpam, againstSpam }: RecentReason): string {
  if (againstSpam === 0) return `${counted(forSpam, 'message')} towards spam`
  if (forSpam === 0) return `${counted(againstSpam, 'message')} away from spam`
  return `${counted(forSpam, 'message')} towards spam, ${count(againstSpam)} away from it`
}

function clause({ name, description }: Pick<RecentReason, 'name' | 'description'>): string {
  if (isSignal(name)) return signalClause(name, description || name)
  const sentence = description.replace(/\.$/, '')
  return ONE_WAY[name] ?? (sentence.charAt(0).toLowerCase() + sentence.slice(1) || name)
}
