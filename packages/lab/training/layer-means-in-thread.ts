/** Runs on a thread: texts -> what the encoder gives for each. */
import { workerData } from 'node:worker_threads'
import { READ_MEANS } from '../../encoder/encoder.ts'
import { openEncoder } from '../../encoder/open-encoder.ts'
import { endToEnd } from '../../mail/models/reader.ts'

const { encoderFolder, most } = workerData as {
  readonly encoderFolder: string
  readonly most: number
}

const encoder = openEncoder(encoderFolder)

export async function read(texts: readonly string[]): Promise<Float32Array[]> {
  const { read: readText } = await encoder
  const numbers: Float32Array[] = []
  for (const text of texts) numbers.push(endToEnd(READ_MEANS, (await readText(text, most)).means))
  return numbers
}
