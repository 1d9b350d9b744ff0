/**
 * Memory of the service, of its supervisor, of its office and of each worker process: started, sent every message of
 * the sets in turn until MESSAGES have been answered, and read on the way. It is the proportional set
 * size: what processes share counts in each for its part, so that the sum is what the service takes up.
 *
 *   npm run bench:memory -- --corpora DIR [--workers 2] [--office own|shared]
 *
 * A further worker process adds what it has for itself: "of its own" leaves out what any other process
 * has too, such as the code of Node. Linux.
 */
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { startService } from '../../service/test/helpers/service-process.ts'
import { table } from '../evaluation/markdown.ts'
import { memoryMiB, ownMemoryMiB } from './peers/process-tree.ts'

const SETS = ['spamassassin', 'household_2025', 'phishing_pot']

const MESSAGES = 20_000

/** Requests in flight for each worker process: enough to keep it busy. */
const CONCURRENCY = 8

const REPORT_EVERY = 2_000

const { values } = parseArgs({
  options: {
    corpora: { type: 'string' },
    workers: { type: 'string', default: '2' },
    office: { type: 'string', default: 'auto' },
  },
})
if (values.corpora === undefined) throw new TypeError('--corpora DIR is missing')
const messages = SETS.flatMap((set) => readSet(join(values.corpora!, set)))
const workers = Number(values.workers)
const service = await startService({
  environment: {
    TAMIS_WORKERS: `${workers}`,
    TAMIS_OFFICE: values.office,
    TAMIS_LOG_LEVEL: 'error',
  },
})

const office = await service.officePid()

const rows: string[][] = []
try {
  await read('at start')
  let sent = 0
  const sendUntilDone = async () => {
    while (sent < MESSAGES) {
      const number = sent++
      await classify(messages[number % messages.length]!)
      if ((number + 1) % REPORT_EVERY === 0) await read(`after ${number + 1}`)
    }
  }
  await Promise.all(Array.from({ length: CONCURRENCY * workers }, sendUntilDone))
} finally {
  await service.stop()
}
const processes = Array.from({ length: workers }, (_, i) => `worker ${i + 1} (of its own)`)
const columns = [...(office === undefined ? [] : ['office (of its own)']), ...processes]
console.log(table(['MiB', 'supervisor (of its own)', ...columns, 'together'], rows))

async function read(when: string): Promise<void> {
  const pids = [service.pid, ...(office === undefined ? [] : [office]), ...(await service.workerPids())]
  const sum = pids.reduce((total, pid) => total + memoryMiB(pid), 0)
  const each = pids.map((pid) => `${memoryMiB(pid).toFixed(0)} (${ownMemoryMiB(pid).toFixed(0)})`)
  rows.push([when, ...each, sum.toFixed(0)])
}

async function classify(message: Buffer): Promise<void> {
  const answer = await fetch(`${service.url}/classify-stream`, {
    method: 'POST',
    headers: { 'content-type': 'message/rfc822' },
    body: new Uint8Array(message),
  })
  await answer.arrayBuffer()
}

function readSet(folder: string): Buffer[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.eml'))
    .sort()
    .map((name) => readFileSync(join(folder, name)))
}
