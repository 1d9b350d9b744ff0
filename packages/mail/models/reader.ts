/**
 * The reader: what a message means, as far as numbers of a pretrained encoder (packages/encoder) show it. Two
 * models that count words have no idea of a sentence in words that they have not met. Reading costs a hundred
 * times what they cost, so it is done for messages near the threshold alone.
 *
 * Logistic regression on the means of some of the encoder's layers: its logit of spam is fused with theirs, and those
 * of the classes with the tabs model's.
 */

import type { Escalation, Thresholds } from './fusion.ts'
import { softmax } from './logit.ts'
import { byClass, CLASSES, type ClassProbabilities } from './prediction.ts'

/** Weights for the means of layers, laid end to end. */
export interface ReaderHead {
  readonly weights: Float32Array
  readonly bias: number
}

export interface ReaderModel {
  /** The version of the artifact. */
  readonly version: string
  /** The encoder that it was trained on. */
  readonly encoder: string
  /** Whose means the heads take, in order. */
  readonly means: readonly string[]
  /** Pieces of a text that are read at the most. */
  readonly piecesMax: number
  readonly spam: ReaderHead
  /** One against the rest for each of CLASSES. */
  readonly classes: readonly ReaderHead[]
  readonly classFusion: ClassFusion
  readonly fusion: ReaderFusion
  readonly band: ReaderBand
  /** Those of verdicts with the reader; without it those of the fusion of both models. */
  readonly thresholds: Thresholds
  readonly escalation: Escalation
}

/** Logistic regression on the models' fused logit and the reader's. */
export interface ReaderFusion {
  readonly models: number
  readonly reader: number
  readonly bias: number
}

/** By how much the log-probabilities of the tabs model count, and the reader's logits. */
export interface ClassFusion {
  readonly tabs: number
  readonly reader: number
}

/** Which messages are read: those whose log-odds lie so far below and above the threshold. */
export interface ReaderBand {
  readonly below: number
  readonly above: number
}

/** What the encoder gives for a text: by the name of a layer the mean over its pieces. */
export type LayerMeans = Readonly<Record<string, Float32Array>>

/** What the reader says of a text. */
export interface ReaderLogits {
  /** The log-odds of spam. */
  readonly spam: number
  /** For each of CLASSES its log-odds against the others. */
  readonly classes: readonly number[]
}

export function readerLogits(
  { means, spam, classes }: ReaderModel,
  layers: LayerMeans,
): ReaderLogits {
  const inputs = endToEnd(means, layers)
  return { spam: headLogit(spam, inputs), classes: classes.map((head) => headLogit(head, inputs)) }
}

/** The means that `names` names, laid end to end. */
export function endToEnd(names: readonly string[], layers: LayerMeans): Float32Array {
  return Float32Array.from(names.flatMap((name) => [...layers[name]!]))
}

/** @param inputs means laid end to end. */
export function headLogit({ weights, bias }: ReaderHead, inputs: Float32Array): number {
  let sum = bias
  for (let i = 0; i < inputs.length; i++) sum += inputs[i]! * weights[i]!
  return sum
}

/** What reading adds to the models' fused logit. */
export function readerShift(
  { models, reader, bias }: ReaderFusion,
  fused: number,
  read: number,
): number {
  return (models - 1) * fused + reader * read + bias
}

/** The classes by the tabs model and by the reader's logits of CLASSES together. */
export function readClasses(
  fusion: ClassFusion,
  tabs: ClassProbabilities,
  read: readonly number[],
): ClassProbabilities {
  const logits = CLASSES.map(
    (name, c) =>
      fusion.tabs * Math.log(Math.max(tabs[name], Number.MIN_VALUE)) + fusion.reader * read[c]!,
  )
  return byClass(softmax(logits))
}

/** @param beyond the log-odds less those of the threshold. */
export function isInBand({ below, above }: ReaderBand, beyond: number): boolean {
  return beyond > -below && beyond < above
}
