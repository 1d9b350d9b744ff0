/**
 * What tricks cost: spam of sources that the models have not seen is taken apart and sent again
 * with each trick (tricks.ts), with innocent text of another source; and what ham is lost.
 */
import { createHash } from 'node:crypto'
import { readModels } from '../../../artifact-files/artifact-files.ts'
import { FEATURE_VERSION } from '../../../mail/features/version.ts'
import { memoryOctets } from '../../../mail/message/octets.ts'
import { parseMessage } from '../../../mail/message/parse.ts'
import type { Models } from '../../../mail/models/models.ts'
import { readerText } from '../../../mail/signals/text.ts'
import { startProgress } from '../../../terminal/progress.ts'
import { readCorpora } from '../../corpora/read.ts'
import { type Sample, WRITTEN_SET } from '../../corpora/sets.ts'
import type { Example } from '../../training/features.ts'
import { randomSource, shuffled } from '../../training/random.ts'
import { firstLeftOut, modelsWithout, readExamples } from '../left-out-models.ts'
import { meanOf, shareOf } from '../metrics.ts'
import { judge, shippedPolicy } from '../outcome.ts'
import type { MeasureName } from '../plan.ts'
import type { Values } from '../report.ts'
import { letterOf } from './letter.ts'
import { FAMILIES, TRICKS } from './tricks.ts'

/** Spam of each source that tricks are played with: 1 or 2 points of a hundred each. */
const LETTERS = 60

/** Ham judged of a source: more than any but the largest have. */
const HAM_MAX = 600

/** Which letters are drawn. */
const SEED = 16

const HOUSEHOLD = 'household_2025'
const HONEYPOT = 'phishing_pot'
const FINDS = 'finds'
const LISTS = 'lists'

/** The shipped models know it; but it has newsletters that are hard to tell from spam. */
const OLD = 'spamassassin'

/** One message judged as the service would, for a recipient who has corrected nothing. */
export interface Judged {
  readonly isSpam: boolean
  /** What the models say of all its text together, before other readings. */
  readonly wholeIsSpam: boolean
  readonly escalated: boolean
}

/** The letters of one source, as received and with each of TRICKS. */
export interface SpamSource {
  readonly source: string
  /** Which models judged it: 'shipped', or what they were trained without. */
  readonly models: string
  readonly asReceived: readonly Judged[]
  readonly tricks: readonly (readonly Judged[])[]
}

/** Models, and a name that says what they were trained without. */
interface Judge {
  readonly name: string
  readonly models: Models
}

/** @throws TamisError CORPUS_INVALID when there is nothing to train on. */
export async function evaluateEvasion(corpora: string): Promise<Values> {
  const samples = readCorpora(corpora, 'train')
  const examples = readExamples(samples)
  const innocent = new InnocentText(ofSource(samples, LISTS).filter(isHam))
  const shipped: Judge = { name: 'shipped', models: await readModels() }

  const training = startProgress('train', 2)
  const household = without(examples, [HOUSEHOLD])
  training.advance()
  const lists = without(examples, [LISTS, WRITTEN_SET])
  training.advance()
  training.end()

  const spam = ofSource(samples, HOUSEHOLD).filter((sample) => sample.spam === true)
  const honeypot = ofSource(readCorpora(corpora, 'evaluate'), HONEYPOT)
  const playing = startProgress('play', 2 * TRICKS.length)
  const played = [
    play(household.judge, spam, innocent, () => playing.advance()),
    play(shipped, honeypot, innocent, () => playing.advance()),
  ].filter(({ asReceived }) => asReceived.length > 0)
  playing.end()
  const unseen = samples.filter((_, i) => lists.leftOut.has(i))
  const ham = [
    hamOf(household.judge, HOUSEHOLD, samples),
    hamOf(household.judge, FINDS, samples),
    hamOf(shipped, OLD, samples),
    hamOf(lists.judge, LISTS, unseen),
    hamOf(lists.judge, WRITTEN_SET, unseen),
  ].filter(({ judged }) => judged.length > 0)
  const losses = trickLosses(played)
  const letters = played.reduce((sum, { asReceived }) => sum + asReceived.length, 0)
  const families = familyLosses(losses, letters)
  const hamJudged = ham.flatMap(({ judged }) => judged)
  return {
    featureVersion: FEATURE_VERSION,
    modelsVersion: shipped.models.version,
    count: losses.length,
    spam: played.map(({ source, models, asReceived }) => ({
      source,
      models,
      messages: asReceived.length,
      caught: asReceived.filter(isCaught).length,
      caughtAsWhole: asReceived.filter(isCaughtAsWhole).length,
    })),
    meanLoss: meanOf(losses.map(({ loss }) => loss)),
    meanLossOfFamilies: meanOf(families.map(({ loss }) => loss)),
    families,
    hamLostByReadings: shareOf(hamJudged, (it) => it.isSpam && !it.wholeIsSpam),
    ham: ham.map(({ source, models, judged }) => ({
      source,
      models,
      messages: judged.length,
      lostAsWhole: shareOf(judged, isCaughtAsWhole),
      lost: shareOf(judged, isCaught),
      escalated: shareOf(judged, ({ escalated }) => escalated),
    })),
    tricks: losses,
  }
}

function isCaught({ isSpam }: Judged): boolean {
  return isSpam
}

function isCaughtAsWhole({ wholeIsSpam }: Judged): boolean {
  return wholeIsSpam
}

/** What each trick costs, over all sources of spam together, in the order of TRICKS. */
export function trickLosses(spam: readonly SpamSource[]) {
  const received = spam.flatMap(({ asReceived }) => asReceived)
  const lossOf = (judged: readonly Judged[], is: (one: Judged) => boolean) =>
    Math.max(0, 1 - judged.filter(is).length / received.filter(is).length)
  return TRICKS.map(({ family, name }, i) => {
    const judged = spam.flatMap(({ tricks }) => tricks[i]!)
    const caught = (source: string) =>
      spam.find((of) => of.source === source)?.tricks[i]?.filter(isCaught).length ?? NaN
    return {
      family,
      name,
      // Caught with the trick.
      [HOUSEHOLD]: caught(HOUSEHOLD),
      [HONEYPOT]: caught(HONEYPOT),
      // Missed, but shown to a person.
      escalated: judged.filter((it) => !it.isSpam && it.escalated).length,
      // Share of what is caught as received that the trick lets through; 0 where as much or more is caught.
      loss: lossOf(judged, isCaught),
      lossAsWhole: lossOf(judged, isCaughtAsWhole),
    }
  })
}

function familyLosses(losses: ReturnType<typeof trickLosses>, letters: number) {
  return FAMILIES.map((family) => {
    const own = losses.filter((it) => it.family === family)
    return {
      family,
      tricks: own.length,
      lossAsWhole: meanOf(own.map(({ lossAsWhole }) => lossAsWhole)),
      loss: meanOf(own.map(({ loss }) => loss)),
      escalated: meanOf(own.map(({ escalated }) => escalated / letters)),
    }
  })
}

function ofSource(samples: readonly Sample[], name: string): Sample[] {
  return samples.filter(({ source }) => source === name)
}

function isHam({ spam }: Sample): boolean {
  return spam === false
}

/** As shipped, but trained without what these measures leave out first, nor the finds. */
function without(
  examples: readonly Example[],
  measures: readonly MeasureName[],
): { judge: Judge; leftOut: ReadonlySet<number> } {
  const leftOut = new Set(measures.flatMap((measure) => [...firstLeftOut(examples, measure)]))
  const finds = examples.flatMap(({ source }, i) => (source === FINDS ? [i] : []))
  const name = `without ${measures.join(' and ')}`
  const models = modelsWithout(examples, new Set([...leftOut, ...finds]), name)
  return { judge: { name, models }, leftOut }
}

function play(
  judge: Judge,
  samples: readonly Sample[],
  innocent: InnocentText,
  onTrick: () => void,
): SpamSource {
  const letters = drawn(samples, samples.length)
    .flatMap((sample) => {
      const message = parseMessage(memoryOctets(sample.bytes))
      const letter = letterOf(sample.bytes, message, innocent.from(sample.id), sample.id)
      return letter === undefined ? [] : [{ sample, letter }]
    })
    .slice(0, LETTERS)
  const received = letters.map(({ sample }) => sample.bytes)
  return {
    source: samples[0]?.source ?? '',
    models: judge.name,
    asReceived: judged(received, judge),
    tricks: TRICKS.map(({ play }) => {
      onTrick()
      return judged(
        letters.map(({ letter }) => play(letter)),
        judge,
      )
    }),
  }
}

function hamOf(judge: Judge, source: string, samples: readonly Sample[]) {
  const own = ofSource(samples, source).filter(isHam)
  const messages = drawn(own, HAM_MAX).map(({ bytes }) => bytes)
  return { source, models: judge.name, judged: judged(messages, judge) }
}

/** At most `count` of `samples`, by chance that is the same each time. */
function drawn(samples: readonly Sample[], count: number): Sample[] {
  return shuffled(samples, randomSource(SEED)).slice(0, count)
}

function judged(messages: readonly Uint8Array[], { models }: Judge): Judged[] {
  const { threshold } = shippedPolicy(models)
  return messages.map((bytes) => {
    const { analysis, verdict } = judge(bytes, models)
    return {
      isSpam: verdict.isSpam,
      wholeIsSpam: analysis.wholeSpam.probability > threshold,
      escalated: verdict.shouldEscalate,
    }
  })
}

/** A shorter line is a greeting, a signature, or code. */
const LINE_LENGTH_MIN = 40

/** Where there are no lists: enough to run the tricks. */
const FALLBACK =
  'Thank you for your notes on the draft, they are with the committee until Thursday.'

export class InnocentText {
  readonly #text: string

  constructor(samples: readonly Sample[]) {
    const lines = samples.flatMap(({ bytes }) =>
      readerText(parseMessage(memoryOctets(bytes)))
        .split('\n')
        .map((line) => line.trim())
        .filter((line) => line.length >= LINE_LENGTH_MIN && /^[A-Z][^<>{};=|\\]*$/i.test(line)),
    )
    this.#text = `${(lines.length > 0 ? lines : [FALLBACK]).join('\n')}\n`
  }

  /** Text from a place of its own for each `name`, the same for the same name. */
  from(name: string): (length: number) => string {
    const place = createHash('sha256').update(name).digest().readUInt32LE() % this.#text.length
    const start = this.#text.indexOf('\n', place) + 1
    return (length) => {
      let text = this.#text.slice(start, start + length)
      while (text.length < length) text += this.#text.slice(0, length - text.length)
      const end = text.lastIndexOf('\n')
      return end > 0 ? text.slice(0, end) : text
    }
  }
}
