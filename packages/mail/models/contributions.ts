/**
 * What each feature adds to the fused logit. Calibration and fusion are affine, so the terms
 * of both models and one baseline add up to it exactly (to rounding): an explanation that adds up.
 */

import type { ReadingName } from '../features/readings.ts'
import type { Span, SparseVector } from '../features/sparse-vector.ts'
import type { SignalName } from '../signals/table.ts'
import { contributions as logisticContributions, weigher } from './logistic.ts'
import type { Models } from './models.ts'

/** A word or a pair of words, as the text model saw it. */
export type TextTerm = {
  readonly kind: 'text'
  readonly span: Span
  readonly value: number
  readonly logit: number
}

/** One term of the models, as a person is shown it: `logit` is what it adds to the logit of the fused probability. */
export type ModelTerm = { readonly logit: number } & (
  | /** The words of the message together: how many terms they are, and the strongest that mean something, the strongest first. */
  { readonly kind: 'wording'; readonly count: number; readonly words: readonly WeighedWord[] }
  /** How the message is made: the name of a signal, or that of a count with its range. */
  | { readonly kind: 'meta'; readonly name: string; readonly value: number }
  /** The margin of the reading that decided (worst-reading.ts), which is a part of the message. */
  | { readonly kind: 'reading'; readonly reading: ReadingName }
  /** The constant part of the models, the same for all messages. */
  | { readonly kind: 'baseline' }
  /** All other terms together. */
  | { readonly kind: 'rest'; readonly count: number }
)

/** A word or pair of words, and what it adds to the fused logit. */
export type WeighedWord = Pick<TextTerm, 'span' | 'logit'>

/** The features of one message, with the words behind its text features. */
export interface NamedFeatures {
  readonly text: { readonly vector: SparseVector; readonly spans: ReadonlyMap<number, Span> }
  readonly meta: SparseVector
}

/** The reading without a margin. */
const WHOLE = { name: 'whole', margin: 0 } as const

/** All terms that add up to the fused logit less the margin of the reading: the largest first, the baseline last. */
export function spamContributions(
  models: Models,
  { text, meta }: NamedFeatures,
  { name, margin }: { readonly name: ReadingName; readonly margin: number } = WHOLE,
): (ModelTerm | TextTerm)[] {
  const { textWeight, metaWeight, bias } = models.fusion
  const { terms: textTerms, rest: textRest } = logisticContributions(models.text, text.vector)
  const { terms: metaTerms, rest: metaRest } = logisticContributions(models.meta, meta)
  const terms: (ModelTerm | TextTerm)[] = [
    ...withValues(text.vector, (index, value, position) => ({
      kind: 'text' as const,
      span: wellFormed(text.spans.get(index)!),
      value,
      logit: textWeight * textTerms[position]!,
    })),
    ...withValues(meta, (index, value, position) => ({
      kind: 'meta' as const,
      name: models.metaNumbering.names[index]!,
      value,
      logit: metaWeight * metaTerms[position]!,
    })),
  ]
  if (margin !== 0) terms.push({ kind: 'reading', reading: name, logit: -margin })
  terms.sort((a, b) => Math.abs(b.logit) - Math.abs(a.logit))
  const baseline = bias + textWeight * textRest + metaWeight * metaRest
  return [...terms, { kind: 'baseline', logit: baseline }]
}

/** What a signal adds to the fused logit where it is raised; 0 for one that the model does not know. */
export function signalLogit({ meta, metaNumbering, fusion }: Models, name: SignalName): number {
  const index = metaNumbering.signals.get(name)
  if (index === undefined) return 0
  return fusion.metaWeight * meta.calibration.slope * weigher(meta)(index)
}

/** What each word and pair of the text adds to the fused logit; 0 for words that the text does not have. */
export function textLogits(models: Models, { text }: NamedFeatures): (span: Span) => number {
  const { terms } = logisticContributions(models.text, text.vector)
  const logits = new Map<string, number>()
  text.vector.indices.forEach((index, position) => {
    logits.set(spanName(text.spans.get(index)!), models.fusion.textWeight * terms[position]!)
  })
  return (span) => logits.get(spanName(span)) ?? 0
}

/** A long word is cut where its features are made, which may be within a character of two halves. */
function wellFormed(span: Span): Span {
  return { ...span, text: span.text.toWellFormed() }
}

/** A name for people, such as 'message word "invoice"'; the same feature always has the same name. */
export function spanName({ view, kind, text }: Span): string {
  return `${view} ${kind} "${text.toWellFormed()}"`
}

function withValues<Made>(
  { indices, values }: SparseVector,
  termOf: (index: number, value: number, position: number) => Made,
): Made[] {
  return Array.from(indices, (index, position) => termOf(index, values[position]!, position))
}
