/**
 * The one sentence that says what a message is, and why: the same in header fields, log lines, the history, the
 * console and commands. It is made from the reasons that are told (topics.ts).
 */
import { type SenderStanding, senderClause, signalClause } from '../signals/clauses.ts'
import { percent } from './percent.ts'
import { reasonDescription } from './reason-descriptions.ts'
import { isJustUnder, type Level, standingOf } from './standing.ts'
import { namedReasons, type Weighed } from './topics.ts'
import type { BypassReason, Verdict } from './verdict.ts'

export interface Sentence {
  /** 'Probably spam'. */
  readonly verdict: string
  /** 'a link leads to a bare IP address, and the greeting is generic'. It has no semicolon and no quotation mark. */
  readonly reasons: string
}

/** A reason as it is kept: how the sender stood is in what it says of itself. */
export interface NamedReason extends Weighed {
  /** Only of what a sender claims, where that was checked. */
  readonly claim?: Exclude<SenderStanding, 'unchecked'>
  /** Only of what a virus scanner found: the name of its signature (scan-finding.ts). */
  readonly signature?: string
}

export interface Judged extends Pick<Verdict, 'isSpam' | 'spamProbability' | 'bypassReason'> {
  /** The recipient's threshold. */
  readonly threshold: number
}

/** Why a message has its verdict where no single reason counts for much. */
const NOTHING_ELSE = 'many small reasons together'

/** The same of a message that is suspicious. */
const DOUBTS = 'many small reasons together speak for spam'

/** Reasons that are no signals: for spam, and against it. */
const CLAUSES: Readonly<Record<string, readonly [string, string]>> = {
  TAMIS_TEXT: ['its wording is typical of spam', 'its wording is typical of wanted mail'],
  TAMIS_READER: ['its meaning is that of spam', 'its meaning is that of wanted mail'],
  TAMIS_FORM: ['it is built like spam', 'it is built like wanted mail'],
  TAMIS_GTUBE: ['it has the test text for spam filters', ''],
  TAMIS_CORRESPONDENT: ['the recipient knows the sender', 'the recipient knows the sender'],
  TAMIS_USER_LEARNED: [
    'the recipient has corrected mail of this kind',
    'the recipient has corrected mail of this kind',
  ],
  TAMIS_USER_RULE: ['a rule of the recipient blocks it', 'a rule of the recipient allows it'],
  TAMIS_SITE_RULE: ['a site rule blocks it', 'a site rule allows it'],
  TAMIS_USER_MEMORY: [
    'the recipient has marked mail like this as spam',
    'the recipient has marked mail like this as not spam',
  ],
  TAMIS_URL_FEED: ['a link is in a feed of malicious addresses', ''],
}

/** What overrode the models, so that their reasons do not matter. */
const DECIDERS: Readonly<Record<Exclude<BypassReason, 'parse_error'>, readonly string[]>> = {
  user_rule: ['TAMIS_USER_RULE', 'TAMIS_SITE_RULE'],
  knn_memory: ['TAMIS_USER_MEMORY'],
  phishtank_match: ['TAMIS_URL_FEED'],
}

/** The sentence for a verdict with these reasons; `senderDomain` is '' where it is not known. */
export function sentenceOf(
  judged: Judged,
  reasons: readonly NamedReason[],
  senderDomain: string,
): Sentence {
  const { isSpam, bypassReason } = judged
  if (isDecided(bypassReason)) {
    const deciders = DECIDERS[bypassReason]
    const decider = reasons.find(({ name }) => deciders.includes(name))?.name ?? deciders[0]!
    return { verdict: isSpam ? 'Spam' : 'Not spam', reasons: sided(CLAUSES[decider]!, isSpam) }
  }
  const forSpam = speaksForSpam(judged)
  const clauses = namedReasons(reasons, forSpam).map((reason) => clauseOf(reason, senderDomain))
  const partly = bypassReason === 'parse_error' ? ', read only in part' : ''
  const why = clauses.length === 0 ? NOTHING_ELSE : clauses.join(', and ')
  const isSuspicious = levelOf(judged) === 'suspicious'
  return {
    verdict: (isSuspicious ? suspicion(judged) : capital(levelOf(judged))) + partly,
    // Reasons for spam beside a message that is none would look like a mistake.
    reasons: isSuspicious ? `delivered, although ${clauses.length === 0 ? DOUBTS : why}` : why,
  }
}

/** 'Suspicious, just under your limit of 94.9 %'. */
function suspicion({ spamProbability, threshold }: Judged): string {
  const where = isJustUnder(spamProbability, threshold) ? 'just under' : 'under'
  return `Suspicious, ${where} your limit of ${percent(threshold)}`
}

/** 'Probably spam: a link leads to a bare IP address, and the greeting is generic.' */
export function sentenceText({ verdict, reasons }: Sentence): string {
  return `${verdict}: ${reasons}.`
}

/** Whether the reasons for spam explain the verdict; else those against it do. A suspicious message is told why it is. */
export function speaksForSpam(judged: Judged): boolean {
  if (judged.isSpam || isDecided(judged.bypassReason)) return judged.isSpam
  return levelOf(judged) === 'suspicious'
}

function isDecided(reason: BypassReason | null): reason is Exclude<BypassReason, 'parse_error'> {
  return reason !== null && reason !== 'parse_error'
}

function levelOf({ spamProbability, threshold }: Judged): Level {
  return standingOf(spamProbability, threshold).level
}

function capital(words: string): string {
  return words.charAt(0).toUpperCase() + words.slice(1)
}

function clauseOf(
  { name, points, claim, signature = 'something' }: NamedReason,
  senderDomain: string,
): string {
  if (name === 'TAMIS_VIRUS') return `it carries ${signature}, which ClamAV knows`
  if (name === 'TAMIS_SCAN_SUSPICION') return `ClamAV suspects it of ${signature}`
  if (name === 'TAMIS_SENDER_PASSED') return senderClause('proved', senderDomain)
  if (name === 'TAMIS_SENDER_FAILED') return senderClause('unproved', senderDomain)
  const clauses = CLAUSES[name]
  if (clauses !== undefined) return sided(clauses, points > 0)
  return signalClause(name, reasonDescription(name) ?? name, claim, senderDomain)
}

function sided([forSpam, against]: readonly [string, string], isForSpam: boolean): string {
  return isForSpam ? forSpam : against
}
