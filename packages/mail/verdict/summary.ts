/**
 * What log lines, header fields and the history say of a message: which one it is, and what the models went by most.
 *
 * It is made for every message, so it takes only numbers that are there already. A message and its sender
 * choose what is in it: it is short, has no control characters, and of an address only the domain.
 */
import type { Message } from '../message/message.ts'
import { weigher } from '../models/logistic.ts'
import type { Models } from '../models/models.ts'
import type { Worst } from '../models/worst-reading.ts'
import { comparedHost } from '../personalization/sender-address.ts'
import { fieldBody } from '../signals/fields.ts'
import { originOf } from '../signals/origin.ts'
import type { SignalName } from '../signals/table.ts'
import { candidates } from './topics.ts'
import { agreesWithDescription, onlyOfReading } from './wording.ts'

export interface AnalysisSummary {
  /** The Message-ID without its brackets, printable ASCII, cut at MESSAGE_ID_LENGTH_MAX; '' if there is none. */
  readonly messageId: string
  /** The domain of the first address in From, in lower case and ASCII; '' if there is none. */
  readonly senderDomain: string
  /** Those that may be given: more than are, because the verdict decides which. */
  readonly reasons: readonly ModelReason[]
}

/** A signal, or all of one kind together, and what it adds to the log-odds of spam. */
export interface ModelReason {
  readonly name: SignalName | 'TAMIS_TEXT' | 'TAMIS_FORM'
  readonly points: number
}

/** That of an analysis without a message. */
export const NO_SUMMARY: AnalysisSummary = { messageId: '', senderDomain: '', reasons: [] }

/** Points below this are written as 0.0. */
const NEGLIGIBLE = 0.05

/** Honest ones have some 80 characters. Stops a field of half a megabyte in the log. */
const MESSAGE_ID_LENGTH_MAX = 200

/** What is not printable ASCII. */
const NOT_PRINTABLE = /[^!-~]+/g

/** The summary of `message`, in the reading that decided. */
export function summaryOf(message: Message, worst: Worst, models: Models): AnalysisSummary {
  return {
    messageId: messageIdOf(message),
    senderDomain: comparedHost(originOf(message).host) ?? '',
    reasons: modelReasons(worst, models),
  }
}

function messageIdOf(message: Message): string {
  return shownMessageId(fieldBody(message, 'message-id') ?? '')
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
function modelReasons({ whole, decided }: Worst, models: Models): ModelReason[] {
  const { signals, text, meta } = decided
  const { textWeight, metaWeight } = models.fusion
  const perWeight = metaWeight * models.meta.calibration.slope
  const weightOf = weigher(models.meta)
  const disbelieved = onlyOfReading(whole, decided)
  const reasons: ModelReason[] = []
  let form = metaWeight * (meta.logit - restOf(models.meta))
  for (const { name } of signals) {
    const index = models.metaNumbering.signals.get(name)
    if (index === undefined) continue
    const points = perWeight * weightOf(index)
    form -= points
    const isBelieved = agreesWithDescription(name, points) && !disbelieved.has(name)
    if (isBelieved) reasons.push({ name, points })
  }
  const words = textWeight * (text.logit - restOf(models.text))
  reasons.push({ name: 'TAMIS_TEXT', points: words }, { name: 'TAMIS_FORM', points: form })
  return candidates(reasons.filter(({ points }) => Math.abs(points) >= NEGLIGIBLE))
}

/** The part of a model's logit that is the same for all messages. */
function restOf({ bias, calibration, deltas }: Models['text']): number {
  return calibration.slope * (bias + (deltas?.at(-1) ?? 0)) + calibration.intercept
}
