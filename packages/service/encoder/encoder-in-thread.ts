/**
 * The thread of the encoder: onnxruntime-node computes on the calling thread, for tens of milliseconds at a time, and
 * neither HTTP nor the analysis of mail has time for that.
 */
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { workerData } from 'node:worker_threads'
import { type Encoder, openEncoder } from '../../encoder/open-encoder.ts'
import { answerCalls } from '../threads/calls.ts'

export interface EncoderThreadData {
  readonly folder: string
  /** The module to import for running the layers, if it is not found by its name. */
  readonly runtimeModule?: string | undefined
}

const { folder, runtimeModule } = workerData as EncoderThreadData

/** Opened once per thread, by the first call. */
let encoder: Promise<Encoder> | undefined

export type EncoderFunctions = typeof CALLS

const CALLS = {
  windows: async (text: string): Promise<number[][]> => (await opened()).windows(text),
  mean: async (window: readonly number[]): Promise<Float32Array> =>
    await (await opened()).mean(window),
}

answerCalls(CALLS)

function opened(): Promise<Encoder> {
  encoder ??= openEncoder(folder, runtimeModule).finally(collectGarbage)
  return encoder
}

/** Gives back what opening the encoder has left: V8 would keep it, as this thread allocates little from now on. */
function collectGarbage(): void {
  setFlagsFromString('--expose-gc')
  runInNewContext('gc')()
}
