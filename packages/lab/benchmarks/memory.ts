/**
 * Memory of the service, of its supervisor and of each server process: started, sent every message of
 * the sets in turn until MESSAGES have been answered, and read on the way. It is the proportional set
 * size: what processes share counts in each for its part, so that the sum is what the service takes up.
 *
 * A further server process adds what it has for itself: "of its own" leaves out what any other process
 * has too, such as the code of Node.
 */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { startService } from '../../service/test/helpers/service-process.ts'
import { table } from '../evaluation/markdown.ts'
import type { Given, Measured } from './benchmark.ts'
import { closedLoop, requestOf } from './load/generator.ts'
import { memoryMiB, ownMemoryMiB } from './machine/process-tree.ts'
import { messageFiles } from './message-sets.ts'

const SETS = ['spamassassin', 'household_2025', 'phishing_pot']

const MESSAGES = 20_000

/** Requests in flight for each server process: enough to keep it busy. */
const CONCURRENCY = 8

/** Messages between two readings. */
const READ_EVERY = 2_000

export async function measureMemory(
  options: Given & { readonly workers: number },
): Promise<Measured> {
  const { corpora = '', workers } = options
  const files = SETS.flatMap((set) => messageFiles(join(corpora, set)))
  const requests = files.map((file) => requestOf('/classify-stream', readFileSync(file)))
  const service = await startService({
    environment: {
      TAMIS_WORKERS: `${workers}`,
      TAMIS_LOG_LEVEL: 'error',
      // As by default.
      TAMIS_READER: 'doubtful',
      TAMIS_EMBEDDING: 'encoder',
    },
  })
  const office = await service.officePid()
  const offices = office === undefined ? [] : [office]
  const rows: string[][] = []
  const read = async (when: string) => {
    const pids = [service.pid, ...offices, ...(await service.serverPids())]
    const sum = pids.reduce((total, pid) => total + memoryMiB(pid), 0)
    const each = pids.map((pid) => `${memoryMiB(pid).toFixed(0)} (${ownMemoryMiB(pid).toFixed(0)})`)
    rows.push([when, ...each, sum.toFixed(0)])
  }
  try {
    await read('at start')
    for (let first = 0; first < MESSAGES; first += READ_EVERY) {
      const connections = CONCURRENCY * workers
      const loop = { port: service.port, requests, first, connections, seconds: Infinity }
      await closedLoop({ ...loop, requestsMax: READ_EVERY })
      await read(`after ${first + READ_EVERY}`)
    }
  } finally {
    await service.stop()
  }
  const processes = Array.from({ length: workers }, (_, i) => `worker ${i + 1} (of its own)`)
  const columns = [...offices.map(() => 'office (of its own)'), ...processes]
  return { text: table(['MiB', 'supervisor (of its own)', ...columns, 'together'], rows) }
}
