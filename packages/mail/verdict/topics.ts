/**
 * What a reason is about, and which reasons are given.
 *
 * A sentence names one reason of each of the two strongest topics, and a list the five strongest reasons, those that
 * decide the sentence among them. So the sentence can be made anew from a list, wherever that is shown.
 */
import type { AspectName } from '../signals/signals.ts'
import { SIGNALS } from '../signals/table.ts'

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
export interface Weighed {
  readonly name: string
  readonly points: number
}

/** What counts of one topic: the strongest reason, and the strongest fact, which is named in its place. */
interface TopicReasons<Reason> {
  strongest: Reason
  /** What the strongest explains, as tellingOf gives it. */
  telling: number
  fact: Reason | undefined
  factTelling: number
}

/** The reasons that a sentence names of a verdict that speaks for spam or against it, in their order; at most two, of two topics. */
export function namedReasons<Reason extends Weighed>(
  reasons: readonly Reason[],
  forSpam: boolean,
): Reason[] {
  return strongestTopics(reasons, forSpam)
    .slice(0, NAMED_MAX)
    .map(namedOf)
    .sort((a, b) => TOPICS.indexOf(topicOf(a.name)) - TOPICS.indexOf(topicOf(b.name)))
}

/** At most `count` of `reasons`, those that decide the sentence among them, the strongest first. */
export function listedReasons<Reason extends Weighed>(
  reasons: readonly Reason[],
  forSpam: boolean,
  count: number = REASONS_MAX,
): Reason[] {
  const named = reasonsIn(strongestTopics(reasons, forSpam).slice(0, NAMED_MAX))
  return strongestFirst([...new Set([...named, ...strongestFirst(reasons)])].slice(0, count))
}

/** Those of `reasons` that may be given, whichever way the verdict goes and whatever reasons come besides. */
export function candidates<Reason extends Weighed>(reasons: readonly Reason[]): Reason[] {
  const topics = [true, false].flatMap((forSpam) => strongestTopics(reasons, forSpam))
  const strongest = strongestFirst(reasons).slice(0, REASONS_MAX)
  return strongestFirst([...new Set([...strongest, ...reasonsIn(topics)])])
}

/** The topics of the reasons that speak for spam, or of those against it, the strongest first. One look at each reason: this is done for every message. */
function strongestTopics<Reason extends Weighed>(
  reasons: readonly Reason[],
  forSpam: boolean,
): TopicReasons<Reason>[] {
  const topics = new Map<Topic, TopicReasons<Reason>>()
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

function namedOf<Reason>({ strongest, fact }: TopicReasons<Reason>): Reason {
  return fact ?? strongest
}

function reasonsIn<Reason>(topics: readonly TopicReasons<Reason>[]): Reason[] {
  return topics.flatMap((topic) => [topic.strongest, namedOf(topic)])
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

function strongestFirst<Reason extends Weighed>(reasons: readonly Reason[]): Reason[] {
  return reasons.toSorted((a, b) => Math.abs(b.points) - Math.abs(a.points))
}
