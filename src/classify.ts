/**
 * THE JOURNEY of a message, in one screen.
 *
 * `analyse` runs on a worker thread: bytes -> Message -> Signal[] -> features -> predictions.
 * It knows no user, no network and no disk. `decide` runs on the main thread: it takes the
 * Analysis, and what is known about one recipient, to that recipient's Verdict. One Analysis
 * serves several recipients.
 */
import { TamisError } from './errors.ts'
import { encodeEventFeatures } from './features/event-features.ts'
import { metaFeatures } from './features/meta-features.ts'
import { textFeatures } from './features/text-features.ts'
import type { Message } from './message/message.ts'
import type { Octets } from './message/octets.ts'
import { parseMessage } from './message/parse.ts'
import { fuse } from './models/fusion.ts'
import { predict } from './models/logistic.ts'
import type { Models } from './models/models.ts'
import { predictClasses } from './models/softmax-regression.ts'
import { type MessageEmbedder, personalAnalysis } from './personalization/personal-analysis.ts'
import { deliveredAt } from './signals/received.ts'
import type { Facts } from './signals/signal.ts'
import { signals } from './signals/signals.ts'
import type { FeedTable } from './urls/feed-table.ts'
import { matchLinks } from './urls/match-links.ts'
import type { Analysis } from './verdict/analysis.ts'
import { detailOf } from './verdict/detail.ts'

export { decide, decideClass } from './verdict/decide.ts'

export interface AnalyseOptions {
  /** Also collect what the diagnostic shows. */
  readonly detail?: boolean
  /** Also draw what a user's rules and memory are compared with, embedded by this. */
  readonly personal?: MessageEmbedder
  /** Also give the features as the log of corrections keeps them. */
  readonly teach?: boolean
  /** Also look for its links in these. */
  readonly feeds?: FeedTable
  /** Score the header fields alone: for a message that took a worker down. */
  readonly headerOnly?: boolean
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
  options: AnalyseOptions = {},
): Analysis {
  const { detail = false, headerOnly = false, outOfTime = never, now = unclocked } = options
  const started = now()
  const message = parseMessage(octets, { outOfTime: headerOnly ? always : outOfTime })
  if (message.fields.length === 0) {
    throw new TamisError('NOT_A_MESSAGE', 'The body is no message: it has no header field')
  }

  const parsed = now()
  const feedHits = options.feeds === undefined ? [] : matchLinks(options.feeds, hrefsOf(message))
  const found = signals(message, options.teach ? asItArrived(message, facts) : facts)

  const signalled = now()
  const text = textFeatures(message, detail)
  const meta = metaFeatures(message, found)

  const drawn = now()
  const textPrediction = predict(models.text, text.vector)
  const metaPrediction = predict(models.meta, meta)
  const spam = fuse(models.fusion, textPrediction, metaPrediction)
  const tabs = predictClasses(models.tabs, [text.vector, meta])

  return {
    text: textPrediction,
    meta: metaPrediction,
    spam,
    tabs,
    signals: found,
    feedHits,
    limitsReached: message.limitsReached,
    bodyUnread: message.bodyUnread,
    timing: {
      parse: parsed - started,
      signals: signalled - parsed,
      features: drawn - signalled,
      models: now() - drawn,
    },
    ...(detail ? { detail: detailOf(message, { text, meta }, models) } : {}),
    ...(options.personal ? { personal: personalAnalysis(message, options.personal) } : {}),
    ...(options.teach ? { eventFeatures: encodeEventFeatures(text.vector, meta) } : {}),
  }
}

/**
 * The facts of the delivery, for a message that a user takes from a mailbox: days later, by which
 * its Date is no lie. What is learned of it has to be what it was judged by.
 */
function asItArrived(message: Message, facts: Facts): Facts {
  const delivered = deliveredAt(message) ?? facts.receivedAt
  return delivered < facts.receivedAt ? { ...facts, receivedAt: delivered } : facts
}

function hrefsOf({ links }: Message): string[] {
  return links.map(({ href }) => href)
}
