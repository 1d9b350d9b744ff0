/**
 * The reader: what a message means, as far as numbers of a pretrained encoder (packages/encoder) show it. Two
 * models that count words have no idea of a sentence in words that they have not met. Reading costs a hundred
 * times what they cost, so it is done for messages near the threshold alone.
 *
 * Logistic regression on the means of some of the encoder's layers; its logit is fused with theirs.
 */
import type { Escalation, Thresholds } from './fusion.ts'

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

/** Which messages are read: those whose log-odds lie so far below and above the threshold. */
export interface ReaderBand {
  readonly below: number
  readonly above: number
}

/** What the encoder gives for a text: by the name of a layer the mean over its pieces. */
export type LayerMeans = Readonly<Record<string, Float32Array>>

/** The reader's log-odds that a text is spam. */
export function readerLogit({ spam, means }: ReaderModel, layers: LayerMeans): number {
  let sum = spam.bias
  means.forEach((name, block) => {
    const mean = layers[name]!
    const start = block * mean.length
    for (let i = 0; i < mean.length; i++) sum += mean[i]! * spam.weights[start + i]!
  })
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

/** @param beyond the log-odds less those of the threshold. */
export function isInBand({ below, above }: ReaderBand, beyond: number): boolean {
  return beyond > -below && beyond < above
}
