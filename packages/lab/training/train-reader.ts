/**
 * Trains the reader on what the encoder gives for examples, and chooses by predictions for examples left out how its
 * word is fused with that of the models, which messages are read, and the thresholds of all that.
 */
import { READ_MEANS } from '../../encoder/encoder.ts'
import { logit } from '../../mail/models/logit.ts'
import {
  headLogit,
  isInBand,
  type ReaderBand,
  type ReaderHead,
  type ReaderModel,
  readerShift,
} from '../../mail/models/reader.ts'
import { WRITTEN_SET } from '../corpora/sets.ts'
import type { Example } from './features.ts'
import { fitDense } from './fit-dense.ts'
import { fitWide, type WideOptions } from './fit-wide.ts'
import { leaveFoldsOut } from './folds.ts'
import { chooseEscalation, chooseThresholds, type LeftOut, ofToday } from './thresholds.ts'
import { spamWeights } from './weights.ts'

/** Pieces that are read. Twice as many cost twice as much, and catch no more (docs/decisions/0024). */
export const READER_PIECES = 64

/** Chosen by leaving whole sources out (reports/models): at a tenth or ten times of l2 hardly anything changes. */
export const READER_OPTIONS: WideOptions = { l2: 4e-3, steps: 120 }

/** The reader but for classes (train-reader-classes.ts). */
export type TrainedSpamReader = Omit<ReaderModel, 'version' | 'encoder' | 'classes' | 'classFusion'>

/** An example that the encoder has read. */
export type ReadExample = Example & { readonly spam: boolean; readonly means: Float32Array }

/** What the two models said of an example that they had not seen. */
export interface FusedLeftOut extends LeftOut {
  /** The fused logit of the whole. */
  readonly fused: number
}

/** How much of what reading everything gains, reading in the band has to keep. */
const GAIN_KEPT = 0.9

/** How much of the ham that reading everything loses, reading in the band may lose. */
const LOSS_ALLOWED = 1.05

/**
 * Candidates for both ends of the band, in log-odds. What is less than 0.8 above the threshold is read in any case: there
 * reading saves ham, of which so little is lost that a narrower band is chosen by a message or two.
 */
const BELOW = [0.8, 1, 1.2, 1.5, 2, 2.5]
const ABOVE = [0.8, 1, 1.5, 2]

/** Whether the encoder has to read an example for training: of a written message one rendering says what the others say. */
export function isRead({
  source,
  id,
  spam,
  messageClass,
}: Pick<Example, 'source' | 'id' | 'spam' | 'messageClass'>): boolean {
  const isLabelled = spam !== undefined || messageClass !== undefined
  return isLabelled && (source !== WRITTEN_SET || id.endsWith('#0'))
}

/**
 * The reader of spam.
 *
 * @param leftOut what the models said of each example, in step.
 * @param onFit called after each of FOLDS + 1 fits.
 */
export function trainReader(
  examples: readonly ReadExample[],
  leftOut: readonly FusedLeftOut[],
  onFit: () => void,
): TrainedSpamReader {
  const weights = spamWeights(examples, 'reader')
  const fit = (positions: readonly number[]): ReaderHead => {
    const samples = positions.map((i) => ({
      inputs: examples[i]!.means,
      positive: examples[i]!.spam,
      weight: weights[i]!,
    }))
    const head = fitWide(samples, READER_OPTIONS)
    onFit()
    return head
  }
  const read = leaveFoldsOut(examples, (training, rest) => {
    const head = fit(training)
    return rest.map((i) => headLogit(head, examples[i]!.means))
  })
  const fusion = fitReaderFusion(examples, leftOut, read)
  const unread = leftOut.map((each, i) => ({
    ...each,
    shift: readerShift(fusion, each.fused, read[i]!),
  }))
  // Those of all mail read: in a band alone, the ends of the distributions are cut and say little.
  const thresholds = chooseThresholds(afterReading(unread, ALL, 0))
  const balanced = logit(thresholds.balanced)
  const band = chooseBand(unread, balanced)
  return {
    means: READ_MEANS,
    piecesMax: READER_PIECES,
    spam: fit([...examples.keys()]),
    fusion,
    band,
    thresholds,
    escalation: chooseEscalation(afterReading(unread, band, balanced), thresholds.balanced),
  }
}

/** The band in which all is read. */
const ALL: ReaderBand = { below: Number.POSITIVE_INFINITY, above: Number.POSITIVE_INFINITY }

function fitReaderFusion(
  examples: readonly ReadExample[],
  leftOut: readonly FusedLeftOut[],
  read: readonly number[],
) {
  const weights = spamWeights(examples, 'fusion')
  const { coefficients, bias } = fitDense(
    examples.map(({ spam }, i) => ({
      inputs: [leftOut[i]!.fused, read[i]!],
      positive: spam,
      weight: weights[i]!,
    })),
  )
  return { models: coefficients[0]!, reader: coefficients[1]!, bias }
}

/** With what reading adds. */
interface Shifted extends LeftOut {
  readonly shift: number
}

/** The same after reading, where the threshold is at `center`. */
function afterReading(leftOut: readonly Shifted[], band: ReaderBand, center: number): Shifted[] {
  return leftOut.map((each) =>
    isInBand(band, each.spamLogit - center)
      ? { ...each, spamLogit: each.spamLogit + each.shift }
      : each,
  )
}

/** The band that reads least, keeps GAIN_KEPT of what reading all gains, and loses no more ham. */
function chooseBand(unread: readonly Shifted[], threshold: number): ReaderBand {
  const all = called(afterReading(unread, ALL, threshold), threshold)
  const without = called(unread, logit(chooseThresholds(unread).balanced))
  const caughtMin = without.spam + GAIN_KEPT * (all.spam - without.spam)
  const candidates = BELOW.flatMap((below) => ABOVE.map((above) => ({ below, above })))
  const found = candidates
    .map((band) => ({
      band,
      read: meanShare(unread, ({ spamLogit }) => isInBand(band, spamLogit - threshold)),
      ...called(afterReading(unread, band, threshold), threshold),
    }))
    .filter(({ spam, ham }) => spam >= caughtMin && ham <= LOSS_ALLOWED * all.ham)
    .toSorted((a, b) => a.read - b.read)
  return found[0]?.band ?? candidates.at(-1)!
}

/** The shares of ham and spam above a threshold, each the mean over modern sources. */
function called(messages: readonly Shifted[], threshold: number) {
  const share = (spam: boolean) =>
    meanShare(
      messages.filter((one) => one.spam === spam),
      ({ spamLogit }) => spamLogit > threshold,
    )
  return { ham: share(false), spam: share(true) }
}

/** The share of messages that are so, the mean over modern sources. */
function meanShare(messages: readonly Shifted[], isSo: (message: Shifted) => boolean): number {
  const sources = [...Map.groupBy(ofToday(messages), ({ source }) => source).values()]
  const shares = sources.map((own) => own.filter(isSo).length / own.length)
  return shares.reduce((sum, share) => sum + share, 0) / shares.length
}
