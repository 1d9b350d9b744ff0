/** Verdicts and reasons of the last half hour in words. */
import type { RecentMessagesResult } from '../../client/types.ts'
import { count, counted } from '../format.ts'
import { isSignal, signalClause } from '../try/signal-clauses.ts'

export type RecentMessage = RecentMessagesResult['messages'][number]
export type RecentReason = RecentMessagesResult['reasons'][number]

/** Probability from which what is no spam is suspicious. */
const SUSPICIOUS = 0.5

/** What overrode the models. */
const OVERRULED: Readonly<Record<NonNullable<RecentMessage['bypassReason']>, string>> = {
  phishtank_match: 'a link is in a URL feed',
  user_rule: 'a rule decided',
  knn_memory: "the recipient's corrections decided",
  parse_error: 'only part of the message could be read',
}

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

/** Those that speak either way: for spam, against it, and both together. */
const EITHER_WAY: Readonly<Record<string, readonly [string, string, string]>> = {
  TAMIS_TEXT: [
    'its words are typical of spam',
    'its words are typical of ham',
    'the words of the message',
  ],
  TAMIS_READER: ['it means what spam means', 'it means what ham means', 'what the text means'],
  TAMIS_FORM: ['it is built like spam', 'it is built like ham', 'how the message is built'],
}

/** 'Not spam'. */
export function verdictWords({ verdict, spamProbability, bypassReason }: RecentMessage): string {
  if (verdict === null) return 'Class only'
  if (verdict === 'mixed') return 'Spam for some'
  if (verdict === 'spam') return 'Spam'
  const isSuspicious = bypassReason === null && (spamProbability ?? 0) >= SUSPICIOUS
  return isSuspicious ? 'Suspicious, but not spam' : 'Not spam'
}

/**
 * What decided, or spoke most for the verdict; undefined where nothing did. A signal says more than all
 * words together, as in the sentence under Try.
 */
export function whyWords({ bypassReason, verdict, reasons }: RecentMessage): string | undefined {
  if (bypassReason !== null) return OVERRULED[bypassReason]
  const speaking = reasons.filter(({ points }) => points > 0 === (verdict !== 'ham'))
  const reason = speaking.find(({ name }) => !(name in EITHER_WAY)) ?? speaking[0]
  if (reason === undefined) return undefined
  const [forSpam, againstSpam] = EITHER_WAY[reason.name] ?? []
  return (reason.points > 0 ? forSpam : againstSpam) ?? clause(reason)
}

/** What the reason is, whichever way it spoke. */
export function reasonWords(reason: Pick<RecentReason, 'name' | 'description'>): string {
  return EITHER_WAY[reason.name]?.[2] ?? clause(reason)
}

/** '31 messages towards spam, 4 away from it'. */
export function movedWords({ forSpam, againstSpam }: RecentReason): string {
  if (againstSpam === 0) return `${counted(forSpam, 'message')} towards spam`
  if (forSpam === 0) return `${counted(againstSpam, 'message')} away from spam`
  return `${counted(forSpam, 'message')} towards spam, ${count(againstSpam)} away from it`
}

function clause({ name, description }: Pick<RecentReason, 'name' | 'description'>): string {
  if (isSignal(name)) return signalClause(name, description || undefined)
  const sentence = description.replace(/\.$/, '')
  return ONE_WAY[name] ?? (sentence.charAt(0).toLowerCase() + sentence.slice(1) || name)
}
