/** What the diagnostic shows of a message: what was read, what went into each model, what came out. */
import type { SparseVector } from '../features/sparse-vector.ts'
import { textFeatures } from '../features/text-features.ts'
import { hostOf, registrableDomain } from '../message/domain.ts'
import { headerBody, type Message } from '../message/message.ts'
import {
  type NamedFeatures,
  spamContributions,
  spanName,
  textLogits,
} from '../models/contributions.ts'
import { predict } from '../models/logistic.ts'
import type { Models } from '../models/models.ts'
import { CLASSES } from '../models/prediction.ts'
import { classLogits, predictClasses } from '../models/softmax-regression.ts'
import type { ScoredReading, Worst } from '../models/worst-reading.ts'
import { languageOf } from '../signals/language.ts'
import { linkTargets } from '../signals/link-targets.ts'
import { otherHostShown } from '../signals/links.ts'
import type { Signal } from '../signals/signal.ts'
import { browserReading } from '../urls/canonical.ts'
import { unwrapped } from '../urls/unwrap.ts'
import type { AnalysisDetail, ModelTrace } from './analysis.ts'
import { markedMessage } from './marked-message.ts'
import { believedTerms, onlyOfReading } from './wording.ts'

/** Terms named in an explanation: more than a person reads, few enough for a page. */
const CONTRIBUTIONS_MAX = 60

/** Text features named as inputs; a message has thousands, all of the same value. */
const TEXT_INPUTS_MAX = 200

/** Links, parts and attachments listed. Stops an answer larger than the message. */
const LISTED_MAX = 200

/** The detail of an analysis: what the models were given for the reading that decided, and the class of the whole message. */
export function detailOf(
  message: Message,
  { whole, decided }: Worst,
  models: Models,
  receivedAt: Date,
): AnalysisDetail {
  const features = { text: textFeatures(decided.message, true), meta: decided.metaVector }
  const disbelieved = onlyOfReading(whole, decided)
  const signals = withoutRepeats([...whole.signals, ...decided.signals])
  return {
    signals: signals.filter(({ name }) => !disbelieved.has(name)),
    email: { ...emailDetail(message, features, models, receivedAt), readAs: decided.name },
    links: linkDetail(message),
    models: {
      text: textTrace(features, models),
      meta: metaTrace(features.meta, models),
      tabs: tabsTrace(whole, models),
    },
    contributions: believedTerms(
      spamContributions(models, features, decided),
      decided.message,
      disbelieved,
      CONTRIBUTIONS_MAX,
    ),
  }
}

/** The signals without repetitions: a reading mostly raises those of the whole again. */
function withoutRepeats(signals: readonly Signal[]): Signal[] {
  const names = new Set<string>()
  return signals.filter(({ name }) => !names.has(name) && names.add(name))
}

function emailDetail(
  message: Message,
  features: NamedFeatures,
  models: Models,
  receivedAt: Date,
): Omit<AnalysisDetail['email'], 'readAs'> {
  return {
    bytes: message.bytes,
    subject: message.subject,
    from: headerBody(message, 'from') ?? '',
    date: headerBody(message, 'date') ?? '',
    receivedAt: receivedAt.toISOString(),
    messageId: headerBody(message, 'message-id') ?? '',
    parts: message.parts
      .slice(0, LISTED_MAX)
      .map(({ type, depth, bodyBytes }) => ({ type, depth, bytes: bodyBytes })),
    attachments: message.attachments
      .slice(0, LISTED_MAX)
      .map(({ fileName, type, bytes, headHash }) => ({ fileName, type, bytes, headHash })),
    oddities: message.oddities,
    language: languageOf(message),
    reading: markedMessage(message, textLogits(models, features)),
  }
}

function linkDetail(message: Message): AnalysisDetail['links'] {
  return linkTargets(message)
    .slice(0, LISTED_MAX)
    .map((target) => {
      const { link } = target
      const leadsTo = browserReading(unwrapped(link.href).at(-1) ?? target.href)
      return {
        ...link,
        host: hostOf(link.href) ?? '',
        registrableDomain: domainOfLink(link.href),
        leadsTo,
        leadsToDomain: domainOfLink(leadsTo),
        shows: otherHostShown(message, target) ?? null,
      }
    })
}

function domainOfLink(href: string): string {
  const host = hostOf(href)
  return host === undefined ? '' : registrableDomain(host)
}

function textTrace({ text }: NamedFeatures, models: Models): ModelTrace {
  const { indices, values } = text.vector
  const inputs: Record<string, number> = {}
  indices.subarray(0, TEXT_INPUTS_MAX).forEach((index, position) => {
    inputs[spanName(text.spans.get(index)!)] = values[position]!
  })
  const { logit, probability } = predict(models.text, text.vector)
  return { inputs, outputs: { logit, probability, features: indices.length } }
}

function metaTrace(meta: SparseVector, models: Models): ModelTrace {
  const { logit, probability } = predict(models.meta, meta)
  return { inputs: metaInputs(meta, models), outputs: { logit, probability } }
}

function metaInputs(
  { indices, values }: SparseVector,
  { metaNumbering }: Models,
): Record<string, number> {
  return Object.fromEntries(
    Array.from(indices, (index, position) => [metaNumbering.names[index]!, values[position]!]),
  )
}

function tabsTrace({ textVector, metaVector }: ScoredReading, models: Models): ModelTrace {
  const blocks = [textVector, metaVector]
  const logits = classLogits(models.tabs, blocks)
  const outputs = Object.fromEntries(CLASSES.map((name, i) => [`logit ${name}`, logits[i]!]))
  return {
    inputs: { 'text features': textVector.indices.length, ...metaInputs(metaVector, models) },
    outputs: { ...outputs, ...predictClasses(models.tabs, blocks) },
  }
}
