/**
 * Answers a second and latencies over HTTP: embeddings, embeddings while the classification queue
 * is full, and corrections at 200 a second on SQLite. For the first, all processes of the service
 * have one core and the generator another; for the others both have two. What fills the queue is a
 * process of its own, so that its own business does not count as latency.
 */
import { availableParallelism } from 'node:os'
import { setTimeout as sleep } from 'node:timers/promises'
import { startService } from '../../service/test/helpers/service-process.ts'
import type { Measured } from './benchmark.ts'
import { closedLoop, type LoopResult, openLoop, requestOf } from './load/generator.ts'
import { SHOP_WORDS, shopMessage, shopMessages } from './load/messages.ts'
import { generate } from './load/overload-run.ts'
import { pinProcess, pinTree } from './machine/pin.ts'

/** Fewer than wait at most (TAMIS_QUEUE_DEPTH): a queue with a second of work in it, and nobody refused. */
const WAITING = 1_000

/** More than may wait: every fifth is refused, and asks again at once. */
const FLOOD = 1_250

/** Embeddings a second beside a flood: too few to be a load. */
const ASKED_PER_SECOND = 20

const CORRECTIONS_PER_SECOND = 200

const WARM_UP_SECONDS = 3

const MESSAGES = 1_000

export async function measureHttp({ seconds }: { readonly seconds: number }): Promise<Measured> {
  const service = await startService({
    environment: { TAMIS_WORKERS: `${availableParallelism()}`, TAMIS_LOG_LEVEL: 'warn' },
  })
  const { port } = service
  const lines: string[] = []
  try {
    pinTree(service.pid, '0')
    pinProcess(process.pid, '1')
    const embed = { port, requests: numbered(embedRequest), connections: 16 }
    await closedLoop({ ...embed, seconds: WARM_UP_SECONDS })
    lines.push(lineOf('embed 20 words', await closedLoop({ ...embed, seconds })))

    pinTree(service.pid, '0,1')
    pinProcess(process.pid, '0,1')
    for (const [name, connections] of [
      ['queue full', WAITING],
      ['queue full and others refused', FLOOD],
    ] as const) {
      const flood = generate({
        path: '/classify-stream',
        messages: shopMessages(MESSAGES),
        closed: { port, connections, seconds },
      })
      await sleep(2_000)
      const asked = await openLoop({ ...embed, rate: ASKED_PER_SECOND, seconds: seconds - 4 })
      lines.push(lineOf(`embed at ${ASKED_PER_SECOND}/s, ${name}`, asked))
      lines.push(lineOf(`  ${connections} clients`, await flood))
    }

    const correct = { port, requests: numbered(correctionRequest), connections: 64 }
    const rate = CORRECTIONS_PER_SECOND
    await openLoop({ ...correct, rate, seconds: WARM_UP_SECONDS })
    const corrected = await openLoop({ ...correct, rate, seconds, first: WARM_UP_SECONDS * rate })
    lines.push(lineOf(`correct at ${rate}/s`, corrected))
  } finally {
    await service.stop()
  }
  return { text: lines.join('\n') }
}

/** More than are sent at a rate, each one different. */
function numbered(request: (i: number) => Buffer): Buffer[] {
  return Array.from({ length: 4 * MESSAGES }, (_, i) => request(i))
}

function embedRequest(i: number): Buffer {
  const body = Buffer.from(JSON.stringify({ text: `${SHOP_WORDS} ${i}` }))
  return requestOf('/classify/embed-text', body, { 'Content-Type': 'application/json' })
}

function correctionRequest(i: number): Buffer {
  const headers = { 'X-User-ID': `user-${i % 500}`, 'X-Is-Spam': 'true' }
  return requestOf('/feedback-stream', Buffer.from(shopMessage(i)), headers)
}

function lineOf(name: string, { outcomes, seconds }: LoopResult): string {
  const kinds = Object.entries(outcomes).map(([kind, { count }]) => `${kind}: ${count}`)
  const answers = Object.values(outcomes).reduce((sum, { count }) => sum + count, 0)
  const { p50 = NaN, p99 = NaN } = outcomes['200'] ?? {}
  return `${name}: ${(answers / seconds).toFixed(0)}/s, p50 ${p50.toFixed(1)} ms, p99 ${p99.toFixed(1)} ms (${kinds.join(', ')})`
}
