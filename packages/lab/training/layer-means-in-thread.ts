/** Runs on a thread: texts -> what the encoder gives for each. */
import { workerData } from 'node:worker_threads'
import { openEncoder } from '../../encoder/open-encoder.ts'
import { readerInputs } from './reader-inputs.ts'

const { encoderFolder, most } = workerData as {
  readonly encoderFolder: string
  readonly most: number
}

const encoder = openEncoder(encoderFolder)

export async function read(texts: readonly string[]): Promise<Float32Array[]> {
  const { read: readText } = await encoder
  const numbers: Float32Array[] = []
  for (const text of texts) numbers.push(readerInputs(await readText(text, most)))
  return numbers
}
