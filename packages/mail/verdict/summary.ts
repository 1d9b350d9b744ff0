/**
 * What log lines, header fields and the history say of a message: which one it is, and what the models went by most.
 *
 * It is made for every message, so it takes only numbers that are there already. A message and its sender
 * choose what is in it: it is short, has no control characters, and of an address only the domain.
 */
import type { Message } from '../message/message.ts'
import type { ModelTerm } from '../models/contributions.ts'
import { weigher } from '../models/logistic.ts'
import type { Models } from '../models/models.ts'
import type { Worst } from '../models/worst-reading.ts'
import { comparedHost } from '../personalization/sender-address.ts'
import { fieldBody } from '../signals/fields.ts'
import { originOf } from '../signals/origin.ts'
import { agreesWithDescription, onlyOfReading } from './wording.ts'

export interface AnalysisSummary {
  /** The Message-ID without its brackets, printable ASCII, cut at MESSAGE_ID_LENGTH_MAX; '' if there is none. */
  readonly messageId: string
  /** The domain of the first address in From, in lower case and ASCII; '' if there is none. */
  readonly senderDomain: string
  /** What each signal adds that a person believes, all words together, and the rest of how the message is made. */
  readonly terms: readonly ModelTerm[]
}

/** Honest ones have some 80 characters. Stops a field of half a megabyte in the log. */
const MESSAGE_ID_LENGTH_MAX = 200

/** What is not printable ASCII. */
const NOT_PRINTABLE = /[^!-~]+/g

/** The summary of `message`, in the reading that decided. */
export function summaryOf(message: Message, worst: Worst, models: Models): AnalysisSummary {
  return {
    messageId: shownMessageId(fieldBody(message, 'message-id') ?? ''),
    senderDomain: comparedHost(originOf(message).host) ?? '',
    terms: modelTerms(worst, models),
  }
}

/** A Message-ID as a summary has it: without its brackets, at most MESSAGE_ID_LENGTH_MAX printable characters with them. */
export function shownMessageId(fieldBody: string): string {
  return fieldBody
    .slice(0, MESSAGE_ID_LENGTH_MAX)
    .replace(NOT_PRINTABLE, ' ')
    .trim()
    .replace(/^<|>$/g, '')
}

/** Calibration and fusion are affine, so a term of a model's sum keeps its share of the fused log-odds. */
function modelTerms({ whole, decided }: Worst, models: Models): ModelTerm[] {
  const { signals, text, meta } = decided
  const { textWeight, metaWeight } = models.fusion
  const perWeight = metaWeight * models.meta.calibration.slope
  const weightOf = weigher(models.meta)
  const disbelieved = onlyOfReading(whole, decided)
  const terms: ModelTerm[] = []
  let form = metaWeight * (meta.logit - restOf(models.meta))
  for (const { name } of signals) {
    const index = models.metaNumbering.signals.get(name)
    if (index === undefined) continue
    const logit = perWeight * weightOf(index)
    form -= logit
    const isBelieved = agreesWithDescription(name, logit) && !disbelieved.has(name)
    if (isBelieved) terms.push({ kind: 'meta', name, value: 1, logit })
  }
  const words = textWeight * (text.logit - restOf(models.text))
  return [
    ...terms,
    { kind: 'wording', count: 0, words: [], logit: words },
    { kind: 'meta', name: 'TAMIS_FORM', value: 1, logit: form },
  ]
}

/** The part of a model's logit that is the same for all messages. */
function restOf({ bias, calibration, deltas }: Models['text']): number {
  return calibration.slope * (bias + (deltas?.at(-1) ?? 0)) + calibration.intercept
}

// GTUBE, the text that an operator sends to see whether a filter is in the way of mail: a message with it is
// spam, whatever the models say (SpamAssassin's Generic Test for Unsolicited Bulk Email).

const GTUBE = 'XJS*C4JDBQADN1.NSBN3*2IDNEN*GTUBE-STANDARD-ANTI-UBE-TEST-EMAIL*C.34X'

/** What it adds to the log-odds of spam: beyond every threshold, for any other text beside it. */
const GTUBE_LOGIT = 40

/** What GTUBE in a visible text of `message` adds to the log-odds of spam; 0 without it. */
export function gtubeLogit({ texts }: Message): number {
  return texts.some(({ visible }) => visible.includes(GTUBE)) ? GTUBE_LOGIT : 0
}
