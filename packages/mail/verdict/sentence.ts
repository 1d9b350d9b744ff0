/**
 * The one sentence that says what a message is, and why: the same in header fields, log lines, the history, the
 * console and commands.
 *
 * It names one reason of each of the two strongest topics; a list has the five strongest reasons, those that decide the
 * sentence among them. So the sentence can be made anew from a list, wherever that is shown.
 */
import { logit } from '../models/prediction.ts'
import { namedCorrection } from '../personalization/named-correction.ts'
import type { AspectName } from '../signals/signals.ts'
import { SIGNALS } from '../signals/table.ts'
import type { Analysis } from './analysis.ts'
import { decide, modelledLogit, rulingRule } from './decide.ts'
import type { Evidence } from './evidence.ts'
import { explain, standingOfSender } from './explain.ts'
import type { Policy } from './policy.ts'
import {
  clauseOf,
  type DescribedReason,
  deciderOf,
  distanceOf,
  own,
  type Reason,
  reasonDescription,
  reasonOf,
} from './reasons.ts'
import { isJustUnder, percent, standingOf } from './standing.ts'
import { say, TEXTS } from './texts.ts'
import type { BypassReason, Verdict } from './verdict.ts'

export interface Sentence {
  /** 'Probably spam'. */
  readonly verdict: string
  /** 'a link leads to a bare IP address, and the greeting is generic'. It has no semicolon and no quotation mark. */
  readonly reasons: string
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

/** Terms that say nothing about the message by themselves. */
const UNNAMED: ReadonlySet<string> = new Set(['TAMIS_BASE', 'TAMIS_OTHER'])

/** Points below this are written as 0.0. */
const NEGLIGIBLE = 0.05

/**
 * The strongest reasons for a verdict, at most REASONS_MAX, for log lines, header fields and the history; none under a
 * licence without spam detection.
 *
 * Those of a header field are made with the `evidence` of no user: all recipients of a message read its header, and
 * the sender too when it bounces. Those of the history, which only the operator reads, have what is the recipient's own.
 */
export function strongestReasons(
  analysis: Analysis,
  evidence: Evidence,
  policy: Policy,
  verdict: Verdict = decide(analysis, evidence, policy),
): Reason[] {
  if (!policy.spamEntitled) return []
  const standing = standingOfSender(evidence)
  const reasons = explain(analysis, evidence, policy)
    .map((term) => withCorrection(reasonOf(term, standing), evidence))
    .filter(({ name }) => !UNNAMED.has(name))
  const decider = deciderOf(verdict.bypassReason, rulingRule(analysis, evidence, policy))
  if (decider !== undefined && decider.name !== 'TAMIS_PARTLY_READ') {
    // With what it added to what the models said.
    const distance = modelledLogit(analysis, evidence, policy) - logit(policy.threshold)
    const { name } = decider
    reasons.unshift(withCorrection(own(name, distanceOf(verdict) - distance), evidence))
  }
  const forSpam = speaksForSpam({ ...verdict, threshold: policy.threshold })
  // It weighs nothing, and is why a person is to look.
  const missing = evidence.scores?.isCut ? [own('TAMIS_RULES_CUT', 0)] : []
  return [
    ...listedReasons(
      reasons.filter(({ points }) => Math.abs(points) >= NEGLIGIBLE),
      forSpam,
      REASONS_MAX - missing.length,
    ),
    ...missing,
  ]
}

/** With the correction behind what the memory decided, or what the user's own models add. */
function withCorrection(reason: Reason, { memoryVote, shiftFrom }: Evidence): Reason {
  const learned = reason.name === 'TAMIS_USER_LEARNED' ? shiftFrom?.[0]?.correction : undefined
  const remembered = reason.name === 'TAMIS_USER_MEMORY' ? memoryVote?.decidedBy : undefined
  const correction = remembered === undefined ? learned : namedCorrection(remembered)
  return correction === undefined ? reason : { ...reason, correction }
}

/** A reason in a summary. */
export function summaryReason(reason: Reason): Required<Omit<DescribedReason, 'evidence'>> {
  const { name, points } = reason
  return { name, points, description: reasonDescription(reason) ?? name }
}

/** The sentence for a verdict with these reasons; `senderDomain` is '' where it is not known. */
export function sentenceOf(
  judged: Judged,
  reasons: readonly Reason[],
  senderDomain: string,
): Sentence {
  const { isSpam, bypassReason, spamProbability, threshold } = judged
  if (isDecided(bypassReason)) {
    const deciders = DECIDERS[bypassReason]
    const decider = reasons.find(({ name }) => deciders.includes(name)) ?? { name: deciders[0]! }
    return {
      verdict: TEXTS[isSpam ? 'decided.spam' : 'decided.ham'],
      reasons: clauseOf(decider, isSpam),
    }
  }
  const [first, second] = namedReasons(reasons, speaksForSpam(judged)).map((reason) =>
    clauseOf(reason, reason.points > 0, senderDomain),
  )
  const named = first && second ? say('sentence.two', { first, second }) : first
  const { level } = standingOf(spamProbability, threshold)
  const isSuspicious = level === 'suspicious'
  const isNear = isSuspicious && isJustUnder(spamProbability, threshold)
  const verdict = say(`level.${isNear ? 'just under' : level}`, { limit: percent(threshold) })
  return {
    verdict: bypassReason === 'parse_error' ? say('sentence.partly', { verdict }) : verdict,
    // Reasons for spam beside a message that is none would look like a mistake.
    reasons: isSuspicious
      ? say('sentence.although', { reasons: named ?? TEXTS['small.spam'] })
      : (named ?? TEXTS['small.any']),
  }
}

/** 'Probably spam: a link leads to a bare IP address, and the greeting is generic.' */
export function sentenceText({ verdict, reasons }: Sentence): string {
  return say('sentence', { verdict, reasons })
}

/** Whether the reasons for spam explain the verdict; else those against it do. Of a suspicious message it is said why it is. */
function speaksForSpam({ isSpam, bypassReason, spamProbability, threshold }: Judged): boolean {
  if (isSpam || isDecided(bypassReason)) return isSpam
  return standingOf(spamProbability, threshold).level === 'suspicious'
}

function isDecided(reason: BypassReason | null): reason is Exclude<BypassReason, 'parse_error'> {
  return reason !== null && reason !== 'parse_error'
}

/** What reasons are about, in the order in which a sentence names them: first what everybody understands. */
const TOPICS = ['decision', 'links', 'attachments', 'sender', 'wording', 'layout', 'form'] as const

type Topic = (typeof TOPICS)[number]

const TOPIC_OF_ASPECT: Readonly<Record<AspectName, Topic>> = {
  attachments: 'attachments',
  content: 'wording',
  date: 'layout',
  dkim: 'sender',
  from: 'sender',
  html: 'layout',
  known: 'sender',
  language: 'wording',
  links: 'links',
  list: 'sender',
  mailer: 'sender',
  'message-id': 'layout',
  mime: 'layout',
  received: 'sender',
  recipients: 'sender',
  sender: 'sender',
  subject: 'wording',
  'text-style': 'wording',
}

/** Topics of reasons that are no signals. */
const TOPIC_OF_OTHERS: Readonly<Record<string, Topic>> = {
  TAMIS_TEXT: 'wording',
  TAMIS_FORM: 'form',
  TAMIS_VIRUS: 'attachments',
  TAMIS_SCAN_SUSPICION: 'attachments',
  TAMIS_SENDER_PASSED: 'sender',
  TAMIS_SENDER_FAILED: 'sender',
}

/** Reasons in a list: a line that a person reads. */
export const REASONS_MAX = 5

/** Reasons that a sentence names. */
const NAMED_MAX = 2

/** Log-odds below which a reason is none worth a sentence: a fifth more or less of the odds. */
const NAMED_LOGIT_MIN = 0.2

/** Sums of many words. They say how strong the wording is, but a fact that counts for something says more to a person. */
const SUMS: ReadonlySet<string> = new Set(['TAMIS_TEXT'])

/** Log-odds from which a fact is named in place of the sum. */
const FACT_LOGIT_MIN = 0.5

/** Log-odds from which a sum is named: less is typical of nothing. */
const SUM_LOGIT_MIN = 1

/** What everybody understands, and can see for themselves, counts as much more as this. */
const PLAIN_SHARE = 2
const PLAIN_ASPECTS: readonly string[] = ['links', 'attachments']

/** How much a fact about the text counts that by itself speaks for neither side, such as 'it gives an order number'. */
const NEUTRAL_SHARE = 0.5

/** Of each signal its topic, and by how much its weight counts in a sentence. */
const OF_SIGNALS: ReadonlyMap<string, { readonly topic: Topic; readonly share: number }> = new Map(
  SIGNALS.map(({ name, aspect, direction }) => {
    const topic = name.startsWith('KNOWN_LINK') ? 'links' : TOPIC_OF_ASPECT[aspect as AspectName]
    // What speaks for neither side explains something only if it is about the text.
    const neutralShare = topic === 'wording' ? NEUTRAL_SHARE : 0
    const share = PLAIN_ASPECTS.includes(aspect) ? PLAIN_SHARE : 1
    return [name, { topic, share: direction === 'either' ? neutralShare : share }]
  }),
)

/** A reason by its name, and what it adds to the log-odds of spam. */
type Weighed = Pick<Reason, 'name' | 'points'>

/** What counts of one topic: the strongest reason, and the strongest fact, which is named in its place. */
interface TopicReasons<Of> {
  strongest: Of
  /** What the strongest explains, as tellingOf gives it. */
  telling: number
  fact: Of | undefined
  factTelling: number
}

/** The reasons that a sentence names of a verdict that speaks for spam or against it, in their order; at most two, of two topics. */
export function namedReasons<Of extends Weighed>(reasons: readonly Of[], forSpam: boolean): Of[] {
  return strongestTopics(reasons, forSpam)
    .slice(0, NAMED_MAX)
    .map(({ strongest, fact }) => fact ?? strongest)
    .sort((a, b) => TOPICS.indexOf(topicOf(a.name)) - TOPICS.indexOf(topicOf(b.name)))
}

/** At most `count` of `reasons`, those that decide the sentence among them, the strongest first. */
export function listedReasons<Of extends Weighed>(
  reasons: readonly Of[],
  forSpam: boolean,
  count: number = REASONS_MAX,
): Of[] {
  const named = strongestTopics(reasons, forSpam)
    .slice(0, NAMED_MAX)
    .flatMap(({ strongest, fact }) => [strongest, fact ?? strongest])
  const chosen = new Set([...named, ...strongestFirst(reasons)])
  return strongestFirst([...chosen].slice(0, count))
}

/** The topics of the reasons that speak for spam, or of those against it, the strongest first. One look at each reason: this is done for every message. */
function strongestTopics<Of extends Weighed>(
  reasons: readonly Of[],
  forSpam: boolean,
): TopicReasons<Of>[] {
  const topics = new Map<Topic, TopicReasons<Of>>()
  for (const reason of reasons) {
    if (reason.points > 0 !== forSpam) continue
    const telling = tellingOf(reason)
    if (telling === 0) continue
    const name = topicOf(reason.name)
    let topic = topics.get(name)
    if (topic === undefined) {
      topic = { strongest: reason, telling, fact: undefined, factTelling: 0 }
      topics.set(name, topic)
    } else if (telling > topic.telling) {
      topic.strongest = reason
      topic.telling = telling
    }
    if (telling <= topic.factTelling || telling < FACT_LOGIT_MIN || SUMS.has(reason.name)) continue
    topic.fact = reason
    topic.factTelling = telling
  }
  // That a message is built like spam tells nobody anything: it is said where there is nothing else.
  if (topics.size > 1) topics.delete('form')
  return [...topics.values()].sort((a, b) => b.telling - a.telling)
}

/** How much a reason explains to a person, in log-odds; 0 for one that is none to a sentence. */
function tellingOf({ name, points }: Weighed): number {
  const weight = Math.abs(points)
  if (weight < (SUMS.has(name) ? SUM_LOGIT_MIN : NAMED_LOGIT_MIN)) return 0
  return weight * (OF_SIGNALS.get(name)?.share ?? 1)
}

function topicOf(name: string): Topic {
  return OF_SIGNALS.get(name)?.topic ?? TOPIC_OF_OTHERS[name] ?? 'decision'
}

function strongestFirst<Of extends Weighed>(reasons: readonly Of[]): Of[] {
  return reasons.toSorted((a, b) => Math.abs(b.points) - Math.abs(a.points))
}
