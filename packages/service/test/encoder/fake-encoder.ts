/** Embedders without the encoder's files, which take half a second to open. */
import type { Encoder } from '../../../encoder/open-encoder.ts'
import { TamisError } from '../../../errors/errors.ts'
import { DIMENSIONS } from '../../../mail/personalization/memory-item.ts'
import { Embedder } from '../../encoder/embedder.ts'
import { EncoderQueue } from '../../encoder/encoder-queue.ts'

/** One by `encoder`; what it warns of goes to `warned`. */
export function embedderBy(
  encoder: Partial<Pick<Encoder, 'windows' | 'mean'>>,
  warned: string[] = [],
): Embedder {
  const whole = {
    windows: (text: string) => [[0, text.length, 2]],
    mean: async () => new Float32Array(DIMENSIONS).fill(1),
    ...encoder,
  }
  const queue = new EncoderQueue(async () => whole)
  return new Embedder({
    id: 'fake-1',
    log: { warn: (_, text) => void warned.push(text) },
    thread: {
      pending: 0,
      call: async (_: string, ...args: readonly unknown[]) =>
        (await queue.embed(...(args as [string, string, number]))) as never,
      end: async () => {},
      close: async () => {},
    },
  })
}

/** One for a machine on which the encoder does not run. */
export function noEmbedder(warned?: string[]): Embedder {
  return embedderBy(
    {
      windows: () => {
        throw new TamisError('ENCODER_UNAVAILABLE', 'onnxruntime-node cannot be loaded here')
      },
    },
    warned,
  )
}
