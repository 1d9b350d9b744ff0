/** What the encoder gives for examples, which the reader is trained on: computed once, on all processors. */
import { availableParallelism } from 'node:os'
import { Piscina } from 'piscina'
import { readEncoderId, SHIPPED_ENCODER } from '../../artifact-files/artifact-files.ts'
import { DIMENSIONS, READ_MEANS } from '../../encoder/encoder.ts'
import { moduleBeside } from '../../mail/module-beside.ts'
import { startProgress } from '../../terminal/progress.ts'
import type { Example } from './features.ts'
import { openMeansCache } from './means-cache.ts'
import { isRead, READER_PIECES } from './train-reader.ts'

/** Texts that a thread is given at a time. */
const BATCH = 200

/** Numbers that the reader takes of a text. */
export const READER_SIZE: number = READ_MEANS.length * DIMENSIONS

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
  if (texts.length === 0) return []
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

/**
 * `examples` with what the encoder that comes with Tamis gives for those that the reader is trained on.
 *
 * @param cacheFile where it is kept for the next run; undefined keeps nothing.
 */
export async function withLayerMeans(
  examples: readonly Example[],
  cacheFile: string | undefined,
): Promise<Example[]> {
  const kind = `${await readEncoderId()} ${READ_MEANS} ${READER_PIECES}`
  const cache = cacheFile === undefined ? undefined : openMeansCache(cacheFile, kind, READER_SIZE)
  const wanted = new Set(examples.filter(isRead).map(({ essence }) => essence))
  const texts = [...wanted].filter((text) => cache?.get(text) === undefined)
  const reading = startProgress('encode', texts.length)
  const numbers = await layerMeans(texts, SHIPPED_ENCODER, (count) => reading.advance(count))
  reading.end()
  cache?.add(texts, numbers)
  const read = new Map(texts.map((text, i) => [text, numbers[i]!]))
  return examples.map((example) => {
    const { essence } = example
    return isRead(example)
      ? { ...example, means: read.get(essence) ?? cache!.get(essence)! }
      : example
  })
}
