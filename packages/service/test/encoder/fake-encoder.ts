/** Embedders without the encoder's files, which take half a second to open. */
import { TamisError } from '../../../errors/errors.ts'
import { DIMENSIONS } from '../../../mail/personalization/memory-item.ts'
import { Embedder, type EncoderCalls } from '../../encoder/embedder.ts'

/** One by `calls`; what it warns of goes to `warned`. */
export function embedderBy(calls: Partial<EncoderCalls>, warned: string[] = []): Embedder {
  return new Embedder({
    ...{ id: 'fake-1', folder: '' },
    log: { warn: (_, text) => void warned.push(text) },
    calls: {
      windows: async (text) => [[0, text.length, 2]],
      mean: async () => new Float32Array(DIMENSIONS).fill(1),
      close: async () => {},
      ...calls,
    },
  })
}

/** One for a machine on which the encoder does not run. */
export function noEmbedder(warned?: string[]): Embedder {
  return embedderBy(
    {
      windows: async () => {
        throw new TamisError('ENCODER_UNAVAILABLE', 'onnxruntime-node cannot be loaded here')
      },
    },
    warned,
  )
}
