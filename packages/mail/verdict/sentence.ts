/**
 * The one sentence that says what a message is, and why: the same in header fields, log lines, the history, the
 * console and commands. It is made from the reasons that are told (topics.ts).
 */
import type { NamedCorrection } from '../personalization/named-correction.ts'
import { correctionClause, type SenderStanding, senderClause } from './clauses.ts'
import { percent } from './percent.ts'
import { isOfList, ruleNamed, signalClause } from './reason-descriptions.ts'
import { resultNamed } from './scan-finding.ts'
import { isJustUnder, type Level, standingOf } from './standing.ts'
import { say, TEXTS, textFor } from './texts.ts'
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
  /** The correction that is behind it. */
  readonly correction?: NamedCorrection
}

export interface Judged extends Pick<Verdict, 'isSpam' | 'spamProbability' | 'bypassReason'> {
  /** The recipient's threshold. */
  readonly threshold: number
}

/** What overrode the models, so that their reasons do not matter. */
const DECIDERS: Readonly<Record<Exclude<BypassReason, 'parse_error'>, readonly string[]>> = {
  user_rule: ['TAMIS_USER_RULE', 'TAMIS_OPERATOR_RULE'],
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
    const decider = reasons.find(({ name }) => deciders.includes(name)) ?? { name: deciders[0]! }
    const clause = correctionClause(decider) ?? ownClause(decider.name, isSpam)
    return {
      verdict: TEXTS[isSpam ? 'decided.spam' : 'decided.ham'],
      reasons: clause ?? decider.name,
    }
  }
  const named = namedReasons(reasons, speaksForSpam(judged))
  const clauses = named.map((reason) => clauseOf(reason, senderDomain))
  const level = levelOf(judged)
  const verdict = level === 'suspicious' ? suspicion(judged) : TEXTS[`level.${level}`]
  const isPartly = bypassReason === 'parse_error'
  // Reasons for spam beside a message that is none would look like a mistake.
  const why =
    level === 'suspicious'
      ? say('sentence.although', { reasons: both(clauses) ?? TEXTS['small.spam'] })
      : (both(clauses) ?? TEXTS['small.any'])
  return { verdict: isPartly ? say('sentence.partly', { verdict }) : verdict, reasons: why }
}

/** Two clauses as one; undefined where there is none. */
function both([first, second]: readonly string[]): string | undefined {
  if (first === undefined || second === undefined) return first
  return say('sentence.two', { first, second })
}

/** 'Suspicious, just under your limit of 94.9 %'. */
function suspicion({ spamProbability, threshold }: Judged): string {
  const isNear = isJustUnder(spamProbability, threshold)
  const limit = percent(threshold)
  return say(isNear ? 'level.just under' : 'level.suspicious', { limit })
}

/** 'Probably spam: a link leads to a bare IP address, and the greeting is generic.' */
export function sentenceText({ verdict, reasons }: Sentence): string {
  return say('sentence', { verdict, reasons })
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

function clauseOf(reason: NamedReason, senderDomain: string): string {
  const { name, points, claim, signature = TEXTS['scan.unnamed'] } = reason
  const corrected = correctionClause(reason)
  if (corrected !== undefined) return corrected
  const rule = ruleNamed(name)
  if (rule !== undefined) return say('sides.rule', { name: rule })
  const scanned = resultNamed(name)
  if (scanned !== undefined) return say(`spam.${scanned}`, { signature })
  if (name === 'TAMIS_SENDER_PASSED') return senderClause('proved', senderDomain)
  if (name === 'TAMIS_SENDER_FAILED') return senderClause('unproved', senderDomain)
  const ofOwn = ownClause(isOfList(name) ? 'TAMIS_LIST' : name, points > 0)
  return ofOwn ?? signalClause(name, claim, senderDomain) ?? name
}

/** What a reason that is no signal says for spam, or against it; some speak for spam alone. */
function ownClause(name: string, forSpam: boolean): string | undefined {
  return textFor(`${forSpam ? 'spam' : 'ham'}.${name}`) ?? textFor(`spam.${name}`)
}
