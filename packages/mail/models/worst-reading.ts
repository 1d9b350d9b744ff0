/**
 * What the models say of a message in each of its readings (features/readings.ts). The worst reading
 * counts, so that spam does not become innocent by innocent text beside it.
 */
import { metaFeatures } from '../features/meta-features.ts'
import {
  enclosedReadings,
  type MessageReading,
  quotesLittle,
  type ReadingName,
  readingOfStretch,
  readingsOf,
} from '../features/readings.ts'
import type { SparseVector } from '../features/sparse-vector.ts'
import { ownTextSum, textFeatures, textFeaturesAndTrail } from '../features/text-features.ts'
import type { Message } from '../message/message.ts'
import { counts, countsOfReading } from '../signals/counts.ts'
import type { Signal } from '../signals/signal.ts'
import { signalsOfReading } from '../signals/signals.ts'
import { signalSet } from '../signals/table.ts'
import { saysNothingOutsideContainer } from '../signals/text.ts'
import { partialSum, predict, predictFromSum, weigher, withoutCrowd } from './logistic.ts'
import { fuse, type Models } from './models.ts'
import { logit, type Prediction, sigmoid } from './prediction.ts'

/** One reading, with what the models were given and what they gave for it. */
export interface ScoredReading extends MessageReading {
  readonly signals: readonly Signal[]
  readonly textVector: SparseVector
  readonly metaVector: SparseVector
  readonly text: Prediction
  readonly meta: Prediction
  /** The fused prediction less `margin`. */
  readonly spam: Prediction
  /** How much worse than others the reading has to be to count, in log-odds. */
  readonly margin: number
}

/** The reading of a message that counts, and the reading as a whole. */
export interface Worst {
  readonly whole: ScoredReading
  readonly decided: ScoredReading
  /** Whether an attached message is likelier spam than not, although it counts for less. */
  readonly enclosesSpam: boolean
  /** What users agree about has added to the log-odds of the reading that counts. */
  readonly crowdLogit: number
}

/** How far above the threshold `balanced` the whole message decides by itself, in log-odds: it is spam by every preset. */
const CERTAIN_SPAM = 2.5

/** How far below that threshold a reading may be by its words, in log-odds, and still be scored in full. */
const WITHIN_REACH = 3

/** Readings scored in full: the worst by their words. Bounds what a message may cost. */
const ASKED_MAX = 2

/**
 * How much worse than the threshold a reading has to be, in log-odds: a reading that leaves out much of
 * a message is wrong more often, most of all a stretch that was looked for, or titles and captions.
 */
export const MARGINS: Readonly<Record<ReadingName, number>> = {
  whole: 0,
  certain: 0,
  first: 0,
  unquoted: 0,
  alternative: 0.4,
  part: 0,
  own: 0.4,
  elsewhere: 1.5,
  attached: 0.4,
  enclosed: 0.4,
  header: 0,
  stretch: 1,
}

/**
 * How far an attached message may move the message, in log-odds. A person who asks "is this real?" sends
 * spam, and so does who hides an offer behind a greeting; the difference is in what they write themselves
 * and in the header. So an attached message decides only what these leave open, and a person looks at the
 * others. Of 100 such questions 90 are ham by note and header, 79 with this bound, 68 with 2; of 50 offers
 * behind a greeting 19 are spam by note and header, 33 with this bound and 13 more escalated, 38 and 8 with 2.
 */
const ENCLOSED_MAX = 1

/** What marks an answer. It costs its sender two header fields and a line, so only the text that is quoted counts. */
const SIGNS_OF_REPLY = signalSet(
  'SUBJECT_REPLY',
  'REPLY_REFERENCED',
  'THREAD_REFERENCED',
  'QUOTED_REPLY',
)

/** Signals that do not speak for a reading. */
const SILENT_SIGNALS: Readonly<Partial<Record<ReadingName, ReadonlySet<string>>>> = {
  own: SIGNS_OF_REPLY,
  // Every stretch is tiny, beside the links of the whole message.
  stretch: signalSet('MIME_TINY_WITH_LINK'),
}

/**
 * What the models say of `message`, whose signals are `found`.
 *
 * What users agree about has no say in which reading counts: it moves the verdict of that reading, and so no
 * message further than it may move any.
 */
export function worstReading(message: Message, found: readonly Signal[], models: Models): Worst {
  if (models.text.crowd === undefined) return chosen(message, found, models)
  const ofAll = chosen(message, found, { ...models, text: withoutCrowd(models.text) })
  const { whole, decided } = ofAll
  const moved = (reading: ScoredReading) => withMargin(reading, reading.margin, models)
  const movedWhole = moved(whole)
  const movedDecided = decided === whole ? movedWhole : moved(decided)
  const crowdLogit = movedDecided.spam.logit - decided.spam.logit
  return { ...ofAll, whole: movedWhole, decided: movedDecided, crowdLogit }
}

/** @param models without a crowd. */
function chosen(message: Message, found: readonly Signal[], models: Models): Worst {
  const { vector, trail, beyond, shared } = textFeaturesAndTrail(message)
  const stretches = [trail, beyond].flatMap(
    (words) => words.strongest(models.text.weights.integers) ?? [],
  )
  const values = counts(message)
  const all = scored(
    { name: 'whole', message },
    found,
    vector,
    metaFeatures(message, found, models.metaNumbering, values),
    models,
  )
  const whole = saysNothingOutsideContainer(message) ? asHeader(all, models) : all
  const threshold = logit(models.fusion.thresholds.balanced)
  const suspect = logit(models.fusion.thresholds.strict)
  if (whole.spam.logit > threshold + CERTAIN_SPAM) {
    return { whole, decided: whole, enclosesSpam: false, crowdLogit: 0 }
  }

  const sharedSum = partialSum(models.text, vector, shared)
  const weightOf = weigher(models.text)
  const ofStretch = stretches.flatMap((stretch) => readingOfStretch(message, stretch))
  const isUnquoted = found.some(isSignOfReply) && quotesLittle(message)
  const unquoted: MessageReading[] = isUnquoted ? [{ name: 'unquoted', message }] : []
  const worstOf = (readings: readonly MessageReading[]) =>
    readings
      .map((reading) => {
        const sum = ownTextSum(reading.message, weightOf) + sharedSum
        const text = predictFromSum(models.text, sum)
        const logit = fuse(models.fusion, text, whole.meta).logit - MARGINS[reading.name]
        return { reading, logit }
      })
      .filter((hint) => hint.logit > threshold - WITHIN_REACH)
      .toSorted((a, b) => b.logit - a.logit)
      .map(({ reading }) => reading)
  const hinted = [
    ...worstOf([...readingsOf(message), ...ofStretch, ...unquoted]).slice(0, ASKED_MAX),
    // Apart, so that attached spam, which counts for less, takes no place of another reading.
    ...worstOf(enclosedReadings(message)).slice(0, 1),
  ]
  const asked = hinted.flatMap((reading) => {
    const text = textFeatures(reading.message).vector
    const asMade = scored(reading, found, text, whole.metaVector, models)
    const spoken = signalsOf(reading, found)
    const signals = isUnquoted ? spoken.filter((it) => !isSignOfReply(it)) : spoken
    // A stretch has the lengths and shares of its message: by its own it would look like a short letter.
    const numbers = reading.name === 'stretch' ? values : countsOfReading(reading.message, values)
    const meta = metaFeatures(reading.message, signals, models.metaNumbering, numbers)
    return [asMade, scored(reading, signals, text, meta, models)]
  })
  const enclosesSpam = asked.some(({ name, spam }) => name === 'enclosed' && spam.logit > 0)
  const decided = asked
    .map((reading) => (reading.name === 'enclosed' ? bounded(reading, whole, models) : reading))
    .reduce(
      (most, reading) => (reading.spam.logit > Math.max(suspect, most.spam.logit) ? reading : most),
      whole,
    )
  return { whole, decided, enclosesSpam, crowdLogit: 0 }
}

/** `enclosed` with such a margin that it moves the message by ENCLOSED_MAX at most. */
function bounded(enclosed: ScoredReading, whole: ScoredReading, models: Models): ScoredReading {
  const excess = enclosed.spam.logit - whole.spam.logit - ENCLOSED_MAX
  return excess > 0 ? withMargin(enclosed, enclosed.margin + excess, models) : enclosed
}

/**
 * A message of whose text nothing could be read. The words of its subject are not what it says, and two words
 * have no context: they do not speak for spam, the header does.
 */
function asHeader(whole: ScoredReading, models: Models): ScoredReading {
  const margin = Math.max(0, models.fusion.textWeight * whole.text.logit)
  return withMargin({ ...whole, name: 'header' }, margin, models)
}

function withMargin(reading: ScoredReading, margin: number, models: Models): ScoredReading {
  const { signals, textVector, metaVector } = reading
  return scored(reading, signals, textVector, metaVector, models, margin)
}

function isSignOfReply({ name }: Signal): boolean {
  return SIGNS_OF_REPLY.has(name)
}

function signalsOf({ name, message }: MessageReading, found: readonly Signal[]): Signal[] {
  const silent = SILENT_SIGNALS[name]
  return signalsOfReading(message, found).filter((signal) => !silent?.has(signal.name))
}

function scored(
  { name, message }: MessageReading,
  signals: readonly Signal[],
  textVector: SparseVector,
  metaVector: SparseVector,
  models: Models,
  margin: number = MARGINS[name],
): ScoredReading {
  const text = predict(models.text, textVector)
  const meta = predict(models.meta, metaVector)
  const fused = fuse(models.fusion, text, meta).logit - margin
  const spam = { logit: fused, probability: sigmoid(fused) }
  return { name, message, signals, textVector, metaVector, text, meta, spam, margin }
}
