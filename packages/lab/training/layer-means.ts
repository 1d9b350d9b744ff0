/** What the encoder gives for examples, which the reader is trained on: computed once, on all processors. */
import { availableParallelism } from 'node:os'
import { Piscina } from 'piscina'
import { SHIPPED_ENCODER } from '../../artifact-files/artifact-files.ts'
import { DIMENSIONS } from '../../encoder/encoder.ts'
import { moduleBeside } from '../../mail/module-beside.ts'
import { startProgress } from '../../terminal/progress.ts'
import type { Example } from './features.ts'
import { READER_MEANS, READER_PIECES } from './reader-inputs.ts'
import { isRead } from './train-reader.ts'

/** Texts that a thread is given at a time. */
const BATCH = 200

/** Numbers that the reader takes of a text. */
export const READER_SIZE: number = READER_MEANS.length * DIMENSIONS

/**
 * For each text its numbers, (READER_SIZE,), in shared memory.
 *
 * @param onRead called with how many texts are done besides.
 */
export async function layerMeans(
  texts: readonly string[],
  encoderFolder: string,
  onRead: (count: number) => void = () => {},
): Promise<Float32Array[]> {
  const table = new Float32Array(new SharedArrayBuffer(4 * READER_SIZE * texts.length))
  const rowOf = (i: number) => table.subarray(i * READER_SIZE, (i + 1) * READER_SIZE)
  const threads = Math.min(availableParallelism(), Math.ceil(texts.length / BATCH))
  const pool = new Piscina<readonly string[], Float32Array[]>({
    filename: moduleBeside(import.meta.url, 'layer-means-in-thread').href,
    name: 'read',
    minThreads: threads,
    maxThreads: threads,
    workerData: { encoderFolder, most: READER_PIECES },
  })
  try {
    const starts = Array.from({ length: Math.ceil(texts.length / BATCH) }, (_, i) => i * BATCH)
    await Promise.all(
      starts.map(async (start) => {
        const read = await pool.run(texts.slice(start, start + BATCH))
        read.forEach((numbers, i) => {
          rowOf(start + i).set(numbers)
        })
        onRead(read.length)
      }),
    )
  } finally {
    await pool.destroy()
  }
  return texts.map((_, i) => rowOf(i))
}

/** `examples` with what the encoder that comes with Tamis gives for those that the reader is trained on. */
export async function withLayerMeans(examples: readonly Example[]): Promise<Example[]> {
  const wanted = examples.filter(isRead)
  const reading = startProgress('encode', wanted.length)
  const texts = wanted.map(({ essence }) => essence)
  const numbers = await layerMeans(texts, SHIPPED_ENCODER, (count) => reading.advance(count))
  reading.end()
  const means = new Map(wanted.map((example, i) => [example, numbers[i]!]))
  return examples.map((example) => {
    const own = means.get(example)
    return own === undefined ? example : { ...example, means: own }
  })
}
