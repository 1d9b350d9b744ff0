/**
 * The one sentence that says what a message is, and why: the same in header fields, log lines, the history, the
 * console and commands. It is made from the reasons that are told (topics.ts).
 */
import type { NamedCorrection } from '../personalization/named-correction.ts'
import { correctionClause, type SenderStanding, senderClause, signalClause } from './clauses.ts'
import { percentIn } from './percent.ts'
import { isOfList, ruleNamed } from './reason-descriptions.ts'
import { resultNamed } from './scan-finding.ts'
import { isJustUnder, type Level, standingOf } from './standing.ts'
import { say, type Texts, textFor } from './texts.ts'
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
  user_rule: ['TAMIS_USER_RULE', 'TAMIS_SITE_RULE'],
  knn_memory: ['TAMIS_USER_MEMORY'],
  phishtank_match: ['TAMIS_URL_FEED'],
}

/** The sentence for a verdict with these reasons; `senderDomain` is '' where it is not known. */
export function sentenceOf(
  texts: Texts,
  judged: Judged,
  reasons: readonly NamedReason[],
  senderDomain: string,
): Sentence {
  const { isSpam, bypassReason } = judged
  const begun = (why: string) => say(texts, 'sentence.begins', { reasons: why })
  if (isDecided(bypassReason)) {
    const deciders = DECIDERS[bypassReason]
    const decider = reasons.find(({ name }) => deciders.includes(name)) ?? { name: deciders[0]! }
    const clause = correctionClause(texts, decider) ?? ownClause(texts, decider.name, isSpam)
    return {
      verdict: texts[isSpam ? 'decided.spam' : 'decided.ham'],
      reasons: begun(clause ?? decider.name),
    }
  }
  const named = namedReasons(reasons, speaksForSpam(judged))
  const clauses = named.map((reason) => clauseOf(texts, reason, senderDomain))
  const level = levelOf(judged)
  const verdict = level === 'suspicious' ? suspicion(texts, judged) : texts[`level.${level}`]
  const isPartly = bypassReason === 'parse_error'
  // Reasons for spam beside a message that is none would look like a mistake.
  const why =
    level === 'suspicious'
      ? say(texts, 'sentence.although', { reasons: both(texts, clauses) ?? texts['small.spam'] })
      : begun(both(texts, clauses) ?? texts['small.any'])
  return { verdict: isPartly ? say(texts, 'sentence.partly', { verdict }) : verdict, reasons: why }
}

/** Two clauses as one; undefined where there is none. */
function both(texts: Texts, [first, second]: readonly string[]): string | undefined {
  if (first === undefined || second === undefined) return first
  return say(texts, 'sentence.two', { first, second })
}

/** 'Suspicious, just under your limit of 94.9 %'. */
function suspicion(texts: Texts, { spamProbability, threshold }: Judged): string {
  const isNear = isJustUnder(spamProbability, threshold)
  const limit = percentIn(texts, threshold)
  return say(texts, isNear ? 'level.just under' : 'level.suspicious', { limit })
}

/** 'Probably spam: a link leads to a bare IP address, and the greeting is generic.' */
export function sentenceText(texts: Texts, { verdict, reasons }: Sentence): string {
  return say(texts, 'sentence', { verdict, reasons })
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

function clauseOf(texts: Texts, reason: NamedReason, senderDomain: string): string {
  const { name, points, claim, signature = texts['scan.unnamed'] } = reason
  const corrected = correctionClause(texts, reason)
  if (corrected !== undefined) return corrected
  const rule = ruleNamed(name)
  if (rule !== undefined) return say(texts, 'sides.rule', { name: rule })
  const scanned = resultNamed(name)
  if (scanned !== undefined) return say(texts, `spam.${scanned}`, { signature })
  if (name === 'TAMIS_SENDER_PASSED') return senderClause(texts, 'proved', senderDomain)
  if (name === 'TAMIS_SENDER_FAILED') return senderClause(texts, 'unproved', senderDomain)
  const ofOwn = ownClause(texts, isOfList(name) ? 'TAMIS_LIST' : name, points > 0)
  return ofOwn ?? signalClause(texts, name, claim, senderDomain) ?? name
}

/** What a reason that is no signal says for spam, or against it; some speak for spam alone. */
function ownClause(texts: Texts, name: string, forSpam: boolean): string | undefined {
  return textFor(texts, `${forSpam ? 'spam' : 'ham'}.${name}`) ?? textFor(texts, `spam.${name}`)
}
