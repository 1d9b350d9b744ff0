/**
 * Answers a second and latencies over HTTP: embeddings, embeddings while the classification queue
 * is full, and corrections at 200 a second on SQLite. For the first, all processes of the service
 * have one core and the generator another, where `taskset` is there to give them one; for the others
 * both have two. What fills the queue is a process of its own, so that its own business does not count
 * as latency.
 *
 *   npm run bench:http
 */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { availableParallelism } from 'node:os'
import { setTimeout } from 'node:timers/promises'
import { startService } from '../../service/test/helpers/service-process.ts'
import { type LoadResult, quantile, runLoad } from './http-load.ts'
import { shopMessage } from './overload/messages.ts'
import { pinProcess, pinTree } from './peers/pin.ts'

const SECONDS = 10

/** Fewer than wait at most (TAMIS_QUEUE_DEPTH): a queue with a second of work in it, and nobody refused. */
const WAITING = 1_000

/** More than may wait: every fifth is refused, and asks again at once. */
const FLOOD = 1_250

const WORDS =
  'your parcel from the garden shop is on its way and will be there on friday before noon thank you'

const [flooded, connections] = process.argv.slice(2)
if (flooded === undefined) await measure()
else await flood(flooded, Number(connections))

async function measure(): Promise<void> {
  const service = await startService({
    environment: { TAMIS_WORKERS: `${availableParallelism()}`, TAMIS_LOG_LEVEL: 'warn' },
  })
  const { url } = service
  try {
    pinTree(service.pid, '0')
    pinProcess(process.pid, '1')
    const embed = {
      url: `${url}/classify/embed-text`,
      headers: () => ({ 'content-type': 'application/json' }),
      body: (i: number) => JSON.stringify({ text: `${WORDS} ${i}` }),
      connections: 16,
    }
    await runLoad({ ...embed, seconds: 3 })
    print('embed 20 words', await runLoad({ ...embed, seconds: SECONDS }))

    pinTree(service.pid, '0,1')
    pinProcess(process.pid, '0,1')
    for (const [name, clients] of [
      ['queue full', WAITING],
      ['queue full and others refused', FLOOD],
    ] as const) {
      const ended = startFlood(url, clients)
      await setTimeout(2_000)
      const asked = await runLoad({ ...embed, seconds: SECONDS - 4, rate: 20 })
      print(`embed at 20/s, ${name}`, asked)
      await ended
    }

    const correct = {
      url: `${url}/feedback-stream`,
      headers: (i: number) => ({
        'content-type': 'message/rfc822',
        'x-user-id': `user-${i % 500}`,
        'x-is-spam': 'true',
      }),
      body: shopMessage,
      connections: 64,
      rate: 200,
    }
    await runLoad({ ...correct, seconds: 2 })
    print('correct at 200/s', await runLoad({ ...correct, seconds: SECONDS }))
  } finally {
    await service.stop()
  }
}

/** Clients that ask for a verdict and, whatever the answer, at once for another. */
async function flood(url: string, connections: number): Promise<void> {
  const classify = {
    url: `${url}/classify-stream`,
    headers: () => ({ 'content-type': 'message/rfc822' }),
    body: shopMessage,
  }
  print(`  ${connections} clients`, await runLoad({ ...classify, connections, seconds: SECONDS }))
}

async function startFlood(url: string, connections: number): Promise<void> {
  const child = spawn(process.execPath, [import.meta.filename, url, `${connections}`], {
    stdio: ['ignore', 'inherit', 'inherit'],
  })
  await once(child, 'exit')
}

function print(name: string, result: LoadResult): void {
  const statuses = [...result.statuses].map(([status, count]) => `${status}: ${count}`).join(', ')
  const at = (share: number) => `${quantile(result, share).toFixed(1)} ms`
  process.stdout.write(
    `${name}: ${result.perSecond.toFixed(0)}/s, p50 ${at(0.5)}, p99 ${at(0.99)} (${statuses})\n`,
  )
}
