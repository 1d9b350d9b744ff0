/** Embeds texts by all layers of the encoder, for those who compare texts themselves (interface §4.7). */
import { TamisError } from '../../errors/errors.ts'
import { DIMENSIONS, type TextEmbedding } from '../../mail/embedding/embedding-model.ts'
import { TEXT_LENGTH_MAX } from '../../mail/embedding/static-embedding.ts'
import type { Outlet } from '../admission/queue.ts'
import type { EncoderTurns } from './encoder-turns.ts'

/** A character that is to be seen: no control or format character, no blank, no half of a pair. */
const VISIBLE = /[^\p{C}\p{Z}]/u

export class EncoderEmbedding implements TextEmbedding {
  readonly dimensions = DIMENSIONS
  readonly id: string
  readonly #turns: Pick<EncoderTurns, 'embed'>

  constructor(id: string, turns: Pick<EncoderTurns, 'embed'>) {
    this.id = id
    this.#turns = turns
  }

  /**
   * The embedding of the first TEXT_LENGTH_MAX characters of `text`; all zero for a text of which nothing is to be seen.
   *
   * @param outlet where the answer goes: when it closes, the text is dropped.
   * @param caller whose text it is: turns go round by caller.
   * @throws TamisError QUEUE_FULL, REQUEST_ABANDONED, SHUTTING_DOWN; ENCODER_UNAVAILABLE when the encoder fails.
   */
  async embed(text: string, outlet?: Outlet, caller?: string): Promise<Float32Array> {
    const read = text.slice(0, TEXT_LENGTH_MAX)
    if (!VISIBLE.test(read)) return new Float32Array(DIMENSIONS)
    try {
      return await this.#turns.embed(read, outlet, caller)
    } catch (cause) {
      if (cause instanceof TamisError) throw cause
      throw new TamisError('ENCODER_UNAVAILABLE', 'The text could not be embedded', { cause })
    }
  }
}
