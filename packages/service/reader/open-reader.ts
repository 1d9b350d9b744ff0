/** Opens the reader among the models, and tries it. Where it cannot be used the service judges without it, and says so. */
import { readReader } from '../../artifact-files/artifact-files.ts'
import { TamisError } from '../../errors/errors.ts'
import { type ReaderModel, readerLogits } from '../../mail/models/reader.ts'
import type { EncoderTurns } from './encoder-turns.ts'
import { DEADLINE_MS, MessageReader } from './message-reader.ts'
import { asUnavailable, type OpenedEncoder } from './open-encoder.ts'
import type { ReaderMode } from './reader-modes.ts'

/** The reader as the settings want it, and as it is. */
export interface OpenedReader {
  readonly mode: ReaderMode
  /** Undefined where nothing is read. */
  readonly reader: MessageReader | undefined
  /** What policies take of it; undefined where nothing is read. */
  readonly model: ReaderModel | undefined
  /** Why nothing is read although something should be. */
  readonly failure: TamisError | undefined
}

/** A text that is read before the first message, so that all code is warm by then. */
const WARM_UP_TEXT = 'Hello'

/** Milliseconds for that: the machine may be starting other things. */
const WARM_UP_MS = 10_000

/** Every message is near the threshold. */
const EVERYTHING = { below: Number.POSITIVE_INFINITY, above: Number.POSITIVE_INFINITY }

/**
 * @param folder of the models; undefined for those that come with Tamis.
 * @param deadlineMs after which a verdict does without the reading.
 */
export async function openReader(
  mode: ReaderMode,
  folder: string | undefined,
  { id, turns, failure }: OpenedEncoder,
  deadlineMs: number = DEADLINE_MS,
): Promise<OpenedReader> {
  const without = { mode, reader: undefined, model: undefined }
  if (mode === 'off' || turns === undefined) {
    return { ...without, failure: mode === 'off' ? undefined : failure }
  }
  try {
    const model = await readReader(folder)
    if (model.encoder !== id) {
      throw mismatch(`was made for the encoder ${model.encoder}, and this is ${id}`)
    }
    await tryReading(model, turns)
    return {
      mode,
      reader: new MessageReader(model, turns, deadlineMs),
      model: mode === 'always' ? { ...model, band: EVERYTHING } : model,
      failure: undefined,
    }
  } catch (error) {
    return { ...without, failure: asUnavailable(error) }
  }
}

/** @throws TamisError ARTIFACT_MISMATCH when the model does not fit what the encoder gives; and what the encoder throws. */
async function tryReading(model: ReaderModel, turns: EncoderTurns): Promise<void> {
  const found = await turns.read(WARM_UP_TEXT, model.piecesMax, WARM_UP_MS)
  // At a reload it may have as much to do as it can.
  if (found === 'late') return
  if (!model.means.every((name) => name in found.means)) {
    throw mismatch('takes layers that the encoder does not give')
  }
  const { spam, classes } = readerLogits(model, found.means)
  if (![spam, ...classes].every(Number.isFinite)) {
    throw mismatch('has too few weights for the layers that it takes')
  }
}

function mismatch(why: string): TamisError {
  return new TamisError('ARTIFACT_MISMATCH', `The model reader ${why}`)
}
