/** The address of a service that was started as a process of its own, from its first lines. */

import { createInterface } from 'node:readline/promises'
import type { Readable } from 'node:stream'

/** For example 'http://127.0.0.1:8025'. Throws where the process ends before it listens. */
export async function listening(stdout: Readable): Promise<string> {
  for await (const line of createInterface(stdout)) {
    const url = /http:\/\/[\d.:]+/.exec(line)?.[0]
    if (url !== undefined) return url
  }
  throw new Error('The service ended before it listened')
}
