/**
 * What each feature adds to the fused logit. Calibration and fusion are affine, so the terms
 * of both models and one bias add up to it exactly (to rounding): an explanation that adds up.
 */
import type { Span } from '../features/accumulator.ts'
import { META_FEATURE_NAMES } from '../features/meta-features.ts'
import type { SparseVector } from '../features/sparse-vector.ts'
import { contributions as logisticContributions } from './logistic.ts'
import type { Models } from './models.ts'

/** One term of the fused logit. */
export interface Contribution {
  /** 'text: message word "invoice"', 'meta: DATE_IN_FUTURE', 'bias'. */
  readonly feature: string
  readonly value: number
  /** What it adds to the logit of the fused probability, at a prior of 50 %. */
  readonly logit: number
}

/** The features of one message, with the words behind those of the text. */
export interface NamedFeatures {
  readonly text: { readonly vector: SparseVector; readonly spans: ReadonlyMap<number, Span> }
  readonly meta: SparseVector
}

/** Every term of the fused logit less the margin of the reading, the largest first, the bias last. */
export function spamContributions(
  models: Models,
  features: NamedFeatures,
  margin = 0,
): Contribution[] {
  const { fusion } = models
  const text = logisticContributions(models.text, features.text.vector)
  const meta = logisticContributions(models.meta, features.meta)
  const terms = [
    ...named(
      features.text.vector,
      text.terms,
      fusion.textWeight,
      (index) => `text: ${spanName(features.text.spans.get(index))}`,
    ),
    ...named(
      features.meta,
      meta.terms,
      fusion.metaWeight,
      (index) => `meta: ${META_FEATURE_NAMES[index]}`,
    ),
    ...(margin === 0 ? [] : [{ feature: 'margin of the reading', value: 1, logit: -margin }]),
  ].sort((a, b) => Math.abs(b.logit) - Math.abs(a.logit))
  const bias = fusion.bias + fusion.textWeight * text.rest + fusion.metaWeight * meta.rest
  return [...terms, { feature: 'bias', value: 1, logit: bias }]
}

/** What each word and pair of the text adds to the fused logit; 0 for what the text does not have. */
export function textLogits(models: Models, { text }: NamedFeatures): (span: Span) => number {
  const { terms } = logisticContributions(models.text, text.vector)
  const logits = new Map<string, number>()
  text.vector.indices.forEach((index, position) => {
    logits.set(spanName(text.spans.get(index)), models.fusion.textWeight * terms[position]!)
  })
  return (span) => logits.get(spanName(span)) ?? 0
}

/** The `count` largest terms, the bias, and one term for all the others, so that the sum is kept. */
export function summarise(contributions: readonly Contribution[], count: number): Contribution[] {
  const bias = contributions.at(-1)!
  const terms = contributions.slice(0, -1)
  const others = terms.slice(count)
  if (others.length === 0) return [...contributions]
  const logit = others.reduce((sum, term) => sum + term.logit, 0)
  return [...terms.slice(0, count), { feature: 'all others', value: others.length, logit }, bias]
}

/** 'message word "invoice"'. */
export function spanName(span: Span | undefined): string {
  return span === undefined ? 'unnamed' : `${span.view} ${span.kind} "${span.text.toWellFormed()}"`
}

function named(
  vector: SparseVector,
  terms: Float64Array,
  weight: number,
  nameOf: (index: number) => string,
): Contribution[] {
  return Array.from(vector.indices, (index, position) => ({
    feature: nameOf(index),
    value: vector.values[position]!,
    logit: weight * terms[position]!,
  }))
}
