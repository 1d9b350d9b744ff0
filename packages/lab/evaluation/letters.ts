/**
 * Mail of a corpus as simulations of corrections see it: as features, with who sent it and when it
 * arrived; what models say of it, and what the log keeps of a correction.
 */
import { createHash } from 'node:crypto'
import { encodeEventFeatures } from '../../mail/features/event-features.ts'
import type { SparseVector } from '../../mail/features/sparse-vector.ts'
import { FEATURE_VERSION } from '../../mail/features/version.ts'
import type { LearnEvent } from '../../mail/learning/learn-event.ts'
import { parseAddresses } from '../../mail/message/address.ts'
import { registrableDomain } from '../../mail/message/domain.ts'
import { headerBody } from '../../mail/message/message.ts'
import { memoryOctets } from '../../mail/message/octets.ts'
import { parseMessage } from '../../mail/message/parse.ts'
import { predict } from '../../mail/models/logistic.ts'
import { fuse, type Models } from '../../mail/models/models.ts'
import type { Prediction } from '../../mail/models/prediction.ts'
import { arrivalOf } from '../../mail/signals/received.ts'
import { CORPUS_FACTS } from '../corpora/facts.ts'
import type { Sample } from '../corpora/sets.ts'
import type { Example } from '../training/features.ts'
import type { Scored } from './metrics.ts'

/** A message that users may correct. */
export interface Letter {
  readonly id: string
  /** Registrable domain of the From address. */
  readonly domain: string
  readonly spam: boolean
  readonly text: SparseVector
  readonly meta: SparseVector
}

/** A letter of a corpus, and when it arrived. */
export interface DeliveredLetter extends Letter {
  readonly at: Date
  readonly sample: Sample
}

/** What a filter said of a letter when it came. */
export interface LetterVerdict extends Scored {
  /** By the filter's own threshold. */
  readonly calledSpam: boolean
}

/** The mail of `source` that has a label, in order of arrival; what arrived in the same second in the order of ids. */
export function lettersOf(
  samples: readonly Sample[],
  examples: readonly Example[],
  source: string,
): DeliveredLetter[] {
  const found = samples.flatMap((sample, i): DeliveredLetter[] => {
    if (sample.source !== source || sample.spam === undefined) return []
    const { text, meta } = examples[i]!
    const { id, spam } = sample
    return [{ id, spam, sample, text, meta, ...deliveryOf(sample) }]
  })
  return found.sort(
    (a, b) => a.at.getTime() - b.at.getTime() || (a.id < b.id ? -1 : a.id > b.id ? 1 : 0),
  )
}

/** When a message arrived, and from which domain. */
function deliveryOf({ bytes }: Sample): Pick<DeliveredLetter, 'at' | 'domain'> {
  const message = parseMessage(memoryOctets(bytes))
  const from = parseAddresses(headerBody(message, 'from') ?? '')[0]?.domain ?? ''
  return { at: arrivalOf(message, CORPUS_FACTS), domain: registrableDomain(from) }
}

/** What the fused models say of a letter by itself. */
export function fused(
  { fusion, text, meta }: Models,
  letter: Pick<Letter, 'text' | 'meta'>,
): Prediction {
  return fuse(fusion, predict(text, letter.text), predict(meta, letter.meta))
}

/** What `models` say of a letter, at the threshold `balanced`. */
export function judgeLetter(models: Models, letter: Letter): LetterVerdict {
  const { logit, probability } = fused(models, letter)
  const { balanced } = models.fusion.thresholds
  return { score: logit, calledSpam: probability > balanced, spam: letter.spam }
}

/** What is said of a letter, by whom and when. */
export interface Report {
  /** The same in simulations that differ only in other reports, so that random choices are the same there. */
  readonly id: string
  readonly letter: Letter
  readonly spam: boolean
  readonly userId: string
  readonly authority: LearnEvent['authority']
  readonly at: Date
  readonly authenticated: boolean
}

/** What the log would hold of a report. */
export function correctionOf(report: Report): LearnEvent {
  const { id, letter, spam, userId, authority, at, authenticated } = report
  return {
    feedbackId: id,
    userId,
    authority,
    kind: 'spam',
    label: spam ? 'spam' : 'ham',
    messageKey: keyOf(letter.id),
    domainKey: keyOf(letter.domain),
    ...(authenticated ? { authenticatedDomain: letter.domain } : {}),
    features: featuresOf(letter),
    featureVersion: FEATURE_VERSION,
    createdAt: at,
  }
}

const encoded = new WeakMap<Letter, Uint8Array>()

/** The features of a letter, encoded once per letter. */
function featuresOf(letter: Letter): Uint8Array {
  const known = encoded.get(letter) ?? encodeEventFeatures(letter.text, letter.meta)
  encoded.set(letter, known)
  return known
}

/** Stands in for the service's HMAC. */
function keyOf(name: string): Uint8Array {
  return createHash('sha256').update(name).digest()
}
