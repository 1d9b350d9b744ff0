/**
 * THE JOURNEY of a message, in one screen.
 *
 * `analyse`: bytes -> Message -> Signal[] -> readings -> features -> predictions.
 * It knows no user, no network and no disk. `decide` (verdict/decide.ts) runs on the main thread: from
 * the Analysis and what is known about one recipient it makes that recipient's Verdict. One Analysis
 * serves several recipients.
 */
import { TamisError } from '../errors/errors.ts'
import { encodeEventFeatures } from './features/event-features.ts'
import type { Knowledge } from './knowledge/knowledge.ts'
import type { Message } from './message/message.ts'
import type { Octets } from './message/octets.ts'
import { parseMessage } from './message/parse.ts'
import type { Models } from './models/models.ts'
import { predictClasses } from './models/softmax-regression.ts'
import { worstReading } from './models/worst-reading.ts'
import { type TextRule, textMatches } from './operator-rules/texts.ts'
import { claimsOf } from './personalization/claims.ts'
import { correspondenceOf, outgoingOf } from './personalization/correspondence.ts'
import { personalAnalysis } from './personalization/personal-analysis.ts'
import { isEncrypted } from './signals/encrypted.ts'
import { arrivalOf } from './signals/received.ts'
import type { Facts } from './signals/signal.ts'
import { signals } from './signals/signals.ts'
import { isTextUnread } from './signals/text.ts'
import { type FeedTable, matchLinks } from './urls/feed-table.ts'
import { listNames } from './urls/list-names.ts'
import { allowanceOf, classTermOf } from './verdict/allowances.ts'
import type { Analysis } from './verdict/analysis.ts'
import { detailOf } from './verdict/detail.ts'

import { fromDomainOf, ownMailLogits } from './verdict/sender-term.ts'
import { gtubeLogit, summaryOf } from './verdict/summary.ts'

/** What an analysis is to contain: plain data, so that another thread can be told. */
export interface AnalyseOptions {
  /** Whether to collect what the diagnostic shows. */
  readonly detail?: boolean
  /** Whether to draw the content that users' memories and rules about templates are compared with: a third of an analysis. */
  readonly personal?: boolean
  /** Whether to give the features in the form in which the log of corrections keeps them. */
  readonly eventFeatures?: boolean
  /** Whether to give the names that DNS lists can be asked about. */
  readonly listNames?: boolean
  /** Score the header fields alone: for a message that took a thread down. */
  readonly headerOnly?: boolean
  /** Those of the operator's rules that look into texts; undefined where there are no rules at all. */
  readonly textRules?: readonly TextRule[] | undefined
  /** The feeds in which the message's links are looked up, in shared memory. */
  readonly feeds?: FeedTable | undefined
}

/** What an analysis is made with, which is the same for all messages of a thread but for the clock. */
export interface AnalyseMeans {
  /** What is known of senders and hosts. */
  readonly knowledge?: Knowledge
  /** True once the message has used up its CPU time; asked at stage and part boundaries. */
  readonly outOfTime?: () => boolean
  /** A clock in milliseconds, for the timing of stages. */
  readonly now?: () => number
}

const never = () => false
const always = () => true
const unclocked = () => 0

/**
 * Everything the bytes say by themselves.
 *
 * @throws TamisError NOT_A_MESSAGE when there is no header field in them.
 */
export function analyse(
  octets: Octets,
  facts: Facts,
  models: Models,
  options: AnalyseOptions & AnalyseMeans = {},
): Analysis {
  const { detail = false, headerOnly = false, outOfTime = never, now = unclocked } = options
  const started = now()
  const message = parseMessage(octets, { outOfTime: headerOnly ? always : outOfTime })
  if (message.fields.length === 0) {
    throw new TamisError('NOT_A_MESSAGE', 'The body is not a message: it has no header field')
  }

  const parsed = now()
  const feedHits = options.feeds === undefined ? [] : matchLinks(options.feeds, hrefsOf(message))
  const found = signals(message, facts, options.knowledge)

  const signalled = now()
  const worst = worstReading(message, found, models)
  const { whole, decided, crowdLogit } = worst

  const scored = now()
  const { text, meta, spam, textVector, metaVector } = decided
  const allowance = allowanceOf(message, worst, models)
  const tabs = predictClasses(models.tabs, [whole.textVector, whole.metaVector])

  const classTerm = classTermOf(message, whole.signals, allowance)
  const outgoing = outgoingOf(message)
  const judgedSignals = [...whole.signals, ...decided.signals]
  return {
    text,
    meta,
    spam,
    wholeSpam: whole.spam,
    ...(crowdLogit !== 0 && { crowdLogit }),
    fromDomain: fromDomainOf(message, found),
    ownMail: ownMailLogits(message, decided.signals, models, options.knowledge),
    tabs,
    feedHits,
    ...(allowance && { allowance }),
    ...(classTerm && { classTerm }),
    gtubeLogit: gtubeLogit(message),
    summary: summaryOf(message, worst, models),
    limitsReached: message.limitsReached,
    bodyUnread: message.bodyUnread,
    textUnread: isTextUnread(message) || isEncrypted(message) || worst.enclosesSpam,
    timing: {
      parse: parsed - started,
      signals: signalled - parsed,
      features: scored - signalled,
      models: now() - scored,
    },
    ...(detail ? { detail: detailOf(message, worst, models, arrivalOf(message, facts)) } : {}),
    personal: personalAnalysis(message, models, options.knowledge, options.personal ?? false),
    ...(options.textRules && {
      claims: claimsOf(message, facts),
      ruleTexts: textMatches(message, options.textRules, now),
    }),
    correspondence: correspondenceOf(message, judgedSignals),
    ...(outgoing && { outgoing }),
    ...(options.listNames && { listNames: listNames(message) }),
    ...(options.eventFeatures && { eventFeatures: encodeEventFeatures(textVector, metaVector) }),
  }
}

/** Those of attached messages too: what a feed knows is spam, whoever passes it on. */
function hrefsOf({ links, attachedMessages }: Message): string[] {
  const enclosed = attachedMessages.flatMap((attached) => attached.links)
  return [...links, ...enclosed].map(({ href }) => href)
}
