/**
 * Opens the encoder for what the settings want of it. Where it cannot be opened (no onnxruntime-node for this machine, a
 * missing or damaged file) the service does without it, and says so.
 */
import { SHIPPED_ENCODER } from '../../artifact-files/artifact-files.ts'
import { TamisError } from '../../errors/errors.ts'
import { EncoderEmbedding } from './encoder-embedding.ts'
import { EncoderThread } from './encoder-thread.ts'
import { EncoderTurns } from './encoder-turns.ts'

/** The encoder of this process. */
export interface OpenedEncoder {
  /** Name and version; undefined where it is not to be used, or cannot be. */
  readonly id: string | undefined
  readonly turns: EncoderTurns | undefined
  /** The encoder as the model of texts; undefined where another is to be used, or it cannot be. */
  readonly texts: EncoderEmbedding | undefined
  /** Why it cannot be used. */
  readonly failure: TamisError | undefined
  close(): Promise<void>
}

/** Where its files are and what runs it, for tests. */
export interface EncoderModules {
  readonly encoderFolder?: string | undefined
  /** The module to import for running it, in place of onnxruntime-node. */
  readonly onnxRuntime?: string | undefined
}

const NONE: OpenedEncoder = {
  id: undefined,
  turns: undefined,
  texts: undefined,
  failure: undefined,
  close: () => Promise.resolve(),
}

/** The encoder that comes with Tamis, if `settings` want it. */
export async function openEncoderFor(
  { embedding }: { readonly embedding: string },
  { encoderFolder = SHIPPED_ENCODER, onnxRuntime }: EncoderModules,
): Promise<OpenedEncoder> {
  if (embedding !== 'encoder') return NONE
  try {
    const thread = await EncoderThread.open(encoderFolder, onnxRuntime)
    const { id } = thread
    const turns = new EncoderTurns(thread)
    const texts = new EncoderEmbedding(id, turns)
    return { id, turns, texts, failure: undefined, close: () => turns.close() }
  } catch (error) {
    return { ...NONE, failure: asUnavailable(error) }
  }
}

/** `cause` as an error with a code. */
export function asUnavailable(cause: unknown): TamisError {
  if (cause instanceof TamisError) return cause
  return new TamisError('ENCODER_UNAVAILABLE', 'The encoder does not run', { cause })
}
