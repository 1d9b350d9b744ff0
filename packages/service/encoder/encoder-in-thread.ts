/**
 * The thread of the encoder, of which a process has one: onnxruntime-node computes on the calling thread, for tens of
 * milliseconds at a time, and neither HTTP nor the analysis of mail has time for that. It opens the encoder with the first
 * text, in half a second of CPU, and ends when none has come for a while: the encoder takes some 90 MiB.
 */
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { workerData } from 'node:worker_threads'
import { type Encoder, openEncoder } from '../../encoder/open-encoder.ts'
import { answerCalls } from '../threads/calls.ts'
import { EncoderQueue } from './encoder-queue.ts'

export interface EncoderThreadData {
  readonly folder: string
  /** The module to import for running the layers, if it is not found by its name. */
  readonly runtimeModule?: string | undefined
  /** Milliseconds without a text after which the thread ends. */
  readonly idleMs: number
}

const { folder, runtimeModule, idleMs } = workerData as EncoderThreadData

/** Opened once per thread, by the first text. */
let encoder: Promise<Encoder> | undefined

let isEnding = false

const queue = new EncoderQueue(() => {
  encoder ??= openEncoder(folder, runtimeModule).finally(collectGarbage)
  return encoder
})

export type EncoderFunctions = typeof CALLS

const CALLS = {
  embed: async (caller: string, text: string, deadline: number): Promise<Float32Array> => {
    // The next call starts another thread.
    if (isEnding) await new Promise(() => {})
    try {
      return await queue.embed(caller, text, deadline)
    } finally {
      idle.refresh()
    }
  },
  close: async (): Promise<void> => {
    const opened = await encoder?.catch(() => undefined)
    await opened?.close()
  },
}

const idle = setTimeout(async () => {
  if (!queue.isEmpty) return
  isEnding = true
  await CALLS.close()
  process.exit()
}, idleMs)

answerCalls(CALLS)

/** Gives back what opening the encoder has left: V8 would keep it, as this thread allocates little from now on. */
function collectGarbage(): void {
  setFlagsFromString('--expose-gc')
  runInNewContext('gc')()
}
