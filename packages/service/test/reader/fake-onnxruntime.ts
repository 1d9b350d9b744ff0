/**
 * In place of onnxruntime-node: every layer is one. What comes once, after the first reading, is said by the URL with which
 * this is imported: `then=throw`, `then=hang`, or `then=exit`, which ends the thread.
 */
import { existsSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { temporaryFolder } from '../../../../test/temporary-folder.ts'

const DIMENSIONS = 384

const { searchParams } = new URL(import.meta.url)
const then = searchParams.get('then')

/** There once it has come. */
const mark = searchParams.get('mark')

let runs = 0

class Tensor {
  readonly data: unknown

  constructor(_type: string, data: unknown) {
    this.data = data
  }
}

const session = {
  run: async (_inputs: unknown, outputs: readonly string[]) => {
    runs++
    if (runs > 1 && mark !== null && !existsSync(mark)) {
      writeFileSync(mark, '')
      if (then === 'throw') throw new Error('The layers do not fit')
      if (then === 'hang') await new Promise(() => {})
      if (then === 'exit') process.exit(1)
    }
    return Object.fromEntries(
      outputs.map((name) => [name, { data: new Float32Array(DIMENSIONS).fill(1) }]),
    )
  },
  release: async () => {},
}

const InferenceSession = { create: async () => session }

export { InferenceSession, Tensor }

/** This module as one to import, which does so once, after its first reading. */
export function runtimeThat(what: 'throw' | 'hang' | 'exit' | 'answer'): string {
  const url = pathToFileURL(import.meta.filename)
  url.searchParams.set('then', what)
  url.searchParams.set('mark', join(temporaryFolder(), 'mark'))
  return url.href
}
